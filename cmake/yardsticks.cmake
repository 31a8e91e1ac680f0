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

# Its functions have the names of those of IDA, which it takes the place of here.
if(TARGET SUNDIALS::idas_shared AND TARGET SUNDIALS::sunlinsolklu_shared AND TARGET SUNDIALS::sunmatrixsparse_shared)
  set(DAELAB_WITH_IDAS ${DAELAB_SUNDIALS})
  list(TRANSFORM DAELAB_WITH_IDAS REPLACE "SUNDIALS::ida_shared" "SUNDIALS::idas_shared")
  add_executable(daelab-bench-idas tools/speed/idas/idas.c tools/speed/library.c tools/speed/rounds.c
                 $<TARGET_OBJECTS:daelab_bench_objects> $<TARGET_OBJECTS:daelab_problems>)
  target_include_directories(daelab-bench-idas PRIVATE include bench problems tools)
  target_compile_definitions(daelab-bench-idas PRIVATE _GNU_SOURCE)
  target_link_libraries(daelab-bench-idas PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_WITH_IDAS}
                        SUNDIALS::sunlinsolklu_shared SUNDIALS::sunmatrixsparse_shared ${DAELAB_BENCH_LIBRARIES})
endif()
