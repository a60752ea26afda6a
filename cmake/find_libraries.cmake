# millrace_find_library(NAME) defines millrace::NAME, of those below, where it is found. Their own
# CMake packages ask for more than the libraries need (assimp's for draco). Installed beside
# millraceConfig.cmake, which needs it too.
function(millrace_find_library name)
    set(assimp assimp/Importer.hpp assimp)
    set(embree embree3/rtcore.h embree3)
    set(bullet btBulletDynamicsCommon.h BulletDynamics-float64 BulletCollision-float64
        LinearMath-float64)
    set(openvdb openvdb/openvdb.h openvdb tbb)

    if(TARGET millrace::${name})
        return()
    endif()
    string(TOUPPER MILLRACE_${name} prefix)
    list(POP_FRONT ${name} header)
    find_path(${prefix}_INCLUDE_DIR ${header} PATH_SUFFIXES bullet)
    set(files "")
    foreach(library ${${name}})
        find_library(${prefix}_${library} ${library})
        list(APPEND files ${${prefix}_${library}})
    endforeach()
    if(${prefix}_INCLUDE_DIR AND NOT files MATCHES NOTFOUND)
        add_library(millrace::${name} INTERFACE IMPORTED)
        set_target_properties(millrace::${name} PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${${prefix}_INCLUDE_DIR}"
            INTERFACE_LINK_LIBRARIES "${files}")
    endif()
endfunction()
