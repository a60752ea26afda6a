#include "pool/method.hpp"

#include "pool/sph_solver.hpp"
#include "pool/spook.hpp"

namespace millrace {

std::string problem_of_method(const PoolMethod& m) {
    if (m.name == "iisph" || m.name == "dfsph")
        return m.kernels.empty() ? "" : "method.kernels: " + m.name + " has the cubic spline only";
    if (m.name != "spook")
        return "method.name: must be spook, iisph or dfsph, got '" + m.name + "'";
    if (m.kernels != "" && m.kernels != "spiky" && m.kernels != "poly6" && m.kernels != "poly6h")
        return "method.kernels: of spook must be spiky, poly6 or poly6h, got '" + m.kernels + "'";
    return "";
}

float smoothing_length(float self_contribution, double constant, float volume) {
    return static_cast<float>(std::sqrt(constant * volume / self_contribution));
}

std::unique_ptr<PoolSolver> make_pool_solver(const PoolMethod& settings, float spacing) {
    if (settings.name == "iisph" || settings.name == "dfsph")
        return std::make_unique<SphSolver>(settings, spacing);
    return std::make_unique<Spook>(settings, spacing);
}

}  // namespace millrace
