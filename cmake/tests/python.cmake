# python.cmake - tests in Python: of derive, of scripts, of the module daelab
include(cmake/python.cmake)
daelab_find_python("sympy, yaml" DAELAB_TEST_PYTHON)
if(DAELAB_TEST_PYTHON AND NOT DAELAB_SANITIZE)
  file(GLOB DAELAB_TESTS_PYTHON CONFIGURE_DEPENDS tests/derive/test_*.py)
  foreach(source ${DAELAB_TESTS_PYTHON})
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "derive_" name ${name})
    add_test(NAME ${name} COMMAND ${DAELAB_TEST_PYTHON} ${PROJECT_SOURCE_DIR}/tests/run.py ${source})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77
                         ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
  endforeach()
elseif(NOT DAELAB_TEST_PYTHON)
  message(STATUS "The tests of derive are left out: there is no python3")
endif()
if(DAELAB_PYTHON3 AND NOT DAELAB_SANITIZE)
  add_test(NAME accuracy COMMAND ${DAELAB_PYTHON3} ${PROJECT_SOURCE_DIR}/tests/accuracy.py ${PROJECT_SOURCE_DIR}
                                 $<TARGET_FILE:daelab_program>)
  if(DAELAB_TEST_PYTHON)                                # sympy comes with mpmath
    add_test(NAME gradients COMMAND ${DAELAB_TEST_PYTHON} ${PROJECT_SOURCE_DIR}/tests/gradients.py ${PROJECT_SOURCE_DIR}
                                    $<TARGET_FILE:daelab_program>)
    set_tests_properties(gradients PROPERTIES FIXTURES_REQUIRED cache
                         ENVIRONMENT "DAELAB_CACHE=${PROJECT_BINARY_DIR}/test-cache")
  endif()
  # what scripts/mutations.toml changes stands in the sources, once
  add_test(NAME mutations COMMAND ${DAELAB_PYTHON3} ${PROJECT_SOURCE_DIR}/scripts/mutate --list --drawn 0)
endif()

include(tests/python/tests.cmake)
