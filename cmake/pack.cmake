# pack.cmake - cpack: packages of Debian (-G DEB) and an archive (-G TGZ)

# Who packs: as Debian's own tools ask, else the author of the source, else nobody who can be written to.
function(daelab_maintainer result)
  set(name "$ENV{DEBFULLNAME}")
  set(address "$ENV{DEBEMAIL}")
  find_program(DAELAB_GIT git)
  if(NOT address AND DAELAB_GIT)
    execute_process(COMMAND ${DAELAB_GIT} -C ${PROJECT_SOURCE_DIR} log -1 "--format=%an|%ae"
                    OUTPUT_VARIABLE author OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(author MATCHES "^([^|]+)[|](.+)$")
      set(name "${CMAKE_MATCH_1}")
      set(address "${CMAKE_MATCH_2}")
    endif()
  endif()
  if(NOT address)
    set(name "the daelab authors")
    set(address "daelab@localhost")
  endif()
  set(${result} "${name} <${address}>" PARENT_SCOPE)
endfunction()
daelab_maintainer(DAELAB_AUTHOR)

set(CPACK_PACKAGE_NAME daelab)
set(CPACK_PACKAGE_VENDOR "the daelab authors")
set(DAELAB_MAINTAINER "${DAELAB_AUTHOR}" CACHE STRING "Who packs: name and address, for cpack -G DEB")
set(CPACK_PACKAGE_CONTACT "${DAELAB_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_VERBATIM_VARIABLES ON)

# Of Makefiles cpack would build all, with the tests; of other generators nothing: what is packed is built here.
add_custom_target(daelab_installed DEPENDS daelab daelab_static daelab_program daelab_problems_module)
foreach(target daelab_manual_pages daelab_mpi)
  if(TARGET ${target})
    add_dependencies(daelab_installed ${target})
  endif()
endforeach()
cmake_host_system_information(RESULT DAELAB_CORES QUERY NUMBER_OF_LOGICAL_CORES)
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_INSTALL_COMMANDS
    "\"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target daelab_installed --parallel ${DAELAB_CORES}")

# What speaks MPI is a package of its own: nobody else has to install MPI.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_DAELAB_PACKAGE_NAME daelab)
set(CPACK_COMPONENT_DAELAB_DESCRIPTION "Equations of motion with constraints, and M u' = F(t, u): solved in raw
index 3, index 2, index 1, stabilised and minimal coordinates, by CROS,
Radau IIA, Rosenbrock, explicit methods and those of SUNDIALS. The program
measures orders, drift and cost of each against references in quad
precision. Models are written in C, in Python or in words.
.
This package has the program, the library with its headers, and the module
of Python.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME daelab-mpi)
set(CPACK_COMPONENT_MPI_DESCRIPTION "What the program daelab needs to run a study on several ranks: with it,
mpirun daelab study FILE.yaml shares the runs among them.")
string(REGEX REPLACE "\n[.]\n" "\n\n" CPACK_COMPONENT_DAELAB_DESCRIPTION "${CPACK_COMPONENT_DAELAB_DESCRIPTION}")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "daelab (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# models of files are compiled, those in words derived; results are shown and compared; the module of Python has arrays
set(CPACK_DEBIAN_DAELAB_PACKAGE_RECOMMENDS "gcc, libc6-dev, python3-numpy, python3-sympy, python3-yaml, \
python3-pandas, python3-matplotlib, python3-jinja2")
# films; what the static library is linked with
set(CPACK_DEBIAN_DAELAB_PACKAGE_SUGGESTS "ffmpeg, libsundials-dev, libsuitesparse-dev, libopenblas-dev")
# which package a program needs that was linked with the library; that the loader is to look again
set(DAELAB_CONTROL ${PROJECT_BINARY_DIR}/control)
file(WRITE ${DAELAB_CONTROL}/shlibs "libdaelab ${DAELAB_SOVERSION} daelab (>= ${PROJECT_VERSION})\n")
file(WRITE ${DAELAB_CONTROL}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_DAELAB_PACKAGE_CONTROL_EXTRA ${DAELAB_CONTROL}/shlibs ${DAELAB_CONTROL}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# the files that a package of Debian has besides, or elsewhere (CMake 3.19 and later)
configure_file(scripts/debian.cmake.in debian.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian.cmake)
include(CPack)
