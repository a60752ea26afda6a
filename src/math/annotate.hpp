#pragma once

// Marks a function that runs on the host and, when nvcc compiles it, on the device.
#if defined(__CUDACC__)
#define MILLRACE_HD __host__ __device__
#else
#define MILLRACE_HD
#endif
