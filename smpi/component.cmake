# What is generated from smpi/api.json, all of it into the build tree (see smpi/abi/generate.py).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(api ${CMAKE_SOURCE_DIR}/smpi/api.json)
set(generator ${CMAKE_SOURCE_DIR}/smpi/abi/generate.py)
set(generated ${CMAKE_BINARY_DIR}/generated)
set(mpi_headers ${CMAKE_BINARY_DIR}/include/mpi.h ${generated}/smpi/abi/calls.hpp)

add_custom_command(
  OUTPUT ${mpi_headers}
  COMMAND Python3::Interpreter ${generator} headers ${api} ${CMAKE_BINARY_DIR}
  DEPENDS ${api} ${generator}
  COMMENT "Generating mpi.h"
  VERBATIM)
add_custom_target(mpi_headers DEPENDS ${mpi_headers})
add_dependencies(rehearse_smpi mpi_headers)
target_include_directories(rehearse_smpi PUBLIC ${CMAKE_BINARY_DIR}/include ${generated})
