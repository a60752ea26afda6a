#include "pool/method.hpp"

#include "pool/clavet.hpp"
#include "pool/mueller.hpp"
#include "pool/spook.hpp"

namespace millrace {

float smoothing_length(float self_contribution, double constant, float volume) {
    return static_cast<float>(std::sqrt(constant * volume / self_contribution));
}

std::unique_ptr<PoolSolver> make_pool_solver(const PoolMethod& settings, float spacing) {
    if (settings.name == "mueller")
        return std::make_unique<Mueller>(settings, spacing);
    if (settings.name == "clavet")
        return std::make_unique<ClavetMethod>(settings, spacing);
    if (settings.name == "spook")
        return std::make_unique<Spook>(settings, spacing);
    return nullptr;
}

}  // namespace millrace
