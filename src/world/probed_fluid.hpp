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

constexpr std::uint32_t k_chosen_block = 32;  ///< particles of one call of the passes below

template <int D, class Choose>
struct CountChosen {
    VectorView<D> position;
    Choose choose;
    std::uint32_t count;  ///< of all particles
    std::uint32_t* chosen;
    MILLRACE_HD void operator()(std::uint32_t block) const {
        const std::uint32_t begin = block * k_chosen_block;
        const std::uint32_t end = count - begin < k_chosen_block ? count : begin + k_chosen_block;
        std::uint32_t sum = 0;
        for (std::uint32_t i = begin; i < end; ++i)
            sum += choose(position.get(i)) ? 1 : 0;
        chosen[block] = sum;
    }
};

template <int D, class Choose>
struct GatherChosen {
    VectorView<D> position;
    Choose choose;
    const std::uint32_t* place;  ///< how many are chosen in the blocks before
    Vec<D>* to;
    MILLRACE_HD void operator()(std::uint32_t block) const {
        std::uint32_t next = place[block];
        for (std::uint32_t i = block * k_chosen_block; next < place[block + 1]; ++i)
            if (const Vec<D> x = position.get(i); choose(x))
                to[next++] = x;
    }
};

}  // namespace detail

/// The positions for which `choose` holds, in the order of the particles, on the host.
template <int D, class Choose>
std::vector<Vec<D>> chosen_positions(const ProbedFluid<D>& fluid, const Choose& choose) {
    if (fluid.count == 0)
        return {};
    const Device& device = fluid.device;
    const VectorView<D> all = fluid.view.position;
    const auto count = static_cast<std::uint32_t>(fluid.count);
    const std::size_t blocks = (count - 1) / detail::k_chosen_block + 1;
    Buffer<std::uint32_t> chosen(device, blocks), place(device);
    for_each(device, blocks, detail::CountChosen<D, Choose>{all, choose, count, chosen.data()});
    exclusive_scan(device, chosen, blocks, place);
    std::uint32_t total = 0;
    device.download(&total, place.data() + blocks, sizeof total);
    Buffer<Vec<D>> positions(device, total);
    for_each(device, blocks,
             detail::GatherChosen<D, Choose>{all, choose, place.data(), positions.data()});
    return positions.to_host();
}

}  // namespace millrace
