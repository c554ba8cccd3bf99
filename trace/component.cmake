# The profiling libraries that record programs under Open MPI and under MPICH, for each whose header is there. They are
# not linked to the MPI: its symbols are those of the program.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(pmpi ${CMAKE_SOURCE_DIR}/trace/pmpi)
file(GLOB pmpi_sources CONFIGURE_DEPENDS ${pmpi}/library/*.c)

find_path(REHEARSE_OPENMPI_INCLUDE mpi.h NO_DEFAULT_PATH
          PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include /usr/lib/x86_64-linux-gnu/openmpi/include
          DOC "folder of the mpi.h of Open MPI")
find_path(REHEARSE_MPICH_INCLUDE mpi.h NO_DEFAULT_PATH
          PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich /usr/include/x86_64-linux-gnu/mpich
          DOC "folder of the mpi.h of MPICH")

# HAS_FORTRAN: its Fortran layer calls PMPI_*, so its Fortran functions get wrappers, too.
function(rehearse_profiling_library NAME INCLUDE HAS_FORTRAN)
  if(NOT INCLUDE)
    return()
  endif()
  set(sources ${pmpi_sources})
  set(wrappers ${CMAKE_BINARY_DIR}/generated/trace/pmpi/${NAME})
  set(api ${CMAKE_SOURCE_DIR}/smpi/api.json)
  set(outputs ${wrappers}/wrappers.c ${wrappers}/weak.h)
  set(fortran)
  if(HAS_FORTRAN)
    list(APPEND outputs ${wrappers}/fortran_wrappers.c)
    set(fortran --fortran ${wrappers}/fortran_wrappers.c)
  else()
    list(REMOVE_ITEM sources ${pmpi}/library/fortran.c)
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND Python3::Interpreter -B ${pmpi}/generate.py ${api} --compiler ${CMAKE_C_COMPILER} --include ${INCLUDE}
            --output ${wrappers}/wrappers.c --weak ${wrappers}/weak.h ${fortran}
    DEPENDS ${api} ${pmpi}/generate.py ${pmpi}/fortran.py ${CMAKE_SOURCE_DIR}/smpi/abi/api_model.py
    COMMENT "Generating the profiling library for ${NAME}"
    VERBATIM)
  add_library(rehearse_trace_${NAME} SHARED ${sources} ${outputs})
  set_target_properties(rehearse_trace_${NAME} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON C_VISIBILITY_PRESET hidden)
  target_include_directories(rehearse_trace_${NAME} PRIVATE ${CMAKE_SOURCE_DIR})
  target_include_directories(rehearse_trace_${NAME} SYSTEM PRIVATE ${INCLUDE})
  target_compile_options(rehearse_trace_${NAME} PRIVATE -Wall -Wextra -Werror -include ${wrappers}/weak.h)
  target_link_options(rehearse_trace_${NAME} PRIVATE -Wl,-z,lazy)
  add_dependencies(rehearse_trace rehearse_trace_${NAME})  # so that each build of the program has them
  install(TARGETS rehearse_trace_${NAME} LIBRARY DESTINATION lib)
endfunction()

rehearse_profiling_library(openmpi "${REHEARSE_OPENMPI_INCLUDE}" ON)
rehearse_profiling_library(mpich "${REHEARSE_MPICH_INCLUDE}" OFF)

# OTF2, if it is there: archives are refused by name without it. The header is in the same package as the library.
option(REHEARSE_OTF2 "read and write archives of OTF2 with libotf2, if it is installed" ON)
find_library(REHEARSE_OTF2_LIBRARY NAMES open-trace-format2 otf2 DOC "libotf2")
set(no_otf2 ${CMAKE_SOURCE_DIR}/trace/otf2/no_library.cpp)
if(REHEARSE_OTF2 AND REHEARSE_OTF2_LIBRARY)
  target_link_libraries(rehearse_trace PUBLIC ${REHEARSE_OTF2_LIBRARY})
  list(REMOVE_ITEM sources ${no_otf2})
else()
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/trace/otf2/")
  list(APPEND sources ${no_otf2})
endif()
