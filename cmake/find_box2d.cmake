# Defines box2d::box2d where Box2D 2.4 is found: by its own package, by a project that has it as a
# target already, or by its files. Installed beside millraceConfig.cmake, which needs it too.
if(NOT TARGET box2d::box2d)
    if(TARGET box2d)
        add_library(box2d::box2d ALIAS box2d)
    else()
        find_package(box2d 2.4 QUIET CONFIG)
    endif()
endif()
if(NOT TARGET box2d::box2d)
    find_path(BOX2D_INCLUDE_DIR box2d/b2_world.h)  # of 2.4: 3.0 has other names
    find_library(BOX2D_LIBRARY box2d)
    if(BOX2D_INCLUDE_DIR AND BOX2D_LIBRARY)
        add_library(box2d::box2d UNKNOWN IMPORTED)
        set_target_properties(box2d::box2d PROPERTIES IMPORTED_LOCATION ${BOX2D_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${BOX2D_INCLUDE_DIR})
    endif()
endif()
