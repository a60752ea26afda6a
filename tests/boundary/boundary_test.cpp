#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "boundary/boundary_particles.hpp"
#include "boundary/standoff.hpp"
#include "geometry/box_samples.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "support/dimensions.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

template <class T>
class BoundaryTest : public testing::Test {};
TYPED_TEST_SUITE(BoundaryTest, Dimensions);

template <int D>
PlacedBox<D> box(const std::vector<std::string>& open = {}) {
    return Placement<D>({1, 1, 1}, {}, {}).box({{0, 0, 0}, {1, 0.73, 0.61}}, open);
}

TYPED_TEST(BoundaryTest, SamplesCoverTheClosedFacesOnce) {
    constexpr int D = TypeParam::value;
    const double spacing = 0.1, depth = 0.06;
    for (const bool inside : {true, false}) {
        const PlacedBox<D> tank = box<D>({"+y"});
        const std::vector<Vec<D>> samples = box_samples<D>(tank, inside, spacing, depth);
        EXPECT_LE(samples.size(), count_box_samples<D>(tank, inside, spacing, depth));
        const double out = inside ? depth : -depth;
        double nearest = 1e9;
        for (std::size_t a = 0; a < samples.size(); ++a) {
            // every sample lies on a closed face of the box that is larger by the depth
            double to_face = 1e9;
            for (int k = 0; k < D; ++k) {
                to_face = std::min(to_face, std::abs(samples[a][k] - (0 - out)));
                if (k != 1)
                    to_face = std::min(to_face, std::abs(samples[a][k] - (tank.high[k] + out)));
            }
            EXPECT_LT(to_face, 1e-6);
            for (std::size_t b = a + 1; b < samples.size(); ++b)
                nearest = std::min(nearest, double(norm(samples[a] - samples[b])));
        }
        EXPECT_GT(nearest, 0.8 * spacing);  // no sample twice
        // a point of the floor is never farther from a sample than the diagonal of half a cell
        for (double x = 0; x <= 1; x += 0.037) {
            Vec<D> floor = Vec<D>::all(static_cast<float>(0.3));
            floor[0] = static_cast<float>(x);
            floor[1] = static_cast<float>(-out);
            double distance = 1e9;
            for (const Vec<D>& s : samples)
                distance = std::min(distance, double(norm(s - floor)));
            EXPECT_LE(distance, spacing * std::sqrt(D - 1.0) / 2 * 1.05 + (inside ? 0 : depth));
        }
    }
}

// S1 Eq. 4.3 without the approximation: sum_l V_l W_kl = 1 at every sample.
TYPED_TEST(BoundaryTest, EffectiveVolumesGiveRestDensityAtEverySample) {
    constexpr int D = TypeParam::value;
    const float radius = 0.2f;
    const std::vector<Vec<D>> samples = box_samples<D>(box<D>(), true, 0.1, 0.06);
    const BoundaryParticles<D> walls(Device::cpu(2), samples, radius, 100'000);
    const CubicSpline<D> kernel(radius);
    const std::vector<Vec<D>> x = walls.host_positions();
    const std::vector<float> volume = walls.host_volumes();
    ASSERT_EQ(x.size(), samples.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        double sum = 0;
        for (std::size_t l = 0; l < x.size(); ++l)
            sum += double(volume[l]) * kernel.w(double(squared_norm(x[k] - x[l])));
        EXPECT_NEAR(sum, 1, 1e-4);
    }
}

// At the stand-off a lattice over a plane of samples has the density of the whole lattice, averaged
// over sideways shifts; summed here in another way.
TYPED_TEST(BoundaryTest, StandoffGivesRestDensityAbovePlane) {
    constexpr int D = TypeParam::value;
    for (const double support : {2.0, 2.5}) {
        const double standoff = wall_standoff<D>(support);
        EXPECT_GT(standoff, 0.7);
        EXPECT_LT(standoff, 1.5);
        const CubicSpline<D> kernel(static_cast<float>(support));
        const auto sum_over_layer = [&](double y, double shift) {
            double sum = 0;
            for (int a = -5; a <= 5; ++a)
                for (int b = D == 3 ? -5 : 0; b <= (D == 3 ? 5 : 0); ++b) {
                    const double z = D == 3 ? b + std::fmod(29.7 * shift, 1.0) : 0;
                    sum += kernel.w(y * y + (a + shift) * (a + shift) + z * z);
                }
            return sum;
        };
        double whole = 0, half = 0, wall = 0;
        for (int layer = -5; layer <= 5; ++layer) {
            whole += sum_over_layer(layer, 0);
            half += layer >= 0 ? sum_over_layer(layer, 0) : 0;
        }
        const int shifts = 400;
        for (int s = 0; s < shifts; ++s)
            wall += sum_over_layer(standoff, std::fmod((s + 0.5) * 0.618033988, 1.0)) / shifts;
        wall /= sum_over_layer(0, 0);
        EXPECT_NEAR(half + wall, whole, 2e-3);
    }
}

}  // namespace
}  // namespace millrace
