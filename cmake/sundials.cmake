# sundials.cmake - the SUNDIALS that is used: DAELAB_SUNDIALS, the targets of the library; what programs find it by at
# run time
# -DSUNDIALS_ROOT=DIR: another SUNDIALS than the system's (scripts/sundials builds one)
if(SUNDIALS_ROOT)
  get_filename_component(SUNDIALS_ROOT "${SUNDIALS_ROOT}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  if(SUNDIALS_DIR)
    string(FIND "${SUNDIALS_DIR}/" "${SUNDIALS_ROOT}/" DAELAB_ROOT_AT)
    if(NOT DAELAB_ROOT_AT EQUAL 0)
      unset(SUNDIALS_DIR CACHE)                 # found before the root was given
    endif()
  endif()
  if(NOT EXISTS "${SUNDIALS_ROOT}/include/sundials")
    message(FATAL_ERROR "SUNDIALS_ROOT=${SUNDIALS_ROOT} holds no SUNDIALS; "
                        "scripts/sundials builds one")
  endif()
endif()
# A SUNDIALS with vectors of OpenMP asks for OpenMP, one with MPI names MPI's C++ for programs in C++.
# Neither is used here: both may be empty.
find_package(OpenMP QUIET COMPONENTS C)
if(NOT TARGET OpenMP::OpenMP_C)
  add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
endif()
find_package(SUNDIALS REQUIRED)
if(NOT TARGET MPI::MPI_CXX)
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)
endif()
if(SUNDIALS_VERSION VERSION_LESS 6.4 OR SUNDIALS_VERSION VERSION_GREATER_EQUAL 8)
  message(FATAL_ERROR "daelab needs SUNDIALS 6.4 to 7.5; found ${SUNDIALS_VERSION}: ${SUNDIALS_DIR}")
elseif(SUNDIALS_VERSION VERSION_GREATER_EQUAL 7.6)
  message(WARNING "daelab is tested with SUNDIALS 6.4 to 7.5, not with ${SUNDIALS_VERSION}")
endif()
set(DAELAB_SUNDIALS)
foreach(part ida cvode arkode kinsol sunlinsoldense sunmatrixdense nvecserial)
  if(NOT TARGET SUNDIALS::${part}_shared)
    message(FATAL_ERROR "${SUNDIALS_DIR}: this SUNDIALS has no shared library of ${part}; "
                        "daelab needs one built with IDA, CVODE, ARKODE and KINSOL")
  endif()
  list(APPEND DAELAB_SUNDIALS SUNDIALS::${part}_shared)
endforeach()
if(TARGET SUNDIALS::core_shared)                # since version 7
  list(APPEND DAELAB_SUNDIALS SUNDIALS::core_shared)
endif()
message(STATUS "SUNDIALS ${SUNDIALS_VERSION}: ${SUNDIALS_DIR}")

# With a SUNDIALS where no loader looks, which only SUNDIALS_ROOT asks for, programs and libraries find it and all that
# it loads itself, installed too; what is packed may not (debian.cmake.in). CMake leaves out folders of this tree
# (build/sundials), and a DT_RUNPATH says nothing of the libraries that a library loads, a DT_RPATH does. Without one
# nothing that is installed has such a path.
get_target_property(DAELAB_CONFIGS SUNDIALS::ida_shared IMPORTED_CONFIGURATIONS)
list(GET DAELAB_CONFIGS 0 DAELAB_CONFIG)
get_target_property(DAELAB_IDA SUNDIALS::ida_shared IMPORTED_LOCATION_${DAELAB_CONFIG})
get_filename_component(DAELAB_SUNDIALS_FOLDER "${DAELAB_IDA}" DIRECTORY)
if(NOT DAELAB_SUNDIALS_FOLDER IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
  set(CMAKE_INSTALL_RPATH "${DAELAB_SUNDIALS_FOLDER}")
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
  add_link_options(LINKER:--disable-new-dtags)
endif()
