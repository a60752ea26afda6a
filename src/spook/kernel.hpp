#pragma once

#include <numbers>
#include <string>

namespace millrace {

/// The kernels of density rows: W = constant / h^D shape(q), with q = r / h and the integral 1.
///     spiky   (1 - q)^3
///     poly6   (1 - q^2)^3, as S2 has it
///     poly6h  poly6, with the gradient of which W'/q stands for W', as S0 has it
enum class SpookKernel { spiky, poly6, poly6h };

template <int D>
constexpr double spook_constant(SpookKernel kernel) {
    if (D == 2)
        return (kernel == SpookKernel::spiky ? 10 : 4) / std::numbers::pi;
    return (kernel == SpookKernel::spiky ? 15.0 : 315.0 / 64) / std::numbers::pi;
}

constexpr double spook_shape(SpookKernel kernel, double q) {
    if (q >= 1)
        return 0;
    const double s = kernel == SpookKernel::spiky ? 1 - q : 1 - q * q;
    return s * s * s;
}

}  // namespace millrace
