/* derivatives.h - du/dp of a run beside its states, by the parameters of --sensitivity
 *
 * What is compared is |p| du/dp, which has the unit of u; du/dp where p = 0.
 */
#ifndef DAELAB_DERIVATIVES_H
#define DAELAB_DERIVATIVES_H

#include "run/setting.h"

#include <daelab/sensitivity.h>

typedef struct run_result run_result;

typedef struct {
    dae_sensitivity *of;        /* NULL: none are asked for, or through events */
    dae_hybrid_sensitivity *through;
    double *from;               /* [n] the start before it was made consistent; NULL: runs begin as given */
    dae_report report;          /* why there are none */
} run_derivatives;

/* |p| of derivative number i; 1 where p = 0. */
double derivatives_factor(const run_setting *setting, int i);

/* Those of a solver of sys, or of a run through events, where the setting asks for some. To be freed before the
 * solver or the run, in any case. */
dae_status derivatives_create(run_derivatives *along, const run_setting *setting, dae_system *sys, dae_solver *solver);
dae_status derivatives_through(run_derivatives *along, const run_setting *setting, dae_hybrid *run);
void derivatives_free(run_derivatives *along);

/* dae_solver_start, and the derivatives of the start. */
dae_status derivatives_start(run_derivatives *along, dae_solver *solver, double t0, const double *u);

/* r->values of the classes of derivatives from (t, u), where the solver or the run stands. Recovered multipliers of
 * minimal coordinates have none. */
dae_status derivatives_keep(run_derivatives *along, const run_setting *setting, dae_system *sys, double t,
                            const double *u, run_result *r);

#endif
