# cmake --install: the library with its headers and its CMake package, the tool, scenes and pages.
if(NOT MILLRACE_INSTALL)
    return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)

# Three exports, so that a game need not find what it does not take: its own parts, those with
# Box2D, and the rest. A static library leaves it to the program that links it to find what the
# library needs itself.
set(game_dependencies "")
set(whole_dependencies "")
set(whole_libraries "")
if(BUILD_SHARED_LIBS)
    set(game_targets millrace millrace_game_part)
    set(box2d_target millrace_box2d_part)
else()
    set(game_targets millrace_core millrace_plane millrace_game)
    set(box2d_target millrace_box2d)
    if(MILLRACE_OPENMP)
        string(APPEND game_dependencies "find_dependency(OpenMP COMPONENTS CXX)\n")
    endif()
    if(MILLRACE_CUDA)
        string(APPEND game_dependencies "find_dependency(CUDAToolkit)\n")
    endif()
    get_target_property(whole_libraries millrace_solids LINK_LIBRARIES)
    list(FILTER whole_libraries INCLUDE REGEX "^(millrace|ZLIB)::")
    foreach(library ${whole_libraries})
        if(library MATCHES "^millrace::(.*)")
            string(APPEND whole_dependencies "millrace_find_library(${CMAKE_MATCH_1})\n")
        else()
            string(APPEND whole_dependencies "find_package(ZLIB QUIET)\n")
        endif()
    endforeach()
    if(TARGET millrace::box2d)
        list(APPEND whole_libraries millrace::box2d)
    endif()
    install(TARGETS millrace_solids millrace EXPORT millrace
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT millrace NAMESPACE millrace:: FILE millraceTargets.cmake
        DESTINATION ${package_folder})
endif()
install(TARGETS ${game_targets} EXPORT millrace_game
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT millrace_game NAMESPACE millrace:: FILE millraceGameTargets.cmake
    DESTINATION ${package_folder})
if(TARGET millrace::box2d)
    install(TARGETS ${box2d_target} EXPORT millrace_box2d
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT millrace_box2d NAMESPACE millrace:: FILE millraceBox2dTargets.cmake
        DESTINATION ${package_folder})
endif()
install(DIRECTORY include/millrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES cmake/find_libraries.cmake cmake/find_box2d.cmake DESTINATION ${package_folder})

configure_package_config_file(cmake/millraceConfig.cmake.in
    ${PROJECT_BINARY_DIR}/millraceConfig.cmake INSTALL_DESTINATION ${package_folder}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/millraceConfig.cmake
    ${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake DESTINATION ${package_folder})

if(TARGET millrace_tool)
    if(BUILD_SHARED_LIBS)
        file(RELATIVE_PATH library_folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(millrace_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${library_folder}")
    endif()
    install(TARGETS millrace_tool)
endif()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/millrace)
install(DIRECTORY blender DESTINATION ${CMAKE_INSTALL_DATADIR}/millrace
    PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
