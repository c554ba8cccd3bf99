# The page of the HTML report, as text in the program.
set(page ${CMAKE_CURRENT_SOURCE_DIR}/app/cli/report/page)
set(page_script "")
set(page_network_script "")
set(page_calibration_script "")
set(page_last_mile_script "")
set(page_profile_script "")
set(page_usage_script "")
foreach(part IN ITEMS head.html style.css body.html data.js format.js marks.js diagram.js steps.js findings.js waits.js
                      tables.js machine.js main.js network.html curves.js network.js calibration.html calibration.js
                      last_mile.html last_mile.js profile.html profile.js usage.html usage_style.css usage_data.js
                      usage_treemap.js usage_places.js usage_topology.js usage_topology_drawing.js usage_pictures.js
                      usage.js)
  file(READ ${page}/${part} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/${part})
  get_filename_component(kind ${part} LAST_EXT)
  get_filename_component(name ${part} NAME_WE)
  if(kind STREQUAL .js)
    if(NOT name MATCHES "^(curves|network|calibration|last_mile|profile|usage.*)$")
      string(APPEND page_script "${text}")
    endif()
    if(name MATCHES "^(data|format|marks|machine|curves|network)$")  # the page of statistics
      string(APPEND page_network_script "${text}")
    endif()
    if(name MATCHES "^(data|format|marks|calibration)$")  # the page of a calibration
      string(APPEND page_calibration_script "${text}")
    endif()
    if(name MATCHES "^(data|format|marks|last_mile)$")  # the page of a last-mile fit
      string(APPEND page_last_mile_script "${text}")
    endif()
    if(name MATCHES "^(data|format|marks|profile)$")  # the page of a profile
      string(APPEND page_profile_script "${text}")
    endif()
    if(name MATCHES "^(data|format|usage.*)$")  # the page of a usage
      string(APPEND page_usage_script "${text}")
    endif()
  else()
    set(page_${name} "${text}")
  endif()
endforeach()
set(calibration_program_file ${CMAKE_CURRENT_SOURCE_DIR}/app/calibration/program/calibrate.c)
file(READ ${calibration_program_file} calibration_program)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${calibration_program_file})
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/app/cli/report/page_sources.cpp.in
               ${CMAKE_BINARY_DIR}/generated/app/cli/report/page_sources.cpp @ONLY)
target_sources(rehearse_cli PRIVATE ${CMAKE_BINARY_DIR}/generated/app/cli/report/page_sources.cpp)

# The names under which build systems and scripts find the program.
add_dependencies(rehearse_cli mpi_abi rehearse_accesses)  # what the wrapper compilers link to
set(names_folder libexec/rehearse/bin)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${names_folder})
foreach(name IN ITEMS mpicc mpicxx mpic++ mpif77 mpif90 mpifort mpiexec mpirun)
  file(CREATE_LINK ../../../bin/rehearse ${CMAKE_BINARY_DIR}/${names_folder}/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/${names_folder}/${name} DESTINATION ${names_folder})
endforeach()

# What programs of actors, and programs that check others, are compiled with (rehearse c++ --actors, --api): headers and
# archives, in the same places as installed.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include/rehearse ${CMAKE_BINARY_DIR}/lib/rehearse)
foreach(folder IN ITEMS simcore mc smpi trace properties manynode app)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/include/rehearse/${folder} SYMBOLIC)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION include/rehearse FILES_MATCHING PATTERN *.hpp
          PATTERN cli EXCLUDE)
endforeach()
foreach(component IN ITEMS app properties trace manynode smpi mc simcore support)
  set(archive lib/rehearse/librehearse_${component}.a)
  file(CREATE_LINK ../../librehearse_${component}.a ${CMAKE_BINARY_DIR}/${archive} SYMBOLIC)
  install(TARGETS rehearse_${component} ARCHIVE DESTINATION lib/rehearse)
endforeach()
