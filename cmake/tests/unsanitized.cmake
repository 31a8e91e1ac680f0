# unsanitized.cmake - the tests that a build with sanitizers leaves out
#
# Sanitizers look at what a line of C does with memory and with numbers; whether an answer is right is asked by the
# build without them. Left out is what is there for answers, and repeats what a test that is kept runs:
#
# - for every problem, form and method, the run that others make, once more: in other units, from another time, beside
#   other equations, in another order, with another slip, for longer (test_orders, test_dense, test_division are kept);
set(DAELAB_UNSANITIZED units origin company order_of_unknowns planted_changes long_runs)
# - what Python and the compiler of models take the time for: models in words (test_models_in_words and
#   test_derive_command are kept), and what Python shows of results (test_help runs the examples of every command).
list(APPEND DAELAB_UNSANITIZED derived_models derived_mapped derived_modes derived_events derived_examples
     axes animate compare report)
foreach(name ${DAELAB_UNSANITIZED})
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tests/test_${name}.c)
    message(FATAL_ERROR "cmake/tests/unsanitized.cmake leaves out test_${name}, which there is not")
  endif()
endforeach()
list(JOIN DAELAB_UNSANITIZED "|" names)
list(FILTER DAELAB_TESTS_C EXCLUDE REGEX "/test_(${names})[.]c$")
