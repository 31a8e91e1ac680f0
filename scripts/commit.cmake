# commit.cmake - write the commit of the source in ROOT to OUT, as a string of C: "1a2b3c4d5e6f", "..-dirty" where
# files differ from it, "" where ROOT is no clone of its own. OUT is left alone where nothing changed.
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --show-cdup OUTPUT_VARIABLE above RESULT_VARIABLE lacks
                  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(lacks EQUAL 0 AND above STREQUAL "")
    execute_process(COMMAND ${GIT} -C ${ROOT} describe --always --dirty --abbrev=12 --match "v[0-9]*"
                    OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
set(text "\"${commit}\"\n")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
