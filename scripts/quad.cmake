# Where the functions of quad numbers are: DAELAB_QUAD_FLAGS and DAELAB_QUAD_LIBRARY, empty where the C library
# has them. include/daelab/quad.h chooses by the compiler's own macros; -DDAELAB_QUAD=libquadmath overrules it.
include(CheckCSourceCompiles)
set(DAELAB_QUAD_FLAGS "")
set(DAELAB_QUAD_LIBRARY "")
if(DAELAB_QUAD STREQUAL "libquadmath")
  set(DAELAB_QUAD_FLAGS -DDAELAB_LIBQUADMATH)
elseif(NOT DAELAB_QUAD STREQUAL "")
  message(FATAL_ERROR "DAELAB_QUAD=${DAELAB_QUAD}: libquadmath, or nothing")
endif()

set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/include)
set(CMAKE_REQUIRED_FLAGS ${DAELAB_QUAD_FLAGS})
# Do its functions link, with these libraries?
function(daelab_quad_links result)
  set(CMAKE_REQUIRED_LIBRARIES ${ARGN} m)
  check_c_source_compiles("#include <daelab/quad.h>
    int main(int count, char **words)
    {
        return (int)dae_quad_sin(dae_quad_parse(words[0], NULL) + count);
    }" ${result})
endfunction()
daelab_quad_links(DAELAB_QUAD_LINKS_${DAELAB_QUAD})
if(NOT DAELAB_QUAD_LINKS_${DAELAB_QUAD})
  daelab_quad_links(DAELAB_QUAD_LINKS_WITH_LIBQUADMATH quadmath)
  if(NOT DAELAB_QUAD_LINKS_WITH_LIBQUADMATH)
    message(FATAL_ERROR "References need numbers of 113 bits: neither ${CMAKE_C_COMPILER} with the C library "
                        "nor libquadmath has their functions; see docs/portability.md")
  endif()
  set(DAELAB_QUAD_LIBRARY quadmath)
endif()
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_FLAGS)
if(DAELAB_QUAD_LIBRARY)
  message(STATUS "Functions of quad numbers: libquadmath")
else()
  message(STATUS "Functions of quad numbers: the C library")
endif()
