# yardsticks.cmake - this library beside plain programs for the same work; the search for its constants
file(GLOB DAELAB_SPEED CONFIGURE_DEPENDS bench/speed/*.c)
add_executable(daelab-bench ${DAELAB_SPEED} bench/numbers/quantile.c $<TARGET_OBJECTS:daelab_problems>)
set_source_files_properties(bench/speed/plain_dop853.c PROPERTIES          # as numbers are stored
                            COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")
target_include_directories(daelab-bench PRIVATE include bench problems)
target_compile_definitions(daelab-bench PRIVATE _GNU_SOURCE)
target_link_libraries(daelab-bench PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_SUNDIALS})

# the search for the constants of the step-size controller (bench/speed/control)
file(GLOB DAELAB_CONTROL CONFIGURE_DEPENDS bench/speed/control/*.c)
add_executable(daelab-control ${DAELAB_CONTROL} $<TARGET_OBJECTS:daelab_problems>)
target_include_directories(daelab-control PRIVATE include problems src)
target_compile_definitions(daelab-control PRIVATE _GNU_SOURCE)
target_link_libraries(daelab-control PRIVATE daelab_flags daelab_static m)
