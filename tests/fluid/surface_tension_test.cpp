// Both models of surface tension: against sums over all pairs, against the physics of drops.
#include <gtest/gtest.h>

#include "fluid/akinci2013_cohesion.hpp"
#include "fluid/surface_normals.hpp"
#include "support/dimensions.hpp"
#include "support/drop.hpp"

namespace millrace {
namespace {

template <class T>
class SurfaceTensionTest : public testing::Test {};
TYPED_TEST_SUITE(SurfaceTensionTest, Dimensions);

template <int D>
Scene two_jittered_blocks() {
    Scene scene = two_blocks<D>(5, 800);
    for (Fluid& fluid : scene.fluids)
        fluid.fill[0].jitter = 0.1;
    return scene;
}

template <int D>
std::vector<Vec<D>> normals_of(const World<D>& world) {
    VectorBuffer<D> normals(world.device(), world.fluid().count);
    compute_surface_normals(world.device(), world.view(), normals.view());
    return normals.to_host();
}

enum class Model { color_field, cohesion };

template <int D>
std::vector<Vec<D>> accelerations(const World<D>& world, Model model, const Tension& tension) {
    const std::size_t n = world.fluid().count;
    VectorBuffer<D> normals(world.device(), n), curvature(world.device(), n),
        acceleration(world.device(), n);
    acceleration.zero();
    compute_surface_normals(world.device(), world.view(), normals.view());
    if (model == Model::cohesion)
        add_akinci2013_cohesion(world.device(), world.view(), tension, normals.view(),
                                acceleration.view());
    else
        add_color_field_tension(world.device(), world.view(), tension, normals.view(),
                                curvature.view(), acceleration.view());
    return acceleration.to_host();
}

TYPED_TEST(SurfaceTensionTest, NormalsAreTheGradientOfTheColorField) {
    constexpr int D = TypeParam::value;
    const World<D> world(two_jittered_blocks<D>(), Device::cpu(2));
    const Particles<D> p = particles(world);
    const FluidView<D> view = world.view();
    const std::vector<Vec<D>> normals = normals_of(world);
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        Vec<D, double> n = Vec<D, double>::all(0);
        for (std::size_t j = 0; j < p.x.size(); ++j)
            if (p.fluid[i] == p.fluid[j]) {
                const Vec<D, double> x = p.x[i] - p.x[j];
                n += x * (view.volume[j] / view.density[j] *
                          view.kernel.gradient_factor(squared_norm(x)));
            }
        ASSERT_LT(norm(n - Vec<D, double>::from(normals[i])), 1e-4);  // per metre, of about 5
    }
}

TYPED_TEST(SurfaceTensionTest, WallsAreNoSurface) {
    constexpr int D = TypeParam::value;
    Scene scene = full_tank<D>(8);
    scene.fluids[0].fill[0].jitter = 0;
    const World<D> world(scene, Device::cpu(2));
    const std::vector<Vec<D>> normals = normals_of(world);
    const std::vector<Vec<D>> x = world.fluid().position.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double size = norm(normals[i]) * 0.1;  // 0.5 at the surface of a lattice
        EXPECT_TRUE(x[i][1] < 0.6f ? size < 0.2 : x[i][1] < 0.7f || size > 0.3) << size;
    }
}

