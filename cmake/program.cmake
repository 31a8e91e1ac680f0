# program.cmake - the command daelab
# Models and methods that it loads find the functions of the headers in it, and nothing else: a name of their own is
# theirs.

# what systems do differently (bench/host/platform.h)
if(DAELAB_PLATFORM STREQUAL "linux")
  set(DAELAB_PLATFORM_SOURCES bench/host/platform_linux.c bench/host/platform_elf.c)
elseif(DAELAB_PLATFORM STREQUAL "posix")
  set(DAELAB_PLATFORM_SOURCES bench/host/platform_posix.c)
else()
  message(FATAL_ERROR "DAELAB_PLATFORM=${DAELAB_PLATFORM}: linux or posix")
endif()

# ---- all but its main, for tests and for programs beside it
file(GLOB_RECURSE DAELAB_BENCH CONFIGURE_DEPENDS bench/*.c)
list(FILTER DAELAB_BENCH EXCLUDE REGEX "/bench/(main[.]c|manual/main[.]c|mpi/|host/platform_)")
list(APPEND DAELAB_BENCH ${DAELAB_PLATFORM_SOURCES})
add_library(daelab_bench_objects OBJECT ${DAELAB_BENCH})
target_compile_definitions(daelab_bench_objects PRIVATE _GNU_SOURCE)
target_include_directories(daelab_bench_objects PUBLIC include bench problems PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(daelab_bench_objects PRIVATE daelab_flags ${DAELAB_BENCH_LIBRARIES})
set_target_properties(daelab_bench_objects PROPERTIES C_VISIBILITY_PRESET hidden)

# ---- the program
add_executable(daelab_program bench/main.c $<TARGET_OBJECTS:daelab_bench_objects>
               $<TARGET_OBJECTS:daelab_problems>)
set_target_properties(daelab_program PROPERTIES OUTPUT_NAME daelab C_VISIBILITY_PRESET hidden
                      ENABLE_EXPORTS ON)
if(NOT DAELAB_LINK_SHARED)                      # all of the library, not what it needs itself
  target_sources(daelab_program PRIVATE $<TARGET_OBJECTS:daelab_objects>)
endif()
target_include_directories(daelab_program PRIVATE include bench problems ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(daelab_program PRIVATE _GNU_SOURCE)
target_link_libraries(daelab_program PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_BENCH_LIBRARIES}
                      ${CMAKE_DL_LIBS})
# which source the program was made of: looked at in each build, for its results
add_custom_target(daelab_commit COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}
                                        -DOUT=${PROJECT_BINARY_DIR}/generated/commit.def
                                        -P ${PROJECT_SOURCE_DIR}/scripts/commit.cmake
                  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/commit.def VERBATIM)
set_property(TARGET daelab_program APPEND PROPERTY BUILD_RPATH "$ORIGIN")       # in a wheel, as the library
target_link_options(daelab_program PRIVATE LINKER:--disable-new-dtags)
add_dependencies(daelab_program daelab_commit)

include(cmake/generated.cmake)
include(cmake/beside.cmake)
