#include "exec/host_threads.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace millrace {

#ifdef _OPENMP

int host_threads() {
    return omp_get_max_threads();
}

void set_host_threads(int threads) {
    omp_set_num_threads(threads);
}

#else

int host_threads() {
    return 1;
}

void set_host_threads(int) {}

#endif

}  // namespace millrace
