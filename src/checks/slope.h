/* slope.h - the derivative of a function of one number in quad precision, with its error */
#ifndef DAE_SLOPE_H
#define DAE_SLOPE_H

#include "daelab/scalar.h"

/* out[m] := f(s) */
typedef void dae_quad_path(void *context, dae_quad s, dae_quad *out);

/* slope[m] := df/ds at 0, error[m] := by how much it may be off (infinite where f has no number). s is
 * measured in units of unit; a row is good enough where its error is below 1e-24 of its slope or of
 * size[m]. rounding[m] of f itself may be NULL, and way[m], the largest s that a row was asked at.
 * work[(DAE_SLOPE_ROWS + 4) m] */
enum { DAE_SLOPE_ROWS = 6 };
void dae_quad_slope(dae_quad_path *f, void *context, dae_quad unit, int m, const dae_quad *size,
                    const dae_quad *rounding, dae_quad *slope, dae_quad *error, dae_quad *way,
                    dae_quad *work);

/* slope[m] := (f(e) - f(-e)) / 2e; work[m] */
void dae_quad_difference(dae_quad_path *f, void *context, dae_quad e, int m, dae_quad *slope, dae_quad *work);

/* out[m] := f(e) + f(-e) - 2 f(0), which is here[m]; work[m] */
void dae_quad_bend(dae_quad_path *f, void *context, dae_quad e, int m, const dae_quad *here, dae_quad *out,
                   dae_quad *work);

#endif
