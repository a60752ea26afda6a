#include "boundary/boundary_particles.hpp"

#include "exec/parallel.hpp"
#include "math/kernels/cubic_spline.hpp"

namespace millrace {

namespace {

template <int D>
struct Place {
    VectorView<D> local, placed;
    const std::uint32_t* object_of;
    const Frame<D>* frames;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        if (object_of[k] == k_static_sample)
            return;
        const Frame<D>& frame = frames[object_of[k]];
        placed.set(k, frame.rotation * local.get(k) + frame.position);
    }
};

template <int D>
struct Sort {
    const std::uint32_t* order;
    VectorView<D> placed;
    const std::uint32_t* object_of;
    const float* start_volume;
    VectorView<D> position;
    std::uint32_t* object;
    float* sorted_start_volume;
    MILLRACE_HD void operator()(std::uint32_t p) const {
        const std::uint32_t k = order[p];
        position.set(p, placed.get(k));
        object[p] = object_of[k];
        sorted_start_volume[p] = start_volume[k];
    }
};

// V_k <- V_k / sum_l V_l W_kl over the samples of the same moving object, or over all static ones;
// from V = 1 the first round gives S1 Eq. 4.5.
template <int D>
struct Rescale {
    NeighborView<D> neighbors;
    CubicSpline<D> kernel;
    const float* group;
    const float* volume;
    float* rescaled;
    float* deviation;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        const float own = group[k];
        const Lanes near(own - 0.5f), far(own + 0.5f), zero(0.0f);
        Lanes sum(0.0f);
        neighbors.for_each(k, neighbors.point.get(k),
                           [&](LaneIndex l, const Vec<D, Lanes>&, Lanes r2) {
                               const Lanes v = load_lanes(volume, l), g = load_lanes(group, l);
                               const Lanes w = v * kernel.w(r2);
#if defined(__CUDA_ARCH__)
                               sum += g > near && g < far ? w : zero;
#else
                               sum += select(near < g, select(g < far, w, zero), zero);
#endif
                           });
        const float delta = sum_lanes(sum);
        rescaled[k] = volume[k] / delta;
        deviation[k] = fabsf(delta - 1);
    }
};

struct GroupOf {
    const std::uint32_t* object;
    float* group;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        group[k] = object[k] == k_static_sample ? -1.0f : static_cast<float>(object[k]);
    }
};

struct At {
    const float* value;
    MILLRACE_HD float operator()(std::uint32_t i) const { return value[i]; }
};

struct Larger {
    MILLRACE_HD float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Unsort {
    const std::uint32_t* order;
    const float* sorted;
    float* volume;
    MILLRACE_HD void operator()(std::uint32_t p) const { volume[order[p]] = sorted[p]; }
};

struct Restart {
    const float* start_volume;
    float* volume;
    MILLRACE_HD void operator()(std::uint32_t k) const { volume[k] = start_volume[k]; }
};

/// Both rules of S1 4.1.2, one after the other.
template <int D>
struct UpdateVolumes {
    GridView<D> grid;
    CubicSpline<D> kernel;
    VectorView<D> position;
    const std::uint32_t* object;
    const std::uint32_t* order;
    const float* start_volume;
    bool moving;  ///< which samples get their volumes now
    std::uint8_t* counter;
    float* volume;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        if ((object[k] != k_static_sample) != moving)
            return;
        if (!moving) {
            std::uint8_t& count = counter[order[k]];
            if (count == 0)
                return;
            --count;
        }
        const Vec<D> x = position.get(k);
        const float radius2 = kernel.support() * kernel.support();
        float sum = 0;
        bool alone = true;
        grid.for_each_run(x, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t l = begin; l < end; ++l) {
                const float r2 = squared_norm(x - position.get(l));
                if (!(r2 < radius2))
                    continue;
                sum += start_volume[l] * kernel.w(r2);
                const bool foreign = object[l] != object[k];
                alone = alone && !foreign;
                // several samples may write the same value here
                if (moving && foreign && object[l] == k_static_sample)
                    counter[order[l]] = 2;
            }
        });
        volume[k] = alone ? start_volume[k] : start_volume[k] / sum;
    }
};

}  // namespace

