# Installs a build into a fresh prefix, builds the examples against it and checks what they
# print. Run as cmake -D SOURCE=... -D BUILD=... -D CONFIG=... -D GENERATOR=... -D COMPILER=...
# -D WORK=... -D BOX2D=... -P installed.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
        ERROR_VARIABLE output)
    set(output "${output}" PARENT_SCOPE)
    if(status)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
    endif()
endfunction()

function(check)
    if(NOT (${ARGN}))
        list(JOIN ARGN " " condition)
        message(FATAL_ERROR "not true: ${condition}\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(prefix "${WORK}/a prefix")
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${prefix})
run(${prefix}/bin/millrace --version)
check(EXISTS ${prefix}/share/millrace/scenes/dam_break.json)

# The package may go to another machine: it names no file of this one.
file(GLOB_RECURSE package_files ${prefix}/*/cmake/millrace/*.cmake)
list(LENGTH package_files count)
check(count GREATER 4)
foreach(package_file IN LISTS package_files)
    file(STRINGS "${package_file}" output REGEX "[\";]/[A-Za-z]")
    check(NOT output)
endforeach()

function(build_and_run example)
    if(NOT folder)
        set(folder ${SOURCE}/examples/${example})
    endif()
    run(${CMAKE_COMMAND} -S ${folder} -B ${WORK}/${example} -G ${GENERATOR} ${ARGN}
        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${CONFIG}
        -D CMAKE_CXX_FLAGS=-Wall\ -Wextra\ -Werror -D CMAKE_PREFIX_PATH=${prefix})
    run(${CMAKE_COMMAND} --build ${WORK}/${example} --config ${CONFIG})
    run(${WORK}/${example}/${example})
    set(output "${output}" PARENT_SCOPE)
endfunction()

build_and_run(first_scene)

# The block is 0.5 m high, so that the mean height is 0.25 m at first. It collapses: no arrangement
# of the same water in the tank lies lower than a flat layer, of mean height 0.25 m / 3, and without
# a source of energy the water never gets back to where it began.
string(REGEX MATCHALL "[0-9.]+ s +[0-9.]+ m +[0-9.]+ m" rows "${output}")
list(LENGTH rows count)
check(count EQUAL 11)
foreach(row IN LISTS rows)
    string(REGEX MATCHALL "[0-9.]+" numbers "${row}")
    list(GET numbers 0 time)
    list(GET numbers 1 highest)
    list(GET numbers 2 mean)
    if(time EQUAL 0)
        check(mean GREATER 0.249 AND mean LESS 0.251)
        check(highest GREATER 0.48 AND highest LESS 0.5)
    else()
        check(mean GREATER 0.083 AND mean LESS 0.249)
        check(highest GREATER mean)
    endif()
endforeach()
check(time EQUAL 1)

# A pool where none of the libraries of scenes is found.
set(folder ${SOURCE}/tests/install/pool)
build_and_run(pool -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
unset(folder)
check(output MATCHES "pool: 200 particles")

if(BOX2D)
    build_and_run(box2d_pool)
    # After 10 s the heavy boxes lie on the floor, or on a layer of particles above it. The lightest
    # floats with half of its 0.4 m in the water, 1.5 m deep at first and deeper by what the boxes
    # displace.
    string(REGEX MATCH "10.0 s +[0-9.]+ +([0-9.]+) [^\n]*" last "${output}")
    set(lightest "${CMAKE_MATCH_1}")
    check(last MATCHES "floor +floor *$")
    check(lightest GREATER 1.3 AND lightest LESS 1.6)
endif()
