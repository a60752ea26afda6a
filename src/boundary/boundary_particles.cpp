#include "boundary/boundary_particles.hpp"

#include "exec/parallel.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "particles/fluid_particles.hpp"

namespace millrace {

namespace {

// V_k <- V_k / sum_l V_l W_kl; from V = 1 the first round gives S1 Eq. 4.5.
template <int D>
struct Rescale {
    NeighborView<D> neighbors;
    CubicSpline<D> kernel;
    const float* volume;
    float* rescaled;
    float* deviation;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        Lanes sum(0.0f);
        neighbors.for_each(k, neighbors.point.get(k),
                           [&](LaneIndex l, const Vec<D, Lanes>&, Lanes r2) {
                               sum += load_lanes(volume, l) * kernel.w(r2);
                           });
        const float delta = sum_lanes(sum);
        rescaled[k] = volume[k] / delta;
        deviation[k] = fabsf(delta - 1);
    }
};

struct At {
    const float* value;
    MILLRACE_HD float operator()(std::uint32_t i) const { return value[i]; }
};

struct Larger {
    MILLRACE_HD float operator()(float a, float b) const { return fmaxf(a, b); }
};

}  // namespace

template <int D>
BoundaryParticles<D>::BoundaryParticles(const Device& device, const std::vector<Vec<D>>& samples,
                                        float radius, std::size_t max_cells)
    : count_(samples.size()),
      position_(device),
      volume_(device),
      grid_(device),
      near_(device, samples, radius, max_cells) {
    position_.assign(samples);
    grid_.build(device, position_.view(), count_, radius, max_cells);
    VectorBuffer<D> swap(device);
    gather(device, grid_.order(), count_, position_, swap);

    NeighborList<D> neighbors(device);
    neighbors.build(device, grid_.view(), position_.view(), position_.view(), count_);
    volume_.assign(std::vector<float>(count_, 1.0f));
    Buffer<float> rescaled(device, count_), deviation(device, count_);
    constexpr int k_max_rounds = 200;
    constexpr float k_tolerance = 1e-5f;
    for (int round = 0; round < k_max_rounds; ++round) {
        for_each(device, count_,
                 Rescale<D>{neighbors.view(), CubicSpline<D>(radius), volume_.data(),
                            rescaled.data(), deviation.data()});
        std::swap(volume_, rescaled);
        if (reduce(device, count_, 0.0f, At{deviation.data()}, Larger{}) < k_tolerance)
            break;
    }
}

template class BoundaryParticles<2>;
template class BoundaryParticles<3>;

}  // namespace millrace
