# The files that are generated from smpi/api.json into the build tree (see smpi/abi/generate.py), and the library that
# programs link to.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(api ${CMAKE_SOURCE_DIR}/smpi/api.json)
set(generator ${CMAKE_SOURCE_DIR}/smpi/abi/generate.py ${CMAKE_SOURCE_DIR}/smpi/abi/api_model.py
              ${CMAKE_SOURCE_DIR}/smpi/fortran/binding.py ${CMAKE_SOURCE_DIR}/smpi/fortran/entries.py
              ${CMAKE_SOURCE_DIR}/smpi/fortran/interfaces.py ${CMAKE_SOURCE_DIR}/smpi/foreign/translation.py
              ${CMAKE_SOURCE_DIR}/smpi/foreign/mpich.json ${CMAKE_SOURCE_DIR}/smpi/foreign/openmpi.json)
set(generate Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/smpi/abi/generate.py)
set(generated ${CMAKE_BINARY_DIR}/generated)
set(mpi_h ${CMAKE_BINARY_DIR}/include/mpi.h)
set(coverage ${CMAKE_BINARY_DIR}/docs/mpi-coverage.md)
set(mpif_h ${CMAKE_BINARY_DIR}/include/mpif.h)
set(modules ${CMAKE_BINARY_DIR}/lib/rehearse-fortran/mpi.f90 ${CMAKE_BINARY_DIR}/lib/rehearse-fortran/mpi_f08.f90)
set(fortran_entries)
set(foreign_entries)
foreach(part RANGE 1 4)
  list(APPEND fortran_entries ${generated}/smpi/fortran/entries_${part}.cpp)
  list(APPEND foreign_entries ${generated}/smpi/foreign/foreign_entries_${part}.cpp)
endforeach()

add_custom_command(
  OUTPUT ${mpi_h} ${generated}/smpi/abi/calls.hpp ${generated}/smpi/abi/forms.hpp ${generated}/smpi/abi/stub_functions.c
         ${generated}/smpi/abi/entered.hpp ${fortran_entries} ${generated}/smpi/fortran/stub_fortran.c
         ${foreign_entries} ${generated}/smpi/foreign/constants.hpp
         ${generated}/smpi/foreign/open_mpi_data.c ${generated}/smpi/foreign/mpich_data.c
         ${mpif_h} ${modules}
  COMMAND ${generate} headers ${api} ${CMAKE_BINARY_DIR}
  DEPENDS ${api} ${generator}
  COMMENT "Generating mpi.h and the interfaces for Fortran"
  VERBATIM)
# The entry points depend on the set of implemented functions. They are generated again when a source of smpi/ changes,
# but the files are only rewritten when their content changes.
add_custom_command(
  OUTPUT ${generated}/smpi/abi/forms.cpp ${generated}/smpi/abi/entries.cpp ${generated}/smpi/abi/tables.cpp ${coverage}
  COMMAND ${generate} sources ${api} ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/smpi
  DEPENDS ${api} ${generator} ${CMAKE_SOURCE_DIR}/smpi/abi/api.hpp ${sources}
  COMMENT "Generating MPI entry points"
  VERBATIM)
add_custom_target(mpi_headers DEPENDS ${mpi_h} ${mpif_h} ${modules})
add_custom_target(mpi_coverage DEPENDS ${coverage})
add_dependencies(rehearse_smpi mpi_headers)
target_include_directories(rehearse_smpi PUBLIC ${CMAKE_BINARY_DIR}/include ${generated})
target_sources(rehearse_smpi PRIVATE
  ${generated}/smpi/abi/forms.cpp ${generated}/smpi/abi/entries.cpp ${generated}/smpi/abi/tables.cpp
  ${fortran_entries} ${foreign_entries})

