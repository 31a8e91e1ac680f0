/* sizes.h - includes KERNEL for the sizes 2 .. 6 with all loops written out, and once for any size
 *
 * With N known the entries stay in registers, and no counting stands between one pivot and the
 * next: single bodies (5, 6 unknowns) take two thirds of the time of the general loop. From 7
 * unknowns on the code would be large and gain nothing. In KERNEL, SIZED(name) is a name of its own
 * for each size, and UNROLL stands before a loop to be written out.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 6")
#else
#define UNROLL                  /* clang writes short loops out by itself */
#endif
#define N 2
#define SIZED(name) name##_2
#include KERNEL
#undef N
#undef SIZED
#define N 3
#define SIZED(name) name##_3
#include KERNEL
#undef N
#undef SIZED
#define N 4
#define SIZED(name) name##_4
#include KERNEL
#undef N
#undef SIZED
#define N 5
#define SIZED(name) name##_5
#include KERNEL
#undef N
#undef SIZED
#define N 6
#define SIZED(name) name##_6
#include KERNEL
#undef N
#undef SIZED
#undef UNROLL
#define UNROLL
#define N n
#define SIZED(name) name##_n
#include KERNEL
#undef N
#undef SIZED
#undef UNROLL
#undef KERNEL

/* The place of size n in a table of kernels. */
#define SIZES 7
#define BY_SIZE(name) {name##_n, name##_n, name##_2, name##_3, name##_4, name##_5, name##_6}
