# yardsticks.cmake - this library beside plain programs for the same work
file(GLOB DAELAB_SPEED CONFIGURE_DEPENDS tools/speed/*.c)
add_executable(daelab-bench ${DAELAB_SPEED} $<TARGET_OBJECTS:daelab_bench_objects>
               $<TARGET_OBJECTS:daelab_problems>)
set_source_files_properties(tools/speed/plain_dop853.c PROPERTIES          # as numbers are stored
                            COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")
target_include_directories(daelab-bench PRIVATE include bench problems)
target_compile_definitions(daelab-bench PRIVATE _GNU_SOURCE)
target_link_libraries(daelab-bench PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_SUNDIALS}
                      ${DAELAB_BENCH_LIBRARIES})
