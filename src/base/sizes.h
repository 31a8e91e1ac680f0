/* sizes.h - the sizes for which kernels are compiled with all loops written out
 *
 * With a size known the entries stay in registers, and no counting stands between one pivot and the
 * next. Matrices: 2 .. 6; single bodies (5, 6 unknowns) take two thirds of the time of the general
 * loop, and from 7 unknowns on the code would be large and gain nothing. Mechanics: one body under
 * one constraint, in the plane and in space. Everywhere else there is only n.
 */
#ifndef DAE_SIZES_H
#define DAE_SIZES_H

typedef enum { DAE_ANY_BODY, DAE_PLANE_BODY, DAE_SPACE_BODY, DAE_BODIES } dae_body;

/* KERNEL_OF(name, nq): the bodies that have kernels of their own, with nl = 1. */
#define DAE_FOR_EACH_BODY(KERNEL_OF) KERNEL_OF(plane, 2) KERNEL_OF(space, 3)
#define DAE_BY_BODY(name) {name##_any, name##_plane, name##_space}

static inline dae_body dae_body_of(int nq, int nl)
{
    return nl != 1 ? DAE_ANY_BODY : nq == 2 ? DAE_PLANE_BODY : nq == 3 ? DAE_SPACE_BODY : DAE_ANY_BODY;
}

#endif

/* Where KERNEL is defined it is included for the sizes 2 .. 6, and once for any size. In it SIZED(name)
 * is a name of its own for each size, N the size, and UNROLL stands before a loop to be written out. */
#ifdef KERNEL
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
#endif

/* The same of LARGER_KERNEL for the sizes 7 .. 10, or 7 and 8 where LARGER_MOST is 8: they pay where the kernel is of
 * real numbers and short. */
#ifdef LARGER_KERNEL
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 10")
#else
#define UNROLL
#endif
#define N 7
#define SIZED(name) name##_7
#include LARGER_KERNEL
#undef N
#undef SIZED
#define N 8
#define SIZED(name) name##_8
#include LARGER_KERNEL
#undef N
#undef SIZED
#if !defined(LARGER_MOST) || LARGER_MOST > 8
#define N 9
#define SIZED(name) name##_9
#include LARGER_KERNEL
#undef N
#undef SIZED
#define N 10
#define SIZED(name) name##_10
#include LARGER_KERNEL
#undef N
#undef SIZED
#endif
#undef UNROLL
#undef LARGER_KERNEL
#define MORE_SIZES 11
#define BY_MORE_SIZES(name)                                                                       \
    {name##_n, name##_n, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8, name##_9, name##_10}
#endif
