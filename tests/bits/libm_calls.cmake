# The library may call only those functions of the C library's mathematics whose results IEEE 754
# fixes: the others differ from one C library, and from one CPU, to the next. src/math/portable.hpp
# has ours. Run as cmake -D LIBRARIES=libmillrace.a,... -D NM=nm -P libm_calls.cmake
string(REPLACE "," ";" LIBRARIES "${LIBRARIES}")
execute_process(COMMAND ${NM} --undefined-only ${LIBRARIES} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(status)
    message(FATAL_ERROR "${NM} ${LIBRARIES} ended with ${status}")
endif()
set(inexact sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1
    log log2 log10 log1p pow cbrt hypot erf erfc tgamma lgamma sincos rsqrt)
set(found "")
foreach(function ${inexact})
    if(symbols MATCHES " U (${function}f?l?)(@[^\n]*)?\n")
        list(APPEND found ${CMAKE_MATCH_1})
    endif()
endforeach()
if(found)
    message(FATAL_ERROR "${LIBRARIES} calls ${found}: use those of src/math/portable.hpp")
endif()
