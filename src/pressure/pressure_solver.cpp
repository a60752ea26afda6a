#include "pressure/pressure_solver.hpp"

#include "millrace/error.hpp"
#include "pressure/dfsph.hpp"
#include "pressure/iisph.hpp"
#include "pressure/pcisph.hpp"
#include "pressure/wcsph.hpp"

namespace millrace {

const std::vector<std::string>& pressure_methods() {
    static const std::vector<std::string> names{"wcsph", "pcisph", "iisph", "dfsph"};
    return names;
}

template <int D>
std::unique_ptr<PressureSolver<D>> make_pressure_solver(const std::string& method,
                                                        const Device& device,
                                                        const PressureSettings& settings) {
    if (method == "wcsph")
        return std::make_unique<Wcsph<D>>(device, settings);
    if (method == "pcisph")
        return std::make_unique<Pcisph<D>>(device, settings);
    if (method == "iisph")
        return std::make_unique<Iisph<D>>(device, settings);
    if (method == "dfsph")
        return std::make_unique<Dfsph<D>>(device, settings);
    throw InputError("pressure.method: unknown method '" + method + "'");
}

template std::unique_ptr<PressureSolver<2>> make_pressure_solver(const std::string&, const Device&,
                                                                 const PressureSettings&);
template std::unique_ptr<PressureSolver<3>> make_pressure_solver(const std::string&, const Device&,
                                                                 const PressureSettings&);

}  // namespace millrace