template <int D>
BoundaryParticles<D>::BoundaryParticles(const Device& device,
                                        const std::vector<BoundaryObject<D>>& objects, float radius,
                                        std::size_t max_cells)
    : radius_(radius),
      max_cells_(max_cells),
      local_(device),
      placed_(device),
      object_of_(device),
      start_volume_(device),
      counter_(device),
      frames_(device),
      position_(device),
      volume_(device),
      sorted_start_volume_(device),
      object_(device),
      grid_(device),
      near_(device) {
    std::vector<Vec<D>> local, placed;
    std::vector<std::uint32_t> object_of;
    std::vector<Frame<D>> frames;
    for (const BoundaryObject<D>& object : objects)
        frames.push_back(object.frame);
    for (const bool moving : {false, true}) {
        if (moving)
            near_.start(placed, radius, max_cells);
        for (std::size_t o = 0; o < objects.size(); ++o) {
            if (objects[o].moves != moving)
                continue;
            for (const Vec<D>& x : objects[o].samples) {
                local.push_back(x);
                placed.push_back(frames[o].rotation * x + frames[o].position);
                object_of.push_back(moving ? static_cast<std::uint32_t>(o) : k_static_sample);
            }
            if (moving)
                moving_count_ += objects[o].samples.size();
        }
    }
    count_ = placed.size();
    local_.assign(local);
    placed_.assign(placed);
    object_of_.assign(object_of);
    frames_.assign(frames);
    start_volume_.assign(std::vector<float>(count_, 1.0f));
    counter_.assign(std::vector<std::uint8_t>(count_, 0));
    sort(device);
    find_start_volumes(device);
    if (anything_moves())
        update_volumes(device);
}

template <int D>
BoundaryParticles<D>::BoundaryParticles(const Device& device, const std::vector<Vec<D>>& samples,
                                        float radius, std::size_t max_cells)
    : BoundaryParticles(device, {BoundaryObject<D>{samples, {}, false}}, radius, max_cells) {}

template <int D>
void BoundaryParticles<D>::place(const Device& device, std::span<const Frame<D>> frames) {
    if (!anything_moves())
        return;
    frames_.assign(frames);
    for_each(device, count_,
             Place<D>{local_.view(), placed_.view(), object_of_.data(), frames_.data()});
    sort(device);
    update_volumes(device);
}

template <int D>
void BoundaryParticles<D>::sort(const Device& device) {
    grid_.build(device, placed_.view(), count_, radius_, max_cells_);
    position_.resize(count_);
    object_.resize(count_);
    volume_.resize(count_);
    sorted_start_volume_.resize(count_);
    if (anything_moves())
        near_.mark(device, placed_.view(), count_ - moving_count_, count_);
    for_each(device, count_,
             Sort<D>{grid_.order().data(), placed_.view(), object_of_.data(), start_volume_.data(),
                     position_.view(), object_.data(), sorted_start_volume_.data()});
}

template <int D>
void BoundaryParticles<D>::find_start_volumes(const Device& device) {
    NeighborList<D> neighbors(device);
    neighbors.build(device, grid_.view(), position_.view(), position_.view(), count_);
    volume_.assign(std::vector<float>(count_, 1.0f));
    Buffer<float> rescaled(device, count_), deviation(device, count_), group(device, count_);
    for_each(device, count_, GroupOf{object_.data(), group.data()});
    constexpr int k_max_rounds = 200;
    constexpr float k_tolerance = 1e-5f;
    for (int round = 0; round < k_max_rounds; ++round) {
        for_each(device, count_,
                 Rescale<D>{neighbors.view(), CubicSpline<D>(radius_), group.data(), volume_.data(),
                            rescaled.data(), deviation.data()});
        std::swap(volume_, rescaled);
        if (reduce(device, count_, 0.0f, At{deviation.data()}, Larger{}) < k_tolerance)
            break;
    }
    for_each(device, count_, Unsort{grid_.order().data(), volume_.data(), start_volume_.data()});
    std::vector<float> volumes = volume_.to_host();
    sorted_start_volume_.assign(volumes);
}

template <int D>
void BoundaryParticles<D>::update_volumes(const Device& device) {
    UpdateVolumes<D> pass{grid_.view(),   CubicSpline<D>(radius_), position_.view(),
                          object_.data(), grid_.order().data(),    sorted_start_volume_.data(),
                          true,           counter_.data(),         volume_.data()};
    for_each(device, count_, Restart{sorted_start_volume_.data(), volume_.data()});
    for_each(device, count_, pass);
    pass.moving = false;
    for_each(device, count_, pass);
}

template <int D>
std::size_t BoundaryParticles<D>::bytes() const {
    return local_.bytes() + placed_.bytes() + object_of_.bytes() + start_volume_.bytes() +
           counter_.bytes() + position_.bytes() + volume_.bytes() + sorted_start_volume_.bytes() +
           object_.bytes() + grid_.bytes() + near_.bytes();
}

template class BoundaryParticles<2>;
template class BoundaryParticles<3>;

}  // namespace millrace
