/* quad.h - binary128: its type, its functions and its text, whatever the system calls them
 *
 * For programs that compute in quad, and for authors of problems, through model.h. In C.
 *
 * Everything that depends on the system is in this file. There are three ways:
 *
 *     where                                        type                        sin(x)     "%.36g"
 *     long double is binary128 (Linux on arm64,    long double                 sinl       snprintf
 *     RISC-V, s390x, by any C library)
 *     glibc since 2.26 (x86-64, POWER)             _Float128 or __float128     sinf128    strfromf128
 *     any other C library, by libquadmath          _Float128 or __float128     sinq       quadmath_snprintf
 *     of GCC; with glibc, too, where
 *     DAELAB_LIBQUADMATH is defined
 *
 * The last two have the same type: objects made the one way and the other work together. The last needs
 * -lquadmath. A compiler that has no type of 113 bits, as Apple's, cannot compile models.
 *
 * dae_quad_sin(x) and so on are accurate to a few units in the last of 113 bits.
 */
#ifndef DAELAB_QUAD_H
#define DAELAB_QUAD_H

#include <float.h>
#include <stddef.h>
#ifdef __has_include
#if __has_include(<features.h>)
#include <features.h>           /* of glibc it says that it is glibc, and defines no name of a model's */
#endif
#endif

/* On POWER the names of long double functions stand for those of another format. */
#if LDBL_MANT_DIG == 113 && !defined(__powerpc__)
#define DAE_QUAD_IS_LONG_DOUBLE
#endif

/* The type, and the suffix of its literals: DAE_QUAD_C(0.1) is 0.1 to 113 bits. */
#ifdef DAE_QUAD_IS_LONG_DOUBLE
typedef long double dae_quad;
#define DAE_QUAD_C(literal) literal##L
#elif defined(__GNUC__) && !defined(__clang__)
__extension__ typedef _Float128 dae_quad;
#define DAE_QUAD_C(literal) literal##f128
#elif defined(__SIZEOF_FLOAT128__)
typedef __float128 dae_quad;
#define DAE_QUAD_C(literal) literal##q
#else
#error "daelab needs a compiler with a type of 113 bits: gcc, clang on Linux, or one whose long double has them"
#endif

/* DAE_QUAD_NAME(sin): what the system calls the function. */
#ifdef DAE_QUAD_IS_LONG_DOUBLE
#define DAE_QUAD_NAME(function) function##l
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 26) && !defined(DAELAB_LIBQUADMATH)
#define DAE_QUAD_NAME(function) function##f128
#define DAE_QUAD_STRFROM
#else
#define DAE_QUAD_NAME(function) function##q
#endif

/* The system declares them for some compilers only, and only when asked; saying so a second time does no harm. */
#define DAE_QUAD_OF_ONE(function)                                                                 \
    dae_quad DAE_QUAD_NAME(function)(dae_quad x);                                                 \
    static inline dae_quad dae_quad_##function(dae_quad x) { return DAE_QUAD_NAME(function)(x); }
#define DAE_QUAD_OF_TWO(function)                                                                 \
    dae_quad DAE_QUAD_NAME(function)(dae_quad x, dae_quad y);                                     \
    static inline dae_quad dae_quad_##function(dae_quad x, dae_quad y) { return DAE_QUAD_NAME(function)(x, y); }

