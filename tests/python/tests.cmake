# The tests of the module daelab.
daelab_find_python(numpy DAELAB_NUMPY_PYTHON)
if(NOT DAELAB_NUMPY_PYTHON)
  message(STATUS "The tests of the Python module are left out: there is no python3")
elseif(DAELAB_SANITIZE)
  message(STATUS "The tests of the Python module are left out: Python is not built with sanitizers")
else()
  file(GLOB DAELAB_TESTS_OF_MODULE CONFIGURE_DEPENDS tests/python/test_*.py)
  foreach(source ${DAELAB_TESTS_OF_MODULE})
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "python_" name ${name})
    add_test(NAME ${name} COMMAND ${DAELAB_NUMPY_PYTHON} ${PROJECT_SOURCE_DIR}/tests/run.py ${source})
    set(environment PYTHONDONTWRITEBYTECODE=1 DAELAB_LIBRARY=$<TARGET_FILE:daelab> CC=${CMAKE_C_COMPILER}
                    DAELAB_PROGRAM=$<TARGET_FILE:daelab_program> DAELAB_CACHE=${PROJECT_BINARY_DIR}/test-cache)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_REQUIRED cache
                         ENVIRONMENT "${environment}")
  endforeach()
endif()
