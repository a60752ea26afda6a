#pragma once

#include "exec/parallel.hpp"
#include "exec/read_back.hpp"
#include "world/read_particles.hpp"

// Probes look at the fluid by these views; for probe_values.cpp.
namespace millrace {

/// What passes read of the fluid of any world.
template <int D>
struct ProbedView {
    VectorView<D> position, velocity;
    const float *volume, *pressure, *rest_density;
};

template <int D>
struct ProbedFluid {
    Device device;
    std::size_t count;
    ProbedView<D> view;
};

/// Particles of the host, laid out as passes read them.
template <int D>
class ProbedHost {
  public:
    ProbedHost(const HostParticles& host, std::span<const float> rest_densities, int threads)
        : device_(Device::cpu(threads)),
          position_(vectors(host.positions)),
          velocity_(vectors(host.velocities)),
          volume_(device_),
          pressure_(device_),
          rest_density_(device_) {
        volume_.assign(std::vector<float>(host.ids.size(), host.volume));
        pressure_.assign(host.pressures);
        std::vector<float> densities;
        densities.reserve(host.fluids.size());
        for (const std::uint8_t fluid : host.fluids)
            densities.push_back(rest_densities[fluid]);
        rest_density_.assign(densities);
    }

    ProbedFluid<D> fluid() const {
        return {device_,
                volume_.size(),
                {position_.view(), velocity_.view(), volume_.data(), pressure_.data(),
                 rest_density_.data()}};
    }

  private:
    VectorBuffer<D> vectors(std::span<const float> flat) const {
        const std::size_t n = flat.size() / D;
        VectorBuffer<D> buffer(device_, n);
        const VectorView<D> view = buffer.view();
        for (std::size_t i = 0; i < n; ++i) {
            Vec<D> v;
            for (int k = 0; k < D; ++k)
                v[k] = flat[i * D + k];
            view.set(static_cast<std::uint32_t>(i), v);
        }
        return buffer;
    }

    Device device_;
    VectorBuffer<D> position_, velocity_;
    Buffer<float> volume_, pressure_, rest_density_;
};

namespace detail {

template <int D, class Choose>
struct MarkChosen {
    VectorView<D> position;
    Choose choose;
    std::uint32_t* mark;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        mark[i] = choose(position.get(i)) ? 1 : 0;
    }
};

template <int D>
struct GatherChosen {
    VectorView<D> position;
    const std::uint32_t* place;  ///< how many are chosen before i
    Vec<D>* to;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        if (place[i + 1] != place[i])
            to[place[i]] = position.get(i);
    }
};

}  // namespace detail

/// The positions for which `choose` holds, in the order of the particles, on the host.
template <int D, class Choose>
std::vector<Vec<D>> chosen_positions(const ProbedFluid<D>& fluid, const Choose& choose) {
    if (fluid.count == 0)
        return {};
    Buffer<std::uint32_t> mark(fluid.device, fluid.count), place(fluid.device);
    for_each(fluid.device, fluid.count,
             detail::MarkChosen<D, Choose>{fluid.view.position, choose, mark.data()});
    exclusive_scan(fluid.device, mark, fluid.count, place);
    std::uint32_t chosen = 0;
    fluid.device.download(&chosen, place.data() + fluid.count, sizeof chosen);
    Buffer<Vec<D>> positions(fluid.device, chosen);
    for_each(fluid.device, fluid.count,
             detail::GatherChosen<D>{fluid.view.position, place.data(), positions.data()});
    return positions.to_host();
}

}  // namespace millrace
