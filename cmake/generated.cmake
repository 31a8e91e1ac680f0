# generated.cmake - what the program holds as strings: templates, help topics, the compiler's flags
# a file as a string of C
function(daelab_quote file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# the files that daelab new writes, as strings; the first where no option says which
set(DAELAB_TEMPLATES "")
foreach(template mechanical.c=O_HELP first_order.c=O_FIRST_ORDER switching.c=O_SWITCHING method.c=O_A_METHOD
        model.yaml=O_WORDS)
  string(REGEX MATCH "^([a-z_]+)[.]([a-z]+)=(.*)$" template "${template}")
  set(file ${PROJECT_SOURCE_DIR}/templates/${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
  set(ending ${CMAKE_MATCH_2})
  set(option ${CMAKE_MATCH_3})
  daelab_quote(${file} text)
  string(APPEND DAELAB_TEMPLATES "{${option}, \"${ending}\",\n${text}},\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/templates.def CONTENT "${DAELAB_TEMPLATES}")

# the pages of daelab help, as strings; the first line is "NAME - title"
set(DAELAB_TOPICS "")
file(GLOB topics CONFIGURE_DEPENDS docs/help/*.txt)
foreach(file IN LISTS topics)
  get_filename_component(name ${file} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REGEX MATCH "^${name} - ([^\n]*)" title "${text}")
  if(NOT title)
    message(FATAL_ERROR "${file} does not begin with '${name} - ' and a title")
  endif()
  set(title "${CMAKE_MATCH_1}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  string(APPEND DAELAB_TOPICS "{\"${name}\", \"${title}\",\n\"${text}\"},\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/topics.def CONTENT "${DAELAB_TOPICS}")

# how daelab compiles a model: with the flags of its own, and warnings as errors
string(TOUPPER "${CMAKE_BUILD_TYPE}" DAELAB_CONFIG)
separate_arguments(DAELAB_MODEL_FLAGS UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${DAELAB_CONFIG}}")
list(APPEND DAELAB_MODEL_FLAGS -std=gnu11 -Wall -Wextra -Wconversion -Wshadow -Werror -fno-math-errno
     ${DAELAB_QUAD_FLAGS})
if(DAELAB_HAVE_CX_LIMITED_RANGE)
  list(APPEND DAELAB_MODEL_FLAGS -fcx-limited-range)
endif()
if(DAELAB_HAVE_TRACK_MACRO_EXPANSION)           # an error is said of the line of the model alone
  list(APPEND DAELAB_MODEL_FLAGS -ftrack-macro-expansion=0)
endif()
if(DAELAB_SANITIZE)
  list(APPEND DAELAB_MODEL_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all
       -fno-omit-frame-pointer -g1)
endif()
set(DAELAB_MODEL_FLAG_LINES "")
foreach(flag IN LISTS DAELAB_MODEL_FLAGS)
  string(REPLACE "\\" "\\\\" flag "${flag}")
  string(REPLACE "\"" "\\\"" flag "${flag}")
  string(APPEND DAELAB_MODEL_FLAG_LINES "\"${flag}\",\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/compiler_flags.def
     CONTENT "${DAELAB_MODEL_FLAG_LINES}")

# with which flags the program was compiled: stands in its results
string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${DAELAB_CONFIG}}" DAELAB_BUILD_FLAGS)
string(REPLACE "\"" "" DAELAB_BUILD_FLAGS "${DAELAB_BUILD_FLAGS}")
set_source_files_properties(bench/output/provenance.c PROPERTIES COMPILE_DEFINITIONS
  "DAELAB_BUILD_FLAGS=\"${DAELAB_BUILD_FLAGS}\";DAELAB_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
