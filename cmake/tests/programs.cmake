# programs.cmake - every tests/test_*.c is a test of its own
file(GLOB DAELAB_TESTS_C CONFIGURE_DEPENDS tests/test_*.c)
include(CheckLibraryExists)
check_library_exists(quadmath sinq "" DAELAB_HAVE_LIBQUADMATH)
check_library_exists(m sinf128 "" DAELAB_HAVE_F128)
if(NOT DAELAB_HAVE_LIBQUADMATH OR NOT DAELAB_HAVE_F128)
  message(STATUS "Quad functions of libquadmath and of the C library are not compared: there are not both")
  list(FILTER DAELAB_TESTS_C EXCLUDE REGEX "/test_quad_libraries[.]c$")
endif()
# Those that define functions of the C library or of this one, or are built with more than the others, are programs of
# their own. The others are functions of one program, as most of the time of a build was that of their links.
set(DAELAB_TESTS_ALONE test_auto_memory test_no_allocation test_no_memory
    test_broken_methods test_cache test_plugins test_resume test_foreign test_check_unusual test_skaters
    test_rank_loss
    test_reference test_hidden_start test_nonholonomic test_nonholonomic_records test_units test_company test_origin
    test_division test_quad_libraries test_ranks test_narrow test_rounds test_crosscheck test_platform)

add_library(daelab_testing OBJECT tests/testing.c tests/small_models.c)
target_include_directories(daelab_testing PRIVATE include tests)
target_link_libraries(daelab_testing PRIVATE daelab_flags)

function(daelab_test_program target)
  add_executable(${target} ${ARGN} $<TARGET_OBJECTS:daelab_testing> $<TARGET_OBJECTS:daelab_problems>
                 $<TARGET_OBJECTS:daelab_bench_objects>)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE
                             DAELAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             DAELAB_PROGRAM="$<TARGET_FILE:daelab_program>")
  target_include_directories(${target} PRIVATE include src bench problems tests)
  target_link_libraries(${target} PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_BENCH_LIBRARIES} cmocka)
  # a test runs once or twice: to optimise it takes longer than it saves
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# A file that needs nothing but its tests has no main() (tests/testing.h); where one is added, cmake is run again.
set(together ${PROJECT_BINARY_DIR}/generated/tests_together.c)
set(declared)
set(listed)
set(sources_together)
foreach(source ${DAELAB_TESTS_C})
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} has_main REGEX "^int main\\(")
  if(name IN_LIST DAELAB_TESTS_ALONE)
    set(main_of_program)
    if(NOT has_main)
      set(main_of_program tests/main.c)
    endif()
    daelab_test_program(${name} ${source} ${main_of_program})
    add_test(NAME ${name} COMMAND ${name})
  else()
    list(APPEND sources_together ${source})
    if(has_main)
      set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS main=main_of_${name})
      string(APPEND declared "int main_of_${name}(void);\n")
      string(APPEND listed "    {\"${name}\", main_of_${name}},\n")
    else()
      string(APPEND listed "    {\"${name}\", NULL},\n")
    endif()
    add_test(NAME ${name} COMMAND daelab-tests ${name})
  endif()
  # no test reads or fills the user's cache of references
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED cache
                       ENVIRONMENT "DAELAB_CACHE=${PROJECT_BINARY_DIR}/test-cache;DAELAB_TEST=${name}")
endforeach()
configure_file(tests/together.c.in ${together} @ONLY)
daelab_test_program(daelab-tests ${together} ${sources_together})
add_test(NAME clear_cache COMMAND ${CMAKE_COMMAND} -E remove_directory
                                  ${PROJECT_BINARY_DIR}/test-cache)
set_tests_properties(clear_cache PROPERTIES FIXTURES_SETUP cache)

# ---- what some of them need besides
if(TARGET test_quad_libraries)
  target_link_libraries(test_quad_libraries PRIVATE quadmath)
endif()
if(TARGET daelab_mpi)
  add_dependencies(test_ranks daelab_mpi)
endif()
target_sources(test_rounds PRIVATE tools/speed/rounds.c)
target_include_directories(test_rounds PRIVATE tools)
target_sources(test_crosscheck PRIVATE $<TARGET_OBJECTS:daelab_crosscheck_objects>)
target_include_directories(test_crosscheck PRIVATE tools/crosscheck)

# the same questions to a system of which only POSIX is known
add_executable(posix_platform tests/test_platform.c tests/main.c bench/host/platform_posix.c
               $<TARGET_OBJECTS:daelab_testing>)
target_compile_definitions(posix_platform PRIVATE _GNU_SOURCE ANSWERS_UNKNOWN
                           DAELAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(posix_platform PRIVATE bench problems)
target_link_libraries(posix_platform PRIVATE daelab_flags ${DAELAB_LINKED} cmocka)
add_test(NAME posix_platform COMMAND posix_platform)
if(DAELAB_PLATFORM STREQUAL "posix")
  target_compile_definitions(test_platform PRIVATE ANSWERS_UNKNOWN)
endif()

# which tests come to SUNDIALS: scripts/test
add_library(touched MODULE tests/touched.c)
target_link_libraries(touched PRIVATE daelab_flags ${CMAKE_DL_LIBS})
