/* left_out.h - the oscillation that a slow solution leaves out */
#ifndef DAE_LEFT_OUT_H
#define DAE_LEFT_OUT_H

#include "collocation.h"

/* How far the solution from u0[n] still is from that of slow[n] a time later, as M d' = J d at t0 says of their
 * difference: the largest in an unknown against size[n]. 1 where that is not known. */
double dae_left_out(const dae_quad_dae *dae, dae_quad t0, const dae_quad *u0, const dae_quad *slow,
                    const dae_quad *size, double later);

#endif
