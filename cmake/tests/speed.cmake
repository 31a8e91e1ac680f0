# speed.cmake - plain programs for the same work

# the yardsticks of speed, one round each: they fail where the library and the program beside it do not agree,
# never for a time
foreach(yardstick cros derivatives oneshot dop853)
  add_test(NAME yardstick_${yardstick} COMMAND daelab-bench ${yardstick} 1)
endforeach()
if(TARGET daelab-bench-idas)
  add_test(NAME yardstick_idas COMMAND daelab-bench-idas pendulum 1)
endif()
