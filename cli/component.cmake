# The names under which build systems and scripts find the program.
add_dependencies(rehearse_cli mpi_abi rehearse_accesses)  # what the wrapper compilers link to
set(names_folder libexec/rehearse/bin)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${names_folder})
foreach(name IN ITEMS mpicc mpicxx mpic++ mpiexec mpirun)
  file(CREATE_LINK ../../../bin/rehearse ${CMAKE_BINARY_DIR}/${names_folder}/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/${names_folder}/${name} DESTINATION ${names_folder})
endforeach()
