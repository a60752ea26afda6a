# Builds the core in a project that may find no package, not even OpenMP, and a library of it that
# may lack nothing. Run as cmake -D SOURCE=... -D GENERATOR=... -D COMPILER=... -D WORK=... -P
# core_alone.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
        ERROR_VARIABLE output)
    if(status)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/project/nothing.cpp "")
file(WRITE ${WORK}/project/CMakeLists.txt "
    cmake_minimum_required(VERSION 3.25)
    project(core_alone LANGUAGES C CXX)
    function(find_package name)
        message(FATAL_ERROR \"the core asks for the package \${name}\")
    endfunction()
    add_subdirectory(${SOURCE} millrace)
    add_library(core_alone MODULE nothing.cpp)
    target_link_libraries(core_alone PRIVATE \$<LINK_LIBRARY:WHOLE_ARCHIVE,millrace_core>)
    target_link_options(core_alone PRIVATE -Wl,--no-undefined)
")
run(${CMAKE_COMMAND} -S ${WORK}/project -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0
    -D CMAKE_CXX_FLAGS=-Werror -D MILLRACE_CORE_ONLY=ON -D MILLRACE_OPENMP=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
