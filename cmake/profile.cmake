# rehearse_profile(TARGET): TARGET takes part in profile-guided optimisation (docs/design/build.md).
#
# With REHEARSE_PROFILE=collect, a run of the program adds to the counts of TARGET's branches and calls, in a .gcda file
# beside each object file. With REHEARSE_PROFILE=use, the compiler reads these files. Functions that never ran are
# compiled as without a profile, and so are functions that changed since.
# `./dev release` collects, runs tests/bench/training.py, and builds again.
set(REHEARSE_PROFILE OFF CACHE STRING "profile-guided optimisation: OFF, collect (count), use (optimise by the counts)")
set_property(CACHE REHEARSE_PROFILE PROPERTY STRINGS OFF collect use)
if(NOT REHEARSE_PROFILE MATCHES "^(OFF|collect|use)$")
  message(FATAL_ERROR "REHEARSE_PROFILE is '${REHEARSE_PROFILE}'; accepted: OFF, collect, use")
endif()
if(REHEARSE_PROFILE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "REHEARSE_PROFILE=${REHEARSE_PROFILE} needs gcc; this is ${CMAKE_CXX_COMPILER_ID}")
endif()

function(rehearse_profile TARGET)
  if(REHEARSE_PROFILE STREQUAL collect)
    target_compile_options(${TARGET} PRIVATE -fprofile-generate -fprofile-update=prefer-atomic)
    target_link_options(${TARGET} PUBLIC -fprofile-generate)
  elseif(REHEARSE_PROFILE STREQUAL use)
    target_compile_options(${TARGET} PRIVATE -fprofile-use -fprofile-partial-training -Wno-missing-profile
                           -Wno-coverage-mismatch)
    # What gcc 12 inlines by the profile changes which sizes it thinks possible, so false warnings come and go.
    target_compile_options(${TARGET} PRIVATE -Wno-error=alloc-size-larger-than= -Wno-error=array-bounds
                           -Wno-error=stringop-overread -Wno-error=free-nonheap-object)
  endif()
endfunction()
