/* band_sizes.h - BAND_KERNEL is included for bandwidths of 2 to 8, and once for any: as by sizes.h, and two more, of
 * beams and of chains in the GGL form. Solving takes two thirds of the time there with loops written out;
 * factoring gains nothing, complex values lose a fifth. */
#define KERNEL BAND_KERNEL
#define LARGER_KERNEL BAND_KERNEL
#define LARGER_MOST 8
#include "base/sizes.h"
#undef LARGER_MOST

/* The place of bandwidth K in a table of kernels. */
#define BAND_BY_SIZE(name)                                                                     \
    {name##_n, name##_n, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8}
enum { BAND_SIZES = 9 };

static inline int band_kernel_of(int K)
{
    return K < BAND_SIZES ? K : 0;
}
