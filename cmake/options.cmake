# Compiler options shared by every target of the project.
if(MILLRACE_OPENMP)
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    set(millrace_openmp OpenMP::OpenMP_CXX)
endif()

# Nothing is fused that is written apart: one set of bits on every processor, by every compiler.
set(host_flags -Wall -Wextra -fno-math-errno -ffp-contract=off)
if(MILLRACE_NATIVE)
    list(REMOVE_ITEM host_flags -ffp-contract=off)
    list(APPEND host_flags -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    if(NOT MILLRACE_X86_LEVEL)
        include(${CMAKE_CURRENT_LIST_DIR}/x86_level.cmake)
    endif()
    list(APPEND host_flags -march=x86-64-v${MILLRACE_X86_LEVEL})
    if(MILLRACE_X86_LEVEL LESS 3)
        list(APPEND host_flags -Wno-psabi)  # of packs that only inline functions pass on
    endif()
endif()
if(NOT MILLRACE_OPENMP)
    list(APPEND host_flags -Wno-unknown-pragmas)  # which serial code leaves alone
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    list(APPEND host_flags -O3)  # in a project that has not chosen: without, 100 times slower
endif()
if(MILLRACE_SANITIZE)
    list(APPEND host_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined
        -fno-omit-frame-pointer -g1
        # what computes is optimised a little; files and words compile twice as fast without
        $<IF:$<BOOL:$<TARGET_PROPERTY:MILLRACE_NOT_HOT>>,-O0,-O1>)
endif()

add_library(millrace_options INTERFACE)
list(JOIN host_flags "," host_flags_for_nvcc)
if(MILLRACE_OPENMP)
    string(APPEND host_flags_for_nvcc ",${OpenMP_CXX_FLAGS}")
endif()
target_compile_options(millrace_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${host_flags}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_flags_for_nvcc};--expt-relaxed-constexpr>")

# The given sources go through nvcc when the GPU side is on.
function(millrace_passes)
    if(MILLRACE_CUDA)
        set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    endif()
endfunction()
