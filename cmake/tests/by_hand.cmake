# by_hand.cmake - programs beside the tests, for people

# verdicts with other parameters, by the hour: not a test
add_executable(daelab-orders EXCLUDE_FROM_ALL tests/random_orders.c
               $<TARGET_OBJECTS:daelab_problems> $<TARGET_OBJECTS:daelab_bench_objects>)
target_compile_definitions(daelab-orders PRIVATE _GNU_SOURCE)
target_include_directories(daelab-orders PRIVATE include src bench problems tests)
target_link_libraries(daelab-orders PRIVATE daelab_flags daelab_static ${DAELAB_BENCH_LIBRARIES} cmocka)

# the coefficients of Radau IIA from their definition, which src/stepper/radau_tableaux.def holds
add_executable(daelab-tableaux EXCLUDE_FROM_ALL tests/write_tableaux.c)
target_include_directories(daelab-tableaux PRIVATE include src)
target_link_libraries(daelab-tableaux PRIVATE daelab_flags m)

# every change that test_planted_changes takes a part of: some minutes, not a test
add_executable(daelab-planted EXCLUDE_FROM_ALL tests/all_planted.c
               $<TARGET_OBJECTS:daelab_problems> $<TARGET_OBJECTS:daelab_bench_objects>)
target_compile_definitions(daelab-planted PRIVATE _GNU_SOURCE)
target_include_directories(daelab-planted PRIVATE include src bench problems tests)
target_link_libraries(daelab-planted PRIVATE daelab_flags daelab_static ${DAELAB_BENCH_LIBRARIES} cmocka)
