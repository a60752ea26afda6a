#include "pool/method.hpp"

#include <algorithm>

#include "pool/clavet.hpp"
#include "pool/mueller.hpp"
#include "pool/sph_solver.hpp"
#include "pool/spook.hpp"

namespace millrace {

namespace {

template <class Solver>
std::unique_ptr<PoolSolver> make(const PoolMethod& settings, float spacing) {
    return std::make_unique<Solver>(settings, spacing);
}

struct Method {
    std::string_view name;
    std::unique_ptr<PoolSolver> (*make)(const PoolMethod&, float);
    std::vector<std::string_view> kernels;
};

const std::vector<Method>& methods() {
    static const std::vector<Method> all{
        {"mueller", make<Mueller>, {}},
        {"clavet", make<ClavetMethod>, {"original", "hybrid", "squared"}},
        {"spook", make<Spook>, {"spiky", "poly6", "poly6h"}},
        {"iisph", make<SphSolver>, {}},
        {"dfsph", make<SphSolver>, {}},
    };
    return all;
}

const Method* find(std::string_view name) {
    for (const Method& method : methods())
        if (method.name == name)
            return &method;
    return nullptr;
}

/// a, b or c
std::string list(const std::vector<std::string_view>& names) {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k) {
        text += k == 0 ? "" : k + 1 == names.size() ? " or " : ", ";
        text += names[k];
    }
    return text;
}

}  // namespace

std::string problem_of_method(const PoolMethod& m) {
    const Method* method = find(m.name);
    if (!method) {
        std::vector<std::string_view> names;
        for (const Method& each : methods())
            names.push_back(each.name);
        return "method.name: must be " + list(names) + ", got '" + m.name + "'";
    }
    const std::vector<std::string_view>& kernels = method->kernels;
    if (m.kernels.empty() || std::find(kernels.begin(), kernels.end(), m.kernels) != kernels.end())
        return "";
    return "method.kernels: of " + m.name + " must be " +
           (kernels.empty() ? "empty" : list(kernels)) + ", got '" + m.kernels + "'";
}

float smoothing_length(float self_contribution, double constant, float volume) {
    return static_cast<float>(std::sqrt(constant * volume / self_contribution));
}

std::unique_ptr<PoolSolver> make_pool_solver(const PoolMethod& settings, float spacing) {
    const Method* method = find(settings.name);
    return method ? method->make(settings, spacing) : nullptr;
}

}  // namespace millrace
