# cmake --install: the library with its headers and its CMake package, the tool, scenes and pages.
if(NOT MILLRACE_INSTALL)
    return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)

install(TARGETS millrace EXPORT millrace INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/millrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT millrace NAMESPACE millrace:: FILE millraceTargets.cmake
    DESTINATION ${package_folder})

if(TARGET millrace_box2d)  # its own export, so that only those who ask for it need its headers
    install(TARGETS millrace_box2d EXPORT millrace_box2d)
    install(EXPORT millrace_box2d NAMESPACE millrace:: FILE millraceBox2dTargets.cmake
        DESTINATION ${package_folder})
    install(FILES cmake/find_box2d.cmake DESTINATION ${package_folder})
endif()

# A static library leaves it to the program that links it to find what the library needs itself.
get_target_property(library_type millrace TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
    if(MILLRACE_OPENMP)
        set(package_dependencies "find_dependency(OpenMP COMPONENTS CXX)")
    endif()
    if(MILLRACE_CUDA)
        string(APPEND package_dependencies "\nfind_dependency(CUDAToolkit)")
    endif()
    if(TARGET millrace_box2d)
        string(APPEND package_dependencies
            "\ninclude(\"\${CMAKE_CURRENT_LIST_DIR}/find_box2d.cmake\")")
    endif()
endif()
configure_package_config_file(cmake/millraceConfig.cmake.in
    ${PROJECT_BINARY_DIR}/millraceConfig.cmake INSTALL_DESTINATION ${package_folder}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/millraceConfig.cmake
    ${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake DESTINATION ${package_folder})

if(TARGET millrace_tool)
    if(library_type STREQUAL "SHARED_LIBRARY")
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
