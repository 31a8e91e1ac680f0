/* cros4.h - the coefficients of cros4 */
#ifndef DAE_CROS4_H
#define DAE_CROS4_H

#include <complex.h>

typedef struct {
    double _Complex a1, a2, a21, c21, b1, b2;
    double _Complex e1, e2;             /* b - b^ of the embedded solution of order 2 */
    double _Complex s1, s2;             /* of the slope at the end */
} dae_cros4_tableau;

extern const dae_cros4_tableau dae_cros4_coefficients;

#endif
