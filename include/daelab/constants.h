/* constants.h - inside a model, PI is pi to the accuracy of the pass, and so are M_PI and EXACT(0.1)
 *
 * For authors of problems, through model.h. In C.
 *
 * PI follows the macro or type `real` in force where it is used, so the double and the dual pass see a
 * plain double. M_PI, M_E, ... of <math.h>, which are doubles, follow it in the passes of model.h, and are
 * doubles elsewhere. So does EXACT, of a literal that has a point or an exponent, or of what stands for one
 * (#define UF 0.026, EXACT(UF)): 0.1 is the double next to it in every pass, EXACT(0.1) a tenth to the 34
 * digits of a quad number where numbers are those. References of a model without EXACT solve it with its
 * constants as rounded as in the run that is compared with them; with it they solve what is published.
 */
#ifndef DAELAB_CONSTANTS_H
#define DAELAB_CONSTANTS_H

#include <math.h>

#include "scalar.h"

#define DAE_PI_DOUBLE 3.14159265358979323846
#define DAE_PI_QUAD DAE_QUAD_C(3.14159265358979323846264338327950288419717)
#define PI _Generic((real){0}, dae_quad: DAE_PI_QUAD, default: DAE_PI_DOUBLE)

/* A number by its digits; model.h defines it anew around its passes. */
#define DAE_CONSTANT(digits) digits

/* In a pass: a quad number where real is one, else a double. */
#define DAE_CONSTANT_OF_PASS(digits) _Generic((real){0}, dae_quad: DAE_QUAD_C(digits), default: digits)

/* A literal to all digits of the pass. */
#define EXACT(literal) DAE_CONSTANT(literal)

#undef M_PI
#undef M_PI_2
#undef M_PI_4
#undef M_1_PI
#undef M_2_PI
#undef M_2_SQRTPI
#undef M_E
#undef M_LOG2E
#undef M_LOG10E
#undef M_LN2
#undef M_LN10
#undef M_SQRT2
#undef M_SQRT1_2

#define M_PI DAE_CONSTANT(3.1415926535897932384626433832795028842)          /* pi */
#define M_PI_2 DAE_CONSTANT(1.5707963267948966192313216916397514421)        /* pi/2 */
#define M_PI_4 DAE_CONSTANT(0.78539816339744830961566084581987572105)       /* pi/4 */
#define M_1_PI DAE_CONSTANT(0.31830988618379067153776752674502872407)       /* 1/pi */
#define M_2_PI DAE_CONSTANT(0.63661977236758134307553505349005744814)       /* 2/pi */
#define M_2_SQRTPI DAE_CONSTANT(1.1283791670955125738961589031215451717)    /* 2/sqrt(pi) */
#define M_E DAE_CONSTANT(2.7182818284590452353602874713526624978)           /* e */
#define M_LOG2E DAE_CONSTANT(1.4426950408889634073599246810018921374)       /* 1/log 2 */
#define M_LOG10E DAE_CONSTANT(0.43429448190325182765112891891660508229)     /* 1/log 10 */
#define M_LN2 DAE_CONSTANT(0.69314718055994530941723212145817656808)        /* log 2 */
#define M_LN10 DAE_CONSTANT(2.3025850929940456840179914546843642076)        /* log 10 */
#define M_SQRT2 DAE_CONSTANT(1.4142135623730950488016887242096980786)       /* sqrt(2) */
#define M_SQRT1_2 DAE_CONSTANT(0.70710678118654752440084436210484903928)    /* sqrt(1/2) */

#endif
