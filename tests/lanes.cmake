# cmake -DCOMPILER=... -DROOT=... -P lanes.cmake: every problem's equations compile for a vector of
# doubles, and those of fail_lanes.c do not
file(GLOB problems ${ROOT}/problems/*.c)
list(REMOVE_ITEM problems ${ROOT}/problems/table.c)
function(compile problem result said)
  execute_process(COMMAND ${COMPILER} -std=gnu11 -Wall -Wextra -Werror -Wno-psabi -fsyntax-only -I${ROOT}/include
                          -I${ROOT}/problems "-DPROBLEM=\"${problem}\"" ${ROOT}/tests/lanes.c
                  RESULT_VARIABLE code ERROR_VARIABLE words)
  set(${result} ${code} PARENT_SCOPE)
  set(${said} "${words}" PARENT_SCOPE)
endfunction()
foreach(problem ${problems})
  compile(${problem} code words)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${problem}: ${words}")
  endif()
endforeach()
list(LENGTH problems count)
compile(${ROOT}/tests/fail_lanes.c code words)
if(count LESS 20 OR code EQUAL 0 OR NOT words MATCHES "F\\[0\\] = 0")
  message(FATAL_ERROR "of ${count} problems; f[0] = 0: ${code} ${words}")
endif()
