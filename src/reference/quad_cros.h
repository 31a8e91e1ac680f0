/* quad_cros.h - stages of complex Rosenbrock methods in quad precision */
#ifndef DAE_QUAD_CROS_H
#define DAE_QUAD_CROS_H

#include "quad_pencil.h"

/* Solve (M - a h J) k = F + a h F_t, a = a_re + i a_im, with J and F_t of the pencil; k = re + i im. */
dae_status dae_quad_stage(dae_quad_pencil *pencil, dae_quad h, dae_quad a_re, dae_quad a_im,
                          const dae_quad *F, dae_quad *re, dae_quad *im);

#endif
