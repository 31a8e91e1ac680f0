/* quad_asked.h - fixed steps in quad precision that the runner answers */
#ifndef DAELAB_QUAD_ASKED_H
#define DAELAB_QUAD_ASKED_H

#include "run/run_asked.h"

/* So many steps of a method to each sample of the path, from where the study's reference begins, as
 * dae_quad_steps; sys is in the formulation. DAE_STOPPED and the like where the computation was ended. */
dae_status quad_steps_asked(const study *s, const dae_formulation *form, const dae_method *method,
                            dae_system *sys, int shaken, int steps, dae_reference *at, dae_quad *recovered);

#endif