DAE_QUAD_OF_ONE(sin)
DAE_QUAD_OF_ONE(cos)
DAE_QUAD_OF_ONE(tan)
DAE_QUAD_OF_ONE(asin)
DAE_QUAD_OF_ONE(acos)
DAE_QUAD_OF_ONE(atan)
DAE_QUAD_OF_ONE(sinh)
DAE_QUAD_OF_ONE(cosh)
DAE_QUAD_OF_ONE(tanh)
DAE_QUAD_OF_ONE(asinh)
DAE_QUAD_OF_ONE(acosh)
DAE_QUAD_OF_ONE(atanh)
DAE_QUAD_OF_ONE(exp)
DAE_QUAD_OF_ONE(exp2)
DAE_QUAD_OF_ONE(expm1)
DAE_QUAD_OF_ONE(log)
DAE_QUAD_OF_ONE(log2)
DAE_QUAD_OF_ONE(log10)
DAE_QUAD_OF_ONE(log1p)
DAE_QUAD_OF_ONE(sqrt)
DAE_QUAD_OF_ONE(cbrt)
DAE_QUAD_OF_ONE(erf)
DAE_QUAD_OF_ONE(erfc)
DAE_QUAD_OF_ONE(fabs)
DAE_QUAD_OF_ONE(floor)
DAE_QUAD_OF_ONE(ceil)
DAE_QUAD_OF_ONE(trunc)
DAE_QUAD_OF_ONE(round)
DAE_QUAD_OF_ONE(rint)
DAE_QUAD_OF_ONE(nearbyint)
DAE_QUAD_OF_TWO(atan2)
DAE_QUAD_OF_TWO(pow)
DAE_QUAD_OF_TWO(hypot)
DAE_QUAD_OF_TWO(fmax)
DAE_QUAD_OF_TWO(fmin)
DAE_QUAD_OF_TWO(fdim)
DAE_QUAD_OF_TWO(fmod)
DAE_QUAD_OF_TWO(remainder)
DAE_QUAD_OF_TWO(copysign)

dae_quad DAE_QUAD_NAME(fma)(dae_quad x, dae_quad y, dae_quad z);
static inline dae_quad dae_quad_fma(dae_quad x, dae_quad y, dae_quad z)
{
    return DAE_QUAD_NAME(fma)(x, y, z);
}

dae_quad DAE_QUAD_NAME(frexp)(dae_quad x, int *exponent);
static inline dae_quad dae_quad_frexp(dae_quad x, int *exponent)
{
    return DAE_QUAD_NAME(frexp)(x, exponent);
}

dae_quad DAE_QUAD_NAME(ldexp)(dae_quad x, int exponent);
static inline dae_quad dae_quad_ldexp(dae_quad x, int exponent)
{
    return DAE_QUAD_NAME(ldexp)(x, exponent);
}

#undef DAE_QUAD_OF_ONE
#undef DAE_QUAD_OF_TWO

/* x as by "%.*g" into text, which holds size characters; 36 digits give x back. The number that a text begins
 * with, as strtod. */
#ifdef DAE_QUAD_IS_LONG_DOUBLE
long double strtold(const char *restrict text, char **restrict end);
static inline void dae_quad_text(dae_quad x, int digits, char *text, size_t size)
{
    (void)__builtin_snprintf(text, size, "%.*Lg", digits, x);
}
static inline dae_quad dae_quad_parse(const char *text, char **end) { return strtold(text, end); }
#elif defined(DAE_QUAD_STRFROM)
int strfromf128(char *restrict text, size_t size, const char *restrict format, dae_quad x);
dae_quad strtof128(const char *restrict text, char **restrict end);
static inline void dae_quad_text(dae_quad x, int digits, char *text, size_t size)
{
    char format[16];
    (void)__builtin_snprintf(format, sizeof format, "%%.%dg", digits);
    (void)strfromf128(text, size, format, x);
}
static inline dae_quad dae_quad_parse(const char *text, char **end) { return strtof128(text, end); }
#else
int quadmath_snprintf(char *text, size_t size, const char *format, ...);
dae_quad strtoflt128(const char *text, char **end);
static inline void dae_quad_text(dae_quad x, int digits, char *text, size_t size)
{
    (void)quadmath_snprintf(text, size, "%.*Qg", digits, x);
}
static inline dae_quad dae_quad_parse(const char *text, char **end) { return strtoflt128(text, end); }
#endif

/* "sinq": the name of the sine for dlsym. */
#define DAE_QUAD_WORD(name) #name
#define DAE_QUAD_WORD_OF(name) DAE_QUAD_WORD(name)
#define DAE_QUAD_SINE DAE_QUAD_WORD_OF(DAE_QUAD_NAME(sin))

#endif
