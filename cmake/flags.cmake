# flags.cmake - what everything is compiled with: daelab_flags
include(CheckCCompilerFlag)

# Complex multiplication without the check for infinities: it is dual multiplication here.
check_c_compiler_flag(-fcx-limited-range DAELAB_HAVE_CX_LIMITED_RANGE)
check_c_compiler_flag(-ftrack-macro-expansion=0 DAELAB_HAVE_TRACK_MACRO_EXPANSION)
# Enumerators are ints, which are doubles without rounding; clang 19 warns of them as of C++20.
check_c_compiler_flag(-Wenum-float-conversion DAELAB_HAVE_ENUM_FLOAT)
add_library(daelab_flags INTERFACE)
target_compile_options(daelab_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -fno-math-errno
                       $<$<BOOL:${DAELAB_HAVE_ENUM_FLOAT}>:-Wno-enum-float-conversion>
                       $<$<BOOL:${DAELAB_HAVE_CX_LIMITED_RANGE}>:-fcx-limited-range>
                       $<$<BOOL:${DAELAB_WERROR}>:-Werror>)

# quad functions: of the C library, or of libquadmath (include/daelab/quad.h)
include(scripts/quad.cmake)
target_compile_options(daelab_flags INTERFACE ${DAELAB_QUAD_FLAGS})
target_link_libraries(daelab_flags INTERFACE ${DAELAB_QUAD_LIBRARY})

if(DAELAB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
