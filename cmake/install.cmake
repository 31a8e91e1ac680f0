# install.cmake - what is installed, the CMake package and the pkg-config file
include(CMakePackageConfigHelpers)
set(DAELAB_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/daelab)

install(TARGETS daelab EXPORT daelab_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS daelab_static EXPORT daelab_static_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS daelab_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/daelab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY derive DESTINATION ${CMAKE_INSTALL_DATADIR}/daelab FILES_MATCHING PATTERN "*.py"
        PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY python/daelab DESTINATION ${CMAKE_INSTALL_DATADIR}/daelab/python FILES_MATCHING PATTERN "*.py"
        PATTERN "templates/page.*" PATTERN "__pycache__" EXCLUDE)
install(FILES LICENSE CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- find_package(daelab): the shared library alone; find_package(daelab COMPONENTS static): the other, too
install(EXPORT daelab_targets NAMESPACE daelab:: FILE daelabTargets.cmake DESTINATION ${DAELAB_CMAKE_FOLDER})
install(EXPORT daelab_static_targets NAMESPACE daelab:: FILE daelabStaticTargets.cmake
        DESTINATION ${DAELAB_CMAKE_FOLDER})
set(DAELAB_SUNDIALS_HINT "")
set(DAELAB_PRIVATE_FOLDER "")
if(NOT DAELAB_SUNDIALS_FOLDER IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)        # where nobody would look for it
  set(DAELAB_SUNDIALS_HINT "HINTS \"${SUNDIALS_DIR}\"")
  set(DAELAB_PRIVATE_FOLDER "-L${DAELAB_SUNDIALS_FOLDER} -Wl,-rpath,${DAELAB_SUNDIALS_FOLDER} ")
endif()
configure_package_config_file(scripts/daelabConfig.cmake.in daelabConfig.cmake
                              INSTALL_DESTINATION ${DAELAB_CMAKE_FOLDER})
write_basic_package_version_file(daelabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/daelabConfig.cmake ${PROJECT_BINARY_DIR}/daelabConfigVersion.cmake
        DESTINATION ${DAELAB_CMAKE_FOLDER})

# ---- pkg-config: what the static library needs besides stands in Libs.private
# A library as the linker's word for it: /usr/lib/libklu.so as -lklu.
function(daelab_linker_words result)
  set(words "")
  foreach(library IN LISTS ARGN)
    if(library MATCHES "/lib([^/]+)[.](so|a|dylib)[^/]*$")
      set(library "-l${CMAKE_MATCH_1}")
    elseif(NOT library MATCHES "^-")
      set(library "-l${library}")
    endif()
    list(APPEND words "${library}")
  endforeach()
  list(REMOVE_DUPLICATES words)
  list(JOIN words " " words)
  set(${result} "${words}" PARENT_SCOPE)
endfunction()
set(DAELAB_SUNDIALS_NAMES ${DAELAB_SUNDIALS})
list(TRANSFORM DAELAB_SUNDIALS_NAMES REPLACE "SUNDIALS::(.+)_shared" "sundials_\\1")
set(DAELAB_MPI_LIBRARIES "")                            # a SUNDIALS 7 with MPI: its SUN_COMM_NULL is MPI's
if(SUNDIALS_VERSION VERSION_GREATER_EQUAL 7 AND TARGET MPI::MPI_C)
  set(DAELAB_MPI_LIBRARIES ${MPI_C_LIBRARIES})
endif()
daelab_linker_words(DAELAB_LIBS_PRIVATE ${DAELAB_SUNDIALS_NAMES} ${DAELAB_MPI_LIBRARIES} ${KLU_LIBRARY}
                    ${LAPACK_LIBRARIES} ${CMAKE_DL_LIBS} m)
file(RELATIVE_PATH DAELAB_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" DAELAB_PC_PREFIX "${DAELAB_PC_PREFIX}")
set(DAELAB_QUAD_WORDS ${DAELAB_QUAD_FLAGS})             # what models need besides
list(TRANSFORM DAELAB_QUAD_WORDS PREPEND " ")
set(DAELAB_QUAD_LINKED ${DAELAB_QUAD_LIBRARY})
list(TRANSFORM DAELAB_QUAD_LINKED PREPEND " -l")
configure_file(scripts/daelab.pc.in daelab.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/daelab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
