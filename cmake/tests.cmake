# tests.cmake - the tests
enable_testing()
find_package(cmocka REQUIRED)
include(cmake/tests/programs.cmake)
include(cmake/tests/models.cmake)
include(cmake/tests/by_hand.cmake)
include(cmake/tests/speed.cmake)
include(cmake/tests/sources.cmake)
include(cmake/tests/installed.cmake)
include(cmake/tests/python.cmake)
include(cmake/tests/docs.cmake)
include(cmake/tests/valgrind.cmake)

# What daelab runs in Python is run by one that has all modules, which is looked for here, once.
daelab_find_python("sympy, yaml, pandas, matplotlib, jinja2" DAELAB_WHOLE_PYTHON)
get_property(tests DIRECTORY PROPERTY TESTS)
foreach(test ${tests})
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "DAELAB_PYTHON=${DAELAB_WHOLE_PYTHON}")
endforeach()

# CTest begins with those that take longest, so that none of them is left alone at the end; it knows of none in a build
# where it has not yet run.
foreach(test test_help valgrind readme packaged test_outputs test_derived_modes derive_whole_way)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES COST 100)
  endif()
endforeach()
