#pragma once

#ifdef MILLRACE_CUDA

#include <cuda_runtime.h>

#include <string>

#include "millrace/error.hpp"

namespace millrace {

/// Turns a failed CUDA call into a RunError.
inline void cuda_check(cudaError_t status) {
    if (status != cudaSuccess)
        throw RunError(std::string("CUDA: ") + cudaGetErrorString(status));
}

}  // namespace millrace

#endif