TYPED_TEST(SurfaceTensionTest, CohesionIsTheSumOverPairsAndConservesMomentum) {
    constexpr int D = TypeParam::value;
    const World<D> world(two_jittered_blocks<D>(), Device::cpu(2));
    const Particles<D> p = particles(world);
    const FluidView<D> view = world.view();
    const Tension tension{{40, 70}};
    const std::vector<Vec<D>> a = accelerations(world, Model::cohesion, tension);
    const std::vector<Vec<D>> n = normals_of(world);
    const double support = 0.2;
    const auto c = [](double q) {
        const double hump = 64 * std::pow(q * (1 - q), 3);
        return q > 1 ? 0 : q > 0.5 ? hump : 2 * hump - 1;
    };
    double integral = 0;
    for (int k = 0; k < 100000; ++k)
        integral += std::pow((k + 0.5) / 100000, D + 1) * c((k + 0.5) / 100000) / 100000;
    const double k_c = 1 / ((D == 2 ? 1.0 / 3 : std::numbers::pi / 8) * integral);
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        Vec<D, double> sum = Vec<D, double>::all(0);
        for (std::size_t j = 0; j < p.x.size(); ++j) {
            if (p.fluid[i] != p.fluid[j] || i == j)
                continue;
            const Vec<D, double> x = p.x[i] - p.x[j];
            const double weight = view.volume[j] * 2 / (view.density[i] + view.density[j]);
            sum += x * (weight * 0.3 * k_c * c(norm(x) / support) / norm(x));
            sum += Vec<D, double>::from(n[i] - n[j]) *
                   (weight * 13 * std::pow(support, D + 1) * view.kernel.w(squared_norm(x)));
        }
        const double rest = view.rest_density[i];
        sum *= -double(tension.sigma[p.fluid[i]]) / (rest * std::pow(support, D + 2));
        largest = std::max(largest, norm(sum));
        error = std::max(error, norm(sum - Vec<D, double>::from(a[i])));
    }
    EXPECT_LT(error / largest, 1e-4);
    EXPECT_LT(total<D>(p.mass, a).relative(), 1e-6);
}

TYPED_TEST(SurfaceTensionTest, ColorFieldIsTheSmoothedTraction) {
    constexpr int D = TypeParam::value;
    const World<D> world(two_jittered_blocks<D>(), Device::cpu(2));
    const Particles<D> p = particles(world);
    const FluidView<D> view = world.view();
    const Tension tension{{40, 70}};
    const std::vector<Vec<D>> a = accelerations(world, Model::color_field, tension);
    const std::vector<Vec<D>> n = normals_of(world);
    const double h = 0.1, least = 0.2 / h, most = (D - 1) / (2 * h);
    const std::size_t count = p.x.size();
    std::vector<Vec<D, double>> traction(count, Vec<D, double>::all(0));
    int curved = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec<D, double> n_i = Vec<D, double>::from(n[i]);
        double divergence = 0, ways = 0;
        for (std::size_t j = 0; j < count; ++j) {
            const Vec<D, double> x = p.x[j] - p.x[i], n_j = Vec<D, double>::from(n[j]);
            if (p.fluid[i] != p.fluid[j] || norm(n_j) < least)
                continue;
            const double f = view.volume[j] * view.kernel.gradient_factor(squared_norm(x));
            divergence -= f * dot(n_j / norm(n_j) - n_i / norm(n_i), x);
            ways -= f * squared_norm(x);
        }
        if (norm(n_i) < least || !(ways > 0))
            continue;
        const double kappa = std::min(std::max(-D * divergence / ways, -most), most);
        traction[i] = n_i * kappa;
        curved += kappa > 0.1 * most;
    }
    EXPECT_GT(curved, static_cast<int>(count) / 10);  // edges and corners
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Vec<D, double> sum = Vec<D, double>::all(0);
        for (std::size_t j = 0; j < count; ++j)
            if (p.fluid[i] == p.fluid[j])
                sum += traction[j] * (view.volume[j] / view.density[j] *
                                      view.kernel.w(squared_norm(p.x[i] - p.x[j])));
        sum *= tension.sigma[p.fluid[i]] / double(view.rest_density[i]);
        largest = std::max(largest, norm(sum));
        error = std::max(error, norm(sum - Vec<D, double>::from(a[i])));
    }
    EXPECT_LT(error / largest, 1e-4);
}

/// Second and fourth moments of a drop about its centre.
struct Shape {
    double stretch;     ///< (<y^2> - <x^2>) / (<y^2> + <x^2>)
    double squareness;  ///< <x^4 + y^4> / (2 <x^2 y^2>): 9/5 for a square, 3 for a disc or a ball
    double farthest;    ///< the farthest particle, over the radius of a ball of the same volume
};

template <int D>
Shape shape_of(const World<D>& world) {
    const Particles<D> p = particles(world);
    Vec<D, double> centre = Vec<D, double>::all(0);
    double mass = 0;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        centre += p.x[i] * p.mass[i];
        mass += p.mass[i];
    }
    centre = centre / mass;
    double x2 = 0, y2 = 0, x2y2 = 0, x4 = 0, far = 0;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        const Vec<D, double> d = p.x[i] - centre;
        x2 += p.mass[i] * d[0] * d[0];
        y2 += p.mass[i] * d[1] * d[1];
        x2y2 += p.mass[i] * d[0] * d[0] * d[1] * d[1];
        x4 += p.mass[i] * (std::pow(d[0], 4) + std::pow(d[1], 4)) / 2;
        far = std::max(far, norm(d));
    }
    const double volume = mass / 1000, pi = std::numbers::pi;
    const double radius = D == 2 ? std::sqrt(volume / pi) : std::cbrt(volume * 3 / (4 * pi));
    return {(y2 - x2) / (y2 + x2), x4 / x2y2, far / radius};
}

