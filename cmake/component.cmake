# rehearse_component(NAME FOLDER DIR [DEPENDS component...] [LIBRARIES system-library...] [WITHOUT folder...]
#                    [EXECUTABLE program] [BRIEFLY_OPTIMISED folder...] [PROFILED])
#
# One component of the architecture: every .cpp below its folder (but those of components nested in it, which are
# declared before it or named behind WITHOUT), compiled strictly, linked to exactly the components it names. With
# EXECUTABLE also the program, from main.cpp of the folder.
# BRIEFLY_OPTIMISED: everyday builds compile these folders of the component with -Og, because they do not run in loops
# that take long. That saves a third of their compilation (docs/design/build.md).
# PROFILED: the component takes part in profile-guided optimisation (profile.cmake).
# The first component makes the precompiled header of the standard library, and the others use it.
# What is particular to a component, such as properties of its sources, is in component.cmake of its folder.
include(batches)
include(precompile)
include(profile)

add_library(rehearse_options INTERFACE)
target_compile_options(rehearse_options INTERFACE -Wall -Wextra -Werror -fno-strict-aliasing)
# gcc 12 at -O3 takes `"text" + std::string` for an overlapping copy (known; right again in gcc 13).
target_compile_options(rehearse_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
# gcc 12 takes members of an empty std::optional that is moved for uninitialized, and std::string::resize() to a smaller
# size for an overflow. This depends on what it inlines, so such warnings come and go with other code and options.
target_compile_options(rehearse_options INTERFACE
                       "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=maybe-uninitialized;-Wno-error=stringop-overflow>")
if(REHEARSE_SANITIZE)
  # With the address sanitizer, gcc 12 reports uninitialized values in std::regex that are none.
  target_compile_options(rehearse_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                         $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(rehearse_options INTERFACE -fsanitize=address,undefined)
endif()

function(rehearse_component NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "PROFILED" "FOLDER;EXECUTABLE" "DEPENDS;LIBRARIES;WITHOUT;BRIEFLY_OPTIMISED")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/*.cpp)
  get_property(folders GLOBAL PROPERTY rehearse_folders)
  foreach(folder IN LISTS folders ARG_WITHOUT)
    if(folder MATCHES "^${ARG_FOLDER}/")
      list(FILTER sources EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${folder}/")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY rehearse_folders ${ARG_FOLDER})
  set_property(GLOBAL APPEND PROPERTY rehearse_components ${NAME})
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/main.cpp)
  set(interface INTERFACE)
  if(sources)
    add_library(rehearse_${NAME} STATIC)
    set(interface PUBLIC)
    target_link_libraries(rehearse_${NAME} PRIVATE rehearse_options)
    rehearse_precompile(rehearse_${NAME})
    if(ARG_PROFILED)
      rehearse_profile(rehearse_${NAME})
    endif()
  else()
    add_library(rehearse_${NAME} INTERFACE)
  endif()
  target_include_directories(rehearse_${NAME} ${interface} ${CMAKE_SOURCE_DIR})
  foreach(dependency IN LISTS ARG_DEPENDS)
    if(NOT TARGET rehearse_${dependency})
      message(FATAL_ERROR "component ${NAME} depends on ${dependency}, which is not declared before it")
    endif()
    target_link_libraries(rehearse_${NAME} ${interface} rehearse_${dependency})
  endforeach()
  target_link_libraries(rehearse_${NAME} ${interface} ${ARG_LIBRARIES})
  if(EXISTS ${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/component.cmake)
    include(${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/component.cmake)
  endif()
  if(NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    foreach(folder IN LISTS ARG_BRIEFLY_OPTIMISED)
      set(brief ${sources})
      list(FILTER brief INCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${folder}/")
      set_property(SOURCE ${brief} APPEND PROPERTY COMPILE_OPTIONS -Og)
    endforeach()
  endif()
  if(sources)
    rehearse_batches(units ${NAME} SMALL_FOLDERS_TOGETHER ${sources})
    target_sources(rehearse_${NAME} PRIVATE ${units})
  endif()
  if(ARG_EXECUTABLE AND EXISTS ${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/main.cpp)
    add_executable(${ARG_EXECUTABLE} ${ARG_FOLDER}/main.cpp)
    target_link_libraries(${ARG_EXECUTABLE} PRIVATE rehearse_${NAME} rehearse_options)
    install(TARGETS ${ARG_EXECUTABLE} RUNTIME DESTINATION bin)
  endif()
endfunction()
