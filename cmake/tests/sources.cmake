# sources.cmake - what compilers say of sources and headers, here and for other machines

# a program in C++ over the headers
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
endif()
if(NOT CMAKE_CXX_COMPILER)
  message(STATUS "The test in C++ is left out: there is no C++ compiler")
elseif(DAELAB_SANITIZE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
  message(STATUS "The test in C++ is left out: sanitizers of two compilers do not mix")
else()
  add_executable(cpp_user tests/cpp_user.cpp $<TARGET_OBJECTS:daelab_problems>)
  set_target_properties(cpp_user PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
                        CXX_EXTENSIONS OFF)
  target_compile_options(cpp_user PRIVATE -pedantic -Wall -Wextra
                         $<$<BOOL:${DAELAB_WERROR}>:-Werror>)
  target_link_libraries(cpp_user PRIVATE daelab m)
  add_test(NAME cpp_user COMMAND cpp_user)
endif()

# Compilers say the same of a source whether it is sanitized or not.
if(DAELAB_SANITIZE)
  return()
endif()

# the sources for another machine and by another C library, where there are compilers for them
foreach(compiler aarch64-linux-gnu-gcc musl-gcc)
  find_program(DAELAB_CROSS_${compiler} ${compiler})
  if(DAELAB_CROSS_${compiler})
    add_test(NAME cross_${compiler} COMMAND ${PROJECT_SOURCE_DIR}/scripts/cross ${compiler} -fsyntax-only)
    set_tests_properties(cross_${compiler} PROPERTIES ENVIRONMENT "BUILD=${PROJECT_BINARY_DIR}")
  endif()
endforeach()

# what one C library has and another has not stands in the files that are for it
add_test(NAME portable COMMAND ${PROJECT_SOURCE_DIR}/tests/portable.sh ${PROJECT_SOURCE_DIR})

# no line of code has more than 120 characters (grep ends with 1 where it finds none, with 2 where it cannot look)
add_test(NAME long_lines
         COMMAND sh -c "LC_ALL=C.UTF-8 grep -rnE --exclude-dir=.* --include=*.[ch] --include=*.def --include=*.cpp \
                        --include=*.in --include=*.py --include=*.sh --include=*.cmake '.{121}' include src bench \
                        tools python tests problems derive examples templates cmake; test $? -eq 1"
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

# what loses a derivative or digits in a model is an error, and says so
add_test(NAME refused COMMAND ${PROJECT_SOURCE_DIR}/tests/refused.sh ${PROJECT_SOURCE_DIR}/include
                              ${CMAKE_C_COMPILER})

# the equations of problems are written so that a vector of doubles can take the place of a real
add_test(NAME lanes COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_C_COMPILER}
                            -DROOT=${PROJECT_SOURCE_DIR}
                            -P ${PROJECT_SOURCE_DIR}/tests/lanes.cmake)

# NaN and dual numbers do not survive -ffast-math: models and each file of the library refuse it,
# programs not
add_test(NAME fast_math_refuses_library
         COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_C_COMPILER} -DROOT=${PROJECT_SOURCE_DIR}
                 -DINCLUDE=${KLU_INCLUDE_DIR} -P ${PROJECT_SOURCE_DIR}/tests/fast_math.cmake)
set(refuses_model.h problems/pendulum.c)
set(accepts_program tests/accept_fast_math.c)
foreach(what refuses_model.h accepts_program)
  add_test(NAME fast_math_${what}
           COMMAND ${CMAKE_C_COMPILER} -std=gnu11 -ffast-math -fsyntax-only
                   -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                   ${PROJECT_SOURCE_DIR}/${${what}})
endforeach()
set_tests_properties(fast_math_refuses_model.h PROPERTIES
                     PASS_REGULAR_EXPRESSION "must not be compiled with -ffast-math")

# headers: each alone, in C and C++; what they declare and what the libraries define
add_test(NAME headers COMMAND ${PROJECT_SOURCE_DIR}/tests/headers.sh ${PROJECT_SOURCE_DIR}/include
                              ${CMAKE_C_COMPILER})
if(NOT DAELAB_LINK_SHARED)
  add_test(NAME symbols COMMAND ${PROJECT_SOURCE_DIR}/tests/symbols.sh ${PROJECT_SOURCE_DIR}/include
                                ${CMAKE_C_COMPILER} ${CMAKE_NM} $<TARGET_FILE:daelab>
                                $<TARGET_FILE:daelab_static>)
endif()
