# crosscheck.cmake - every problem by every form and method: scripts/crosscheck
file(GLOB DAELAB_CROSSCHECK CONFIGURE_DEPENDS tools/crosscheck/*.c)
list(REMOVE_ITEM DAELAB_CROSSCHECK ${PROJECT_SOURCE_DIR}/tools/crosscheck/main.c)
add_library(daelab_crosscheck_objects OBJECT ${DAELAB_CROSSCHECK})
target_compile_definitions(daelab_crosscheck_objects PRIVATE _GNU_SOURCE)
target_include_directories(daelab_crosscheck_objects PUBLIC include bench problems)
target_link_libraries(daelab_crosscheck_objects PRIVATE daelab_flags ${DAELAB_BENCH_LIBRARIES})
add_executable(daelab-crosscheck tools/crosscheck/main.c
               $<TARGET_OBJECTS:daelab_crosscheck_objects> $<TARGET_OBJECTS:daelab_bench_objects>
               $<TARGET_OBJECTS:daelab_problems>)
target_include_directories(daelab-crosscheck PRIVATE include bench tools/crosscheck problems)
target_compile_definitions(daelab-crosscheck PRIVATE _GNU_SOURCE)
target_link_libraries(daelab-crosscheck PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_BENCH_LIBRARIES})
