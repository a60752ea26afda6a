#include "spook/density_rows_build.hpp"
#include "spook/density_rows_sweep.hpp"
#include "spook/fluid_step.hpp"

namespace millrace {

template class DensityRows<FluidStep<2>>;
template class DensityRows<FluidStep<3>>;

}  // namespace millrace
