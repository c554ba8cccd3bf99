# The installed tree beside programs, headers and libraries, which the components install: the CMake package, the
# pkg-config file, manual pages, completions. `cmake --install build --prefix FOLDER` copies it; FOLDER can be moved.
set(install_files ${CMAKE_BINARY_DIR}/install)
foreach(name IN ITEMS rehearse-config.cmake rehearse-config-version.cmake rehearse.pc)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/install/${name}.in ${install_files}/${name} @ONLY)
endforeach()
install(FILES ${install_files}/rehearse-config.cmake ${install_files}/rehearse-config-version.cmake
        DESTINATION lib/cmake/rehearse)
install(FILES ${install_files}/rehearse.pc DESTINATION lib/pkgconfig)
# The dissector of envelopes in captures of packets.
install(FILES ${CMAKE_SOURCE_DIR}/app/cli/mpi.lua DESTINATION share/rehearse)

# From the help texts of the program that was built.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(install_scripts ${CMAKE_SOURCE_DIR}/cmake/install)
add_custom_command(
  OUTPUT ${install_files}/share/stamp
  COMMAND Python3::Interpreter -B ${install_scripts}/man_pages.py $<TARGET_FILE:rehearse>
          ${install_files}/share/man/man1
  COMMAND Python3::Interpreter -B ${install_scripts}/completions.py $<TARGET_FILE:rehearse> ${install_files}/share
  COMMAND ${CMAKE_COMMAND} -E touch ${install_files}/share/stamp
  DEPENDS rehearse ${install_scripts}/help_text.py ${install_scripts}/man_pages.py ${install_scripts}/completions.py
  COMMENT "Generating manual pages and completions"
  VERBATIM)
add_custom_target(manual_pages ALL DEPENDS ${install_files}/share/stamp)
install(DIRECTORY ${install_files}/share/ DESTINATION share PATTERN stamp EXCLUDE)
