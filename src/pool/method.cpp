#include "pool/method.hpp"

#include "pool/spook.hpp"

namespace millrace {

std::string problem_of_method(const PoolMethod& m) {
    if (m.name != "spook")
        return "method.name: must be spook, got '" + m.name + "'";
    if (m.kernels != "" && m.kernels != "spiky" && m.kernels != "poly6" && m.kernels != "poly6h")
        return "method.kernels: of spook must be spiky, poly6 or poly6h, got '" + m.kernels + "'";
    return "";
}

float smoothing_length(float self_contribution, double constant, float volume) {
    return static_cast<float>(std::sqrt(constant * volume / self_contribution));
}

std::unique_ptr<PoolSolver> make_pool_solver(const PoolMethod& settings, float spacing) {
    return std::make_unique<Spook>(settings, spacing);
}

}  // namespace millrace
