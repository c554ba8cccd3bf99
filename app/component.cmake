# The library that slows down the programs of `rehearse attach --time-factor`. It becomes part of them.
add_library(rehearse_slowdown SHARED ${CMAKE_SOURCE_DIR}/app/attach/library/slowdown.c
                                     ${CMAKE_SOURCE_DIR}/app/attach/library/waits.c
                                     ${CMAKE_SOURCE_DIR}/app/attach/library/transfers.c)
set_target_properties(rehearse_slowdown PROPERTIES C_STANDARD 11 C_EXTENSIONS ON C_VISIBILITY_PRESET hidden)
target_include_directories(rehearse_slowdown PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_options(rehearse_slowdown PRIVATE -Wall -Wextra -Werror -O2)
add_dependencies(rehearse_app rehearse_slowdown)  # so that each build of the program has it
install(TARGETS rehearse_slowdown LIBRARY DESTINATION lib)
