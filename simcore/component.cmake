# What they ask of a library's header depends on a macro that they set before.
set_source_files_properties(${CMAKE_SOURCE_DIR}/simcore/debug/capture_stack.cpp PROPERTIES REHEARSE_APART ON)
