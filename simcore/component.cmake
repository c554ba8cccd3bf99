# A file for each collective, whose algorithms have the same names in each of them.
file(GLOB collectives CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/simcore/collective/*.cpp)
set_source_files_properties(${collectives} PROPERTIES REHEARSE_APART ON)
# What they ask of a library's header depends on a macro that they set before.
set_source_files_properties(${CMAKE_SOURCE_DIR}/simcore/debug/capture_stack.cpp PROPERTIES REHEARSE_APART ON)
