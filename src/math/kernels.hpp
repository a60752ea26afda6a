#pragma once

// Every smoothing kernel; docs/methods/kernels.md has them in one table.
#include "math/kernels/clavet.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/kernels/foam.hpp"
#include "math/kernels/poly6.hpp"
#include "math/kernels/spiky.hpp"
#include "math/kernels/viscosity.hpp"
