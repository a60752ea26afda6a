# Sets MILLRACE_X86_LEVEL to the highest level that the CPU of this machine has and that we use: 3
# where it has AVX2 and what goes with it, 2 elsewhere (some CPUs sold until 2020 have no AVX).
if(NOT DEFINED MILLRACE_CPU_HAS_LEVEL_3)
    set(source ${PROJECT_BINARY_DIR}/CMakeFiles/x86_level.cpp)
    file(WRITE ${source} [[
int main() {
    const bool all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    return all ? 0 : 1;
}
]])
    try_run(ran compiled ${PROJECT_BINARY_DIR} ${source})
    set(has_level_3 OFF)
    if(CMAKE_CROSSCOMPILING OR (compiled AND ran EQUAL 0))
        set(has_level_3 ON)
    endif()
    set(MILLRACE_CPU_HAS_LEVEL_3 ${has_level_3} CACHE INTERNAL "AVX2, BMI and FMA on this CPU")
endif()
if(MILLRACE_CPU_HAS_LEVEL_3)
    set(MILLRACE_X86_LEVEL 3)
else()
    set(MILLRACE_X86_LEVEL 2)
endif()
message(STATUS "building for x86-64-v${MILLRACE_X86_LEVEL}")
