# problems.cmake - every file of problems/, listed in problems/table.def
file(GLOB DAELAB_PROBLEMS CONFIGURE_DEPENDS problems/*.c)
add_library(daelab_problems OBJECT ${DAELAB_PROBLEMS})
target_include_directories(daelab_problems PUBLIC include problems)
target_link_libraries(daelab_problems PRIVATE daelab_flags)
set_target_properties(daelab_problems PROPERTIES C_VISIBILITY_PRESET hidden)

# the same as a shared object, for programs in other languages
add_library(daelab_problems_module MODULE problems/shared/plugin.c $<TARGET_OBJECTS:daelab_problems>)
set_target_properties(daelab_problems_module PROPERTIES PREFIX "" OUTPUT_NAME daelab_problems
                      C_VISIBILITY_PRESET hidden)
target_include_directories(daelab_problems_module PRIVATE include problems)
target_link_libraries(daelab_problems_module PRIVATE daelab_flags m)
install(TARGETS daelab_problems_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/daelab)
