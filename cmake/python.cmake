# python.cmake - which Python runs a test

find_program(DAELAB_PYTHON3 python3)
# Itself: the one of PATH may be a script that chooses a Python, and takes longer to do so than Python to begin.
if(DAELAB_PYTHON3)
  execute_process(COMMAND ${DAELAB_PYTHON3} -c "import sys; print(sys.executable, end='')"
                  OUTPUT_VARIABLE DAELAB_PYTHON3)
endif()

# result := a python3 that imports the modules ("numpy"; "sympy, yaml"): that of PATH, else the distribution's. Where
# none does, that of PATH, by which a test says why it is skipped; empty where there is no Python.
function(daelab_find_python modules result)
  set(found ${DAELAB_PYTHON3})
  foreach(python ${DAELAB_PYTHON3} /usr/bin/python3)
    if(EXISTS ${python})
      execute_process(COMMAND ${python} -c "import ${modules}" RESULT_VARIABLE lacks OUTPUT_QUIET ERROR_QUIET)
      if(lacks EQUAL 0)
        set(found ${python})
        break()
      endif()
    endif()
  endforeach()
  if(NOT found)                                 # find_program answers NOTFOUND
    set(found "")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
