# models.cmake - models and methods that tests load, or are linked with

# the same model twice, apart where no probe looks
foreach(push 1 2)
  add_library(late_branch_${push} MODULE tests/late_branch.c)
  target_compile_definitions(late_branch_${push} PRIVATE PUSH=${push})
  target_include_directories(late_branch_${push} PRIVATE include)
  target_link_libraries(late_branch_${push} PRIVATE daelab_flags)
  add_dependencies(test_cache late_branch_${push})
  target_compile_definitions(test_cache PRIVATE
                             LATE_BRANCH_${push}="$<TARGET_FILE:late_branch_${push}>")
endforeach()
target_link_libraries(test_cache PRIVATE ${CMAKE_DL_LIBS})

# shared objects that are to be refused, each for one reason
foreach(kind RANGE 1 18)
  add_library(broken_plugin_${kind} MODULE tests/broken_plugin.c)
  target_compile_definitions(broken_plugin_${kind} PRIVATE KIND=${kind})
  target_include_directories(broken_plugin_${kind} PRIVATE include)
  target_link_libraries(broken_plugin_${kind} PRIVATE daelab_flags)
  add_dependencies(test_plugins broken_plugin_${kind})
  target_compile_definitions(test_plugins PRIVATE
                             BROKEN_PLUGIN_${kind}="$<TARGET_FILE:broken_plugin_${kind}>")
endforeach()
add_dependencies(test_plugins daelab_program)
target_compile_definitions(test_plugins PRIVATE COMPILER="${CMAKE_C_COMPILER}")
target_compile_definitions(test_resume PRIVATE COMPILER="${CMAKE_C_COMPILER}")
if(DAELAB_SANITIZE)
  target_compile_definitions(test_plugins PRIVATE SANITIZER_FLAGS="-fsanitize=address,undefined")
else()
  target_compile_definitions(test_plugins PRIVATE SANITIZER_FLAGS="")
endif()

# a solver of another hand as a method
file(GLOB DAELAB_FOREIGN examples/foreign/*.c)
add_library(foreign_method MODULE ${DAELAB_FOREIGN})
target_include_directories(foreign_method PRIVATE include)
target_link_libraries(foreign_method PRIVATE daelab_flags m)
add_dependencies(test_foreign foreign_method daelab_program)
target_compile_definitions(test_foreign PRIVATE FOREIGN_METHOD="$<TARGET_FILE:foreign_method>")

# problems that test_check_unusual finds nothing wrong with, and some with one slip each
file(GLOB DAELAB_UNUSUAL CONFIGURE_DEPENDS tests/unusual/*.c tests/wrong/*.c)
target_sources(test_check_unusual PRIVATE ${DAELAB_UNUSUAL})
target_sources(test_skaters PRIVATE tests/unusual/skaters.c)
target_sources(test_rank_loss PRIVATE tests/unusual/parallelogram.c tests/unusual/four_bar.c)
target_sources(test_reference PRIVATE tests/unusual/uncharged.c)
target_sources(test_hidden_start PRIVATE tests/unusual/uncharged.c tests/unusual/index2_scales.c
               tests/unusual/index3_micrometres.c)
foreach(name nonholonomic nonholonomic_records skaters units company origin division)
  target_sources(test_${name} PRIVATE tests/unusual/coin.c)
endforeach()
