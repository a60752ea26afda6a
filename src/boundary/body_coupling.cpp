#include "boundary/body_coupling.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

constexpr std::uint32_t k_slices = 64;  ///< parts in which the contacts of an object are summed
constexpr int k_most = 8;               ///< moving objects that one particle can touch

/// The moving objects within reach of a particle.
struct ObjectSet {
    std::uint32_t object[k_most];
    int count = 0;
    MILLRACE_HD int place_of(std::uint32_t o) {
        for (int k = 0; k < count; ++k)
            if (object[k] == o)
                return k;
        if (count == k_most)
            return -1;
        object[count] = o;
        return count++;
    }
};

template <int D>
struct FindContacts {
    VectorView<D> position;
    NeighborView<D> walls;
    CubicSpline<D> kernel;
    const std::uint32_t* object;
    const float* volume;
    const Frame<D>* frames;
    std::uint32_t* counts;
    const std::uint32_t* offset;
    Contact<D>* contacts;  ///< null: only count them
    std::uint32_t* keys;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = position.get(i);
        ObjectSet near;
        Push<D> push[k_most] = {};
        float friction[k_most] = {};
        walls.for_each_single(i, x, [&](std::uint32_t k, const Vec<D>& x_ik, float r2) {
            if (object[k] == k_static_sample)
                return;
            const int place = near.place_of(object[k]);
            if (place < 0 || !contacts)
                return;
            const Vec<D> v_grad_w = x_ik * (volume[k] * kernel.gradient_factor(r2));
            push[place].force += v_grad_w;
            friction[place] -= volume[k] * kernel.gradient_factor(r2);
            push[place].torque += moment(walls.point.get(k) - frames[object[k]].position, v_grad_w);
        });
        if (!contacts) {
            counts[i] = static_cast<std::uint32_t>(near.count);
            return;
        }
        for (int k = 0; k < near.count; ++k) {
            contacts[offset[i] + k] = {push[k], friction[k], i, near.object[k]};
            keys[offset[i] + k] = near.object[k];
        }
    }
};

template <int D>
MILLRACE_HD void add(Push<D, double>& sum, const Push<D, double>& push) {
    sum.force += push.force;
    sum.torque += push.torque;
}

template <int D, class Weigh>
struct SumSlices {
    const Contact<D>* contacts;
    const std::uint32_t* start;
    const std::uint32_t* order;
    Weigh weigh;
    Push<D, double>* partial;
    MILLRACE_HD void operator()(std::uint32_t s) const {
        const std::uint32_t object = s / k_slices, slice = s % k_slices;
        Push<D, double> sum;
        for (std::uint32_t c = start[object] + slice; c < start[object + 1]; c += k_slices)
            add(sum, weigh(order[c], contacts[order[c]]));
        partial[s] = sum;
    }
};

template <int D>
struct SumObjects {
    const Push<D, double>* partial;
    Push<D, double>* total;
    MILLRACE_HD void operator()(std::uint32_t object) const {
        Push<D, double> sum;
        for (std::uint32_t s = 0; s < k_slices; ++s)
            add(sum, partial[object * k_slices + s]);
        total[object] = sum;
    }
};

template <int D>
MILLRACE_HD Push<D, double> scaled(const Push<D>& push, double factor) {
    return {Vec<D, double>::from(push.force) * factor, Spin<D, double>::from(push.torque) * factor};
}

template <int D>
struct ByUnknown {
    const float* unknowns;
    MILLRACE_HD Push<D, double> operator()(std::uint32_t, const Contact<D>& contact) const {
        return scaled(contact.push, unknowns[contact.particle]);
    }
};

/// |push|_R, in the place of a force's first component.
template <int D>
struct ByStiffness {
    CouplingView<D> view;
    MILLRACE_HD Push<D, double> operator()(std::uint32_t, const Contact<D>& contact) const {
        Push<D, double> sum;
        sum.force[0] = sqrtf(view.weight2(contact));
        return sum;
    }
};

template <int D>
struct ByList {
    const Push<D>* pushes;
    MILLRACE_HD Push<D, double> operator()(std::uint32_t c, const Contact<D>&) const {
        return scaled(pushes[c], 1.0);
    }
};

template <int D>
struct KeepStiffness {
    const Push<D, double>* total;
    float* stiffness;
    MILLRACE_HD void operator()(std::uint32_t object) const {
        stiffness[object] = static_cast<float>(total[object].force[0]);
    }
};

template <int D>
struct GiveWay {
    const Push<D, double>* total;
    const ObjectResponse<D>* response;
    Twist<D>* acceleration;
    MILLRACE_HD void operator()(std::uint32_t object) const {
        const Push<D> push{Vec<D>::from(total[object].force), Spin<D>::from(total[object].torque)};
        acceleration[object] = response[object].of(push);
    }
};

