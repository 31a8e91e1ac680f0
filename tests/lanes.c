/* lanes.c - the equations of a problem with four doubles in place of each real and each param
 *
 * For the compiler only, once for each problem file, PROBLEM: it objects where a plain number becomes a real
 * without an operation, as in f[0] = 0. The functions of <math.h> have stand-ins of the right type.
 */
#define DAE_SOURCE PROBLEM
#include PROBLEM

typedef double lanes __attribute__((vector_size(4 * sizeof(double))));
#define same(x) (*(lanes[1]){(x)})

#undef sin
#undef cos
#undef tan
#undef exp
#undef log
#undef sqrt
#undef fabs
#undef asin
#undef acos
#undef atan
#undef atan2
#undef pow
#undef hypot
#undef fmax
#undef fmin
#undef value
#undef dae_count
#define sin(x) same(x)
#define cos(x) same(x)
#define tan(x) same(x)
#define exp(x) same(x)
#define log(x) same(x)
#define sqrt(x) same(x)
#define fabs(x) same(x)
#define asin(x) same(x)
#define acos(x) same(x)
#define atan(x) same(x)
#define atan2(y, x) same((y) + (x))
#define pow(x, y) same((x) + (y))
#define hypot(x, y) same((x) + (y))
#define fmax(x, y) same((x) + (y))
#define fmin(x, y) same((x) + (y))
#define value(x) same(x)[0]
#define dae_count(x) dae_count_of(value(x))

#pragma GCC diagnostic ignored "-Wunused-function"
#define DAE_PASS
#define real lanes
#define param lanes
#define FN(name) name##_lanes
#include DAE_SOURCE