// sigma = 1000 N/m, a block of about 1 m: it rounds off within half a second and swings.
TYPED_TEST(SurfaceTensionTest, ABlockBecomesABall) {
    constexpr int D = TypeParam::value;
    for (const char* method : {"color_field", "cohesion"}) {
        Scene scene = free_block<D>(D == 3 ? 9 : 14);
        scene.support = D == 3 ? 2 : 2.5;
        scene.fluids[0].surface_tension = {method, 1000};
        scene.fluids[0].viscosity = {"standard", 0.1};
        World<D> world(scene, Device::cpu(2));
        EXPECT_LT(shape_of(world).squareness, 1.9);
        while (world.time() < 1)
            world.step(1);
        Shape mean{0, 0, 0};  // over the second second: it goes on swinging
        while (world.time() < 2) {
            const double dt = world.step(2).dt;
            const Shape shape = shape_of(world);
            mean.stretch += dt * shape.stretch;
            mean.squareness += dt * shape.squareness;
            mean.farthest += dt * shape.farthest;
        }
        EXPECT_NEAR(mean.squareness, 3, 0.35) << method;
        EXPECT_NEAR(mean.stretch, 0, 0.05) << method;
        EXPECT_LT(mean.farthest, 1.06) << method;
    }
}

// Rayleigh: a drop that is stretched swings with omega^2 = 6 sigma / (rho R^3) in 2D and
// 8 sigma / (rho R^3) in 3D; half a period after it passed through the round shape it does so
// again.
TYPED_TEST(SurfaceTensionTest, DropsSwingAtTheRateOfRayleigh) {
    constexpr int D = TypeParam::value;
    for (const char* method : {"color_field", "cohesion"}) {
        const double h = D == 3 ? 1.0 / 7 : 0.1;
        Scene scene = free_block<D>(D == 3 ? 20 : 26, h);
        scene.support = D == 3 ? 2 : 2.5;
        scene.fluids[0].viscosity = {"standard", 0.02};
        const double omega = 3, sigma = 1000 * omega * omega / (D == 2 ? 6 : 8);
        scene.fluids[0].surface_tension = {method, sigma};
        const Vec<D, double> centre = Vec<D, double>::all(1 + 3 * h);
        World<D> world = round_drop<D>(scene, 1, centre);
        while (world.time() < 0.4)  // the steps of the cut go
            world.step(0.4);
        set_velocities(world, [&](const Vec<D, double>& x) {
            Vec<D, double> v = (x - centre) * (-0.4 / (D - 1));
            v[1] = 0.4 * (x[1] - centre[1]);
            return v;
        });
        double crossed = 0;
        while (crossed == 0 && world.time() < 3) {
            world.step(3);
            if (world.time() > 0.6 && shape_of(world).stretch < 0)
                crossed = world.time() - 0.4;
        }
        const double ratio = std::pow(std::numbers::pi / omega / crossed, 2);  // of the tensions
        EXPECT_GT(ratio, 0.75) << method;
        EXPECT_LT(ratio, 1.25) << method;
    }
}

TYPED_TEST(SurfaceTensionTest, ShortensTheStep) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(6);
    scene.fluids[0].surface_tension = {"cohesion", 5000};
    const double limit = longest_capillary_step(5000, 1000, scene.spacing);
    ASSERT_LT(limit, scene.time_step.max);
    // the acceleration at the corners may shorten it further
    const double dt = World<D>(scene, Device::cpu(1)).step(1e9).dt;
    EXPECT_LE(dt, limit);
    EXPECT_GT(dt, 0.5 * limit);
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 0.004;
    EXPECT_EQ(World<D>(scene, Device::cpu(1)).step(1e9).dt, 0.004);
}

}  // namespace
}  // namespace millrace