# The data of other MPI libraries, for programs that were compiled for them (smpi/foreign).
add_library(rehearse_open_mpi_data SHARED ${generated}/smpi/foreign/open_mpi_data.c)
add_library(rehearse_mpich_data SHARED ${generated}/smpi/foreign/mpich_data.c)
set_target_properties(rehearse_open_mpi_data PROPERTIES OUTPUT_NAME open_mpi_data)
set_target_properties(rehearse_mpich_data PROPERTIES OUTPUT_NAME mpich_data)
set_target_properties(rehearse_open_mpi_data rehearse_mpich_data PROPERTIES C_STANDARD 99
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/rehearse-foreign)
add_dependencies(rehearse_smpi rehearse_open_mpi_data rehearse_mpich_data)
install(TARGETS rehearse_open_mpi_data rehearse_mpich_data LIBRARY DESTINATION lib/rehearse-foreign)

# The library that programs link to. It contains only names. Its SONAME, libmpi_abi.so.1, is the standard's.
add_library(mpi_abi SHARED ${CMAKE_SOURCE_DIR}/smpi/abi/stub.c ${generated}/smpi/abi/stub_functions.c
            ${generated}/smpi/fortran/stub_fortran.c)
set_target_properties(mpi_abi PROPERTIES SOVERSION 1 C_STANDARD 99)
target_compile_options(mpi_abi PRIVATE -Wall -Wextra -Werror)
install(TARGETS mpi_abi LIBRARY DESTINATION lib)
configure_file(${CMAKE_SOURCE_DIR}/smpi/user/rehearse.h ${CMAKE_BINARY_DIR}/include/rehearse.h COPYONLY)
configure_file(${CMAKE_SOURCE_DIR}/smpi/user/mpi-ext.h ${CMAKE_BINARY_DIR}/include/mpi-ext.h COPYONLY)
install(FILES ${mpi_h} ${mpif_h} ${CMAKE_SOURCE_DIR}/smpi/user/rehearse.h ${CMAKE_SOURCE_DIR}/smpi/user/mpi-ext.h
        DESTINATION include)
install(FILES ${modules} DESTINATION lib/rehearse-fortran)
configure_file(${CMAKE_SOURCE_DIR}/smpi/user/smpi_compat.h ${CMAKE_BINARY_DIR}/include/rehearse/smpi_compat.h COPYONLY)
install(FILES ${CMAKE_SOURCE_DIR}/smpi/user/smpi_compat.h DESTINATION include/rehearse)

# The same for programs that report their reads and writes (rehearse cc --check-memory). The gcc driver must not see the
# option, because it would link the library of the thread sanitizer. So only the compiler proper (cc1) gets the option,
# and its output goes through an assembler script of ours.
add_library(rehearse_accesses SHARED ${CMAKE_SOURCE_DIR}/smpi/abi/accesses.c)
set_target_properties(rehearse_accesses PROPERTIES SOVERSION 1 C_STANDARD 99)
target_compile_options(rehearse_accesses PRIVATE -Wall -Wextra -Werror)
set(access_specs ${CMAKE_BINARY_DIR}/lib/rehearse-accesses.specs)
file(WRITE ${access_specs} "*cc1:\n+ -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -fno-plt\n\n")
install(TARGETS rehearse_accesses LIBRARY DESTINATION lib)
install(FILES ${access_specs} DESTINATION lib)
set(access_assembler ${CMAKE_BINARY_DIR}/lib/rehearse-accesses/as)
configure_file(${CMAKE_SOURCE_DIR}/smpi/compiler/as.sh ${access_assembler} COPYONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(PROGRAMS ${access_assembler} DESTINATION lib/rehearse-accesses)

# The rules by which other libraries choose collective algorithms, as text in the program.
foreach(name IN ITEMS ompi mpich)
  set(rules ${CMAKE_SOURCE_DIR}/smpi/collective/rules/${name}.rules)
  file(READ ${rules} ${name}_rules)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rules})
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/smpi/collective/rules/rules.cpp.in ${generated}/smpi/collective/rules.cpp @ONLY)
target_sources(rehearse_smpi PRIVATE ${generated}/smpi/collective/rules.cpp)

# These define functions of libc and of the C++ run-time library, so each is its own member of the archive.
set_source_files_properties(${CMAKE_SOURCE_DIR}/smpi/process/heap.cpp ${CMAKE_SOURCE_DIR}/smpi/process/unwinding.cpp
                            PROPERTIES REHEARSE_APART ON)
