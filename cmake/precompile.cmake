# rehearse_precompile(TARGET [header...])
#
# TARGET's sources begin with the standard library's headers that most of them include, and with the headers named here,
# compiled once (docs/design/build.md). The first target without headers of its own makes the precompiled header, and
# later ones use it; gcc accepts one header for different optimisation levels. A program is compiled with -fPIE, so it
# needs its own.
#
# No precompiled header: with REHEARSE_BATCH=1, which finds files that do not include what they need, with sanitizers,
# with optimisation at link time, for compilers other than gcc, and for sources that are compiled by themselves
# (cmake/batches.cmake).
set(REHEARSE_PRECOMPILED_HEADERS
  <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <deque> <filesystem> <functional> <iostream> <limits> <map>
  <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant>
  <vector> <fmt/core.h>)

function(rehearse_precompile TARGET)
  if(REHEARSE_BATCH LESS_EQUAL 1 OR REHEARSE_SANITIZE OR CMAKE_INTERPROCEDURAL_OPTIMIZATION
     OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  get_property(maker GLOBAL PROPERTY rehearse_precompiled_by)
  if(maker AND NOT ARGN)
    target_precompile_headers(${TARGET} REUSE_FROM ${maker})
  else()
    target_precompile_headers(${TARGET} PRIVATE ${REHEARSE_PRECOMPILED_HEADERS} ${ARGN})
    if(NOT ARGN)
      set_property(GLOBAL PROPERTY rehearse_precompiled_by ${TARGET})
    endif()
  endif()
  target_compile_options(${TARGET} PRIVATE -fpch-preprocess)  # what ccache needs to see the header
endfunction()
