# docs.cmake - commands and outputs of README and of each page, and the links of all of them
if(DAELAB_SANITIZE)
  return()
endif()
add_test(NAME readme COMMAND ${PROJECT_SOURCE_DIR}/tests/readme.sh ${PROJECT_SOURCE_DIR}
                             ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${SUNDIALS_DIR})
set_tests_properties(readme PROPERTIES ENVIRONMENT "DAELAB_TEST=readme")
if(DAELAB_PYTHON3)
  set(script ${DAELAB_PYTHON3} ${PROJECT_SOURCE_DIR}/tests/docs.py)
  add_test(NAME docs_links COMMAND ${script} links ${PROJECT_SOURCE_DIR})
  file(GLOB DAELAB_PAGES RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS *.md docs/*.md examples/*.md)
  foreach(page ${DAELAB_PAGES})
    string(REGEX REPLACE "[^A-Za-z0-9_]" "_" name ${page})
    add_test(NAME docs_${name} COMMAND ${script} commands ${PROJECT_SOURCE_DIR} $<TARGET_FILE:daelab_program>
                                       ${CMAKE_C_COMPILER} ${page})
    set_tests_properties(docs_${name} PROPERTIES FIXTURES_REQUIRED cache
                         ENVIRONMENT "DAELAB_CACHE=${PROJECT_BINARY_DIR}/test-cache")
  endforeach()
endif()
