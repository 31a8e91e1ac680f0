# installed.cmake - what is installed, as its users have it
if(NOT DAELAB_SANITIZE AND NOT DAELAB_LINK_SHARED)
  add_test(NAME installed COMMAND ${PROJECT_SOURCE_DIR}/tests/installed.sh ${PROJECT_SOURCE_DIR}
                                  ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
  set_tests_properties(installed PROPERTIES ENVIRONMENT "DAELAB_TEST=installed" RESOURCE_LOCK install_manifest)
  if(CMAKE_CXX_COMPILER)
    add_test(NAME packaged COMMAND ${PROJECT_SOURCE_DIR}/tests/packaged.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
                                   ${CMAKE_COMMAND} ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
    set_tests_properties(packaged PROPERTIES RESOURCE_LOCK install_manifest)
  endif()
  add_test(NAME manual COMMAND ${PROJECT_SOURCE_DIR}/tests/manual.sh $<TARGET_FILE:daelab_program>
                               ${PROJECT_BINARY_DIR}/manual)
  add_test(NAME uninstalled COMMAND ${PROJECT_SOURCE_DIR}/tests/uninstalled.sh ${PROJECT_SOURCE_DIR} ${CMAKE_COMMAND})
  find_program(DAELAB_BASH bash)
  if(DAELAB_BASH)
    add_test(NAME completion COMMAND ${DAELAB_BASH} ${PROJECT_SOURCE_DIR}/tests/completion.sh ${PROJECT_BINARY_DIR})
  endif()
  add_test(NAME examples COMMAND ${PROJECT_SOURCE_DIR}/tests/examples.sh ${PROJECT_SOURCE_DIR}
                                 ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND} ${CMAKE_C_COMPILER})
  set_tests_properties(examples PROPERTIES RESOURCE_LOCK install_manifest)
endif()
