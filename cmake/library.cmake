# library.cmake - libdaelab, shared and static from the same objects; DAELAB_LINKED: the one that programs take
file(GLOB_RECURSE DAELAB_SOURCES CONFIGURE_DEPENDS src/*.c)
add_library(daelab_objects OBJECT ${DAELAB_SOURCES})
# Loops over the few numbers of a state that were just stored one by one: to load two of them at once
# waits until both have left the store buffer, longer than such a loop takes.
set_source_files_properties(src/driver/solver.c src/driver/steps.c src/jacobian/dual_mechanics.c
                            src/jacobian/jacobian.c src/methods/complex/cros.c src/methods/dormand_prince.c
                            src/methods/explicit.c src/methods/explicit_dense.c src/methods/explicit_stepper.c
                            src/methods/rosenbrock.c src/projection/project.c src/system/analytic.c
                            src/system/formulations.c src/system/mechanics.c
                            PROPERTIES COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")
# gcc 12.2 for arm64 ends with an error of its own (in vect_transform_reduction) at -O3 in these
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set_source_files_properties(src/hybrid/recurrence.c src/start/consistent.c
                              PROPERTIES COMPILE_OPTIONS "-fno-tree-vectorize")
endif()
target_include_directories(daelab_objects PRIVATE src ${KLU_INCLUDE_DIR} PUBLIC include)
target_link_libraries(daelab_objects PRIVATE daelab_flags ${DAELAB_SUNDIALS})
foreach(kind SHARED STATIC)
  if(kind STREQUAL STATIC)
    set(target daelab_static)
  else()
    set(target daelab)
  endif()
  add_library(${target} ${kind} $<TARGET_OBJECTS:daelab_objects>)
  add_library(daelab::${target} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_options(${target} PUBLIC ${DAELAB_QUAD_FLAGS})
  target_link_libraries(${target} PUBLIC ${DAELAB_QUAD_LIBRARY} m)         # models call functions of these themselves
endforeach()
# The shared library links files, not targets: who links it needs none of them, and is asked for none.
set(DAELAB_SUNDIALS_FILES ${DAELAB_SUNDIALS})
list(TRANSFORM DAELAB_SUNDIALS_FILES REPLACE "(.+)" "$<TARGET_LINKER_FILE:\\1>")
target_link_libraries(daelab PRIVATE ${DAELAB_SUNDIALS_FILES} ${KLU_LIBRARY} LAPACK::LAPACK ${CMAKE_DL_LIBS})
target_link_libraries(daelab_static PRIVATE ${DAELAB_SUNDIALS} daelab::KLU LAPACK::LAPACK ${CMAKE_DL_LIBS})
# Before version 1 each minor version may change the binary interface (docs/packaging.md).
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(DAELAB_SOVERSION 0.${PROJECT_VERSION_MINOR})
else()
  set(DAELAB_SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(daelab PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${DAELAB_SOVERSION})
# A wheel of Python (python/make_wheel.py) has the library of the build with all that it loads beside it; what is
# installed has no such path.
set_property(TARGET daelab APPEND PROPERTY BUILD_RPATH "$ORIGIN")
target_link_options(daelab PRIVATE LINKER:--disable-new-dtags)
set_target_properties(daelab_static PROPERTIES OUTPUT_NAME daelab)

# The shared library exports what the headers declare (api.h), unless the tests, which look inside, are to
# be linked with it.
if(DAELAB_LINK_SHARED)
  set(DAELAB_LINKED daelab m)
else()
  set(DAELAB_LINKED daelab_static)
  set_target_properties(daelab_objects PROPERTIES C_VISIBILITY_PRESET hidden)
endif()
