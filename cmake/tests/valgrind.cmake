# valgrind.cmake - studies of the command line under valgrind
find_program(VALGRIND valgrind)
if(VALGRIND AND NOT DAELAB_SANITIZE)
  add_test(NAME valgrind COMMAND ${PROJECT_SOURCE_DIR}/tests/valgrind.sh ${VALGRIND}
                                 $<TARGET_FILE:daelab_program>)
  set_tests_properties(valgrind PROPERTIES ENVIRONMENT "DAELAB_TEST=valgrind")
endif()