template <int D>
struct Apply {
    const Push<D, double>* total;
    const Twist<D>* acceleration;
    float dt;
    Twist<D>* predicted;
    Push<D, double>* impulse;
    MILLRACE_HD void operator()(std::uint32_t object) const {
        Twist<D>& twist = predicted[object];
        twist.velocity += acceleration[object].velocity * dt;
        twist.angular_velocity += acceleration[object].angular_velocity * dt;
        impulse[object].force += total[object].force * double(dt);
        impulse[object].torque += total[object].torque * double(dt);
    }
};

}  // namespace

template <int D>
BodyCoupling<D>::BodyCoupling(const Device& device)
    : counts_(device),
      offset_(device),
      keys_(device),
      start_(device),
      order_(device),
      contacts_(device),
      frames_(device),
      predicted_(device),
      acceleration_(device),
      response_(device),
      stiffness_(device),
      partial_(device),
      total_(device),
      impulse_(device) {}

template <int D>
void BodyCoupling<D>::find_contacts(const Device& device, std::size_t count,
                                    VectorView<D> positions, const NeighborView<D>& wall_neighbors,
                                    const CubicSpline<D>& kernel, const BoundaryParticles<D>& walls,
                                    std::span<const Frame<D>> frames) {
    object_count_ = frames.size();
    frames_.assign(frames);
    counts_.resize(count);
    FindContacts<D> pass{positions,      wall_neighbors, kernel,  walls.object(), walls.volume(),
                         frames_.data(), counts_.data(), nullptr, nullptr,        nullptr};
    for_each(device, count, pass);
    exclusive_scan(device, counts_, count, offset_);
    std::uint32_t total = 0;
    device.download(&total, offset_.data() + count, sizeof total);
    contact_count_ = total;
    contacts_.resize(total);
    keys_.resize(total);
    pass.offset = offset_.data();
    pass.contacts = contacts_.data();
    pass.keys = keys_.data();
    for_each(device, count, pass);
    counting_sort(device, keys_, total, static_cast<std::uint32_t>(object_count_), start_, order_);
}

template <int D>
void BodyCoupling<D>::set_contacts(const Device& device, std::span<const Contact<D>> contacts,
                                   std::span<const std::uint32_t> offset,
                                   std::size_t object_count) {
    object_count_ = object_count;
    contact_count_ = contacts.size();
    contacts_.assign(contacts);
    offset_.assign(offset);
    std::vector<std::uint32_t> keys;
    for (const Contact<D>& contact : contacts)
        keys.push_back(contact.object);
    keys_.assign(keys);
    counting_sort(device, keys_, keys.size(), static_cast<std::uint32_t>(object_count), start_,
                  order_);
}

template <int D>
void BodyCoupling<D>::start(const Device& device, std::span<const Twist<D>> predicted,
                            std::span<const ObjectResponse<D>> responses) {
    predicted_.assign(predicted);
    response_.assign(responses);
    acceleration_.resize(object_count_);
    acceleration_.zero();
    impulse_.resize(object_count_);
    impulse_.zero();
    stiffness_.resize(object_count_);
    sum_by_object(device, ByStiffness<D>{view()});
    for_each(device, object_count_, KeepStiffness<D>{total_.data(), stiffness_.data()});
}

template <int D>
template <class Weigh>
void BodyCoupling<D>::sum_by_object(const Device& device, const Weigh& weigh) {
    partial_.resize(object_count_ * k_slices);
    total_.resize(object_count_);
    for_each(device, object_count_ * k_slices,
             SumSlices<D, Weigh>{contacts_.data(), start_.data(), order_.data(), weigh,
                                 partial_.data()});
    for_each(device, object_count_, SumObjects<D>{partial_.data(), total_.data()});
}

template <int D>
void BodyCoupling<D>::accelerate(const Device& device, const float* unknowns) {
    sum_by_object(device, ByUnknown<D>{unknowns});
    for_each(device, object_count_,
             GiveWay<D>{total_.data(), response_.data(), acceleration_.data()});
}

template <int D>
void BodyCoupling<D>::apply(const Device& device, float dt) {
    for_each(device, object_count_,
             Apply<D>{total_.data(), acceleration_.data(), dt, predicted_.data(), impulse_.data()});
}

template <int D>
void BodyCoupling<D>::add_pushes(const Device& device, const Buffer<Push<D>>& pushes, float dt) {
    sum_by_object(device, ByList<D>{pushes.data()});
    for_each(device, object_count_,
             GiveWay<D>{total_.data(), response_.data(), acceleration_.data()});
    apply(device, dt);
}

template <int D>
std::vector<Push<D, double>> BodyCoupling<D>::impulses() const {
    return impulse_.to_host();
}

template <int D>
CouplingView<D> BodyCoupling<D>::view() const {
    return {offset_.data(),   contacts_.data(),  predicted_.data(), acceleration_.data(),
            response_.data(), stiffness_.data(), frames_.data()};
}

template <int D>
std::size_t BodyCoupling<D>::bytes() const {
    return counts_.bytes() + offset_.bytes() + keys_.bytes() + start_.bytes() + order_.bytes() +
           contacts_.bytes() + partial_.bytes();
}

template class BodyCoupling<2>;
template class BodyCoupling<3>;

}  // namespace millrace
