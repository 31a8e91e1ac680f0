# mpi.cmake - what speaks MPI is an object of its own, so that nobody else needs it, or waits for it
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  list(GET DAELAB_PLATFORM_SOURCES 0 DAELAB_PLATFORM_SOURCE)        # for the cores
  add_library(daelab_mpi MODULE bench/mpi/rank_link.c ${DAELAB_PLATFORM_SOURCE})
  target_compile_definitions(daelab_mpi PRIVATE _GNU_SOURCE)
  set_target_properties(daelab_mpi PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  target_include_directories(daelab_mpi PRIVATE include bench)
  target_link_libraries(daelab_mpi PRIVATE daelab_flags MPI::MPI_C)
  install(TARGETS daelab_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/daelab COMPONENT mpi)
else()
  message(STATUS "There is no MPI: studies run on one machine")
endif()
