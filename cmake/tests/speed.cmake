# speed.cmake - work that is counted, and plain programs for the same work

# the yardsticks of speed, one round each: they fail where the library and the program beside it do not agree,
# never for a time
foreach(yardstick cros oneshot dop853)
  add_test(NAME yardstick_${yardstick} COMMAND daelab-bench ${yardstick} 1)
endforeach()

# the step-size controller on the sample of its search, by counted work: limits of bench/speed/control/search.md
foreach(limit rodas4=4.02e4 dopri5=7.79e4)
  string(REPLACE "=" ";" limit ${limit})
  list(GET limit 0 method)
  list(GET limit 1 operations)
  add_test(NAME control_${method}
           COMMAND daelab-control sample ${method} pi=0.7,-0.4,0,1,0.9,5,20,5,1e-4 bound=1.05
                   operations=${operations})
endforeach()
