/* small_models.h - problems of a few equations that tests solve; the equations stand in small_models.c */
#ifndef DAELAB_TEST_SMALL_MODELS_H
#define DAELAB_TEST_SMALL_MODELS_H

#include <daelab/problem.h>

enum { LATE = 36, MANY = 700 };

extern const dae_problem dae_stops, dae_line, dae_blow_up, dae_square, dae_root, dae_late, dae_many;
extern const dae_problem dae_decline, dae_cancels;
extern const dae_problem dae_slow, dae_oscillator;                  /* stiff: of a rate */
extern const dae_problem dae_bound;                                 /* of index 2: of a frequency */
extern const dae_problem dae_wave, dae_standing, dae_jumping;       /* with an invariant */

#endif
