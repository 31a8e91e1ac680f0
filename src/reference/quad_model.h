/* quad_model.h - a system in quad precision: its differential equations, and what is wanted of them */
#ifndef DAE_QUAD_MODEL_H
#define DAE_QUAD_MODEL_H

#include "collocation.h"
#include "extrapolation.h"
#include "reference.h"
#include "system/quad_mechanics.h"

typedef struct {
    dae_system *sys;
    const dae_minimal *minimal;
    dae_quad_mechanics mechanics;
    int nq, nl, m;              /* m = 2 nq + nl, first order: n */
    dae_quad *y0;               /* [2 nq, 2 ns or n] the start */
    dae_quad *first, *z;        /* [m] at t0, [count x m] (q, v, lambda) or u; one block */
    dae_class *group;           /* [m] */
    dae_first_order carried;    /* P u' = w, 0 = F - M(t, u) E w, where the system has that */
    const dae_reference_watch *watch;
} dae_quad_model;

/* With room for count times. The model is to be freed in any case. */
dae_status dae_quad_model_create(dae_quad_model *m, dae_system *sys, int count, dae_report *report);
void dae_quad_model_free(dae_quad_model *m);

/* m->y0 := the start of the kind from a state of the system, or from minimal coordinates; m->z is work. span: length of
 * the run. DAE_INCONSISTENT where the chart leads to another state than u0. */
dae_status dae_quad_model_start(dae_quad_model *m, dae_reference_kind kind, double t0, double span, const dae_quad *u0,
                                int given_minimal, dae_report *report);

/* y' = f(t, y) of the kind, MINIMAL, CARTESIAN or EXPLICIT, with outputs (q, v, lambda) or u. */
dae_quad_ode dae_quad_model_ode(dae_quad_model *m, dae_reference_kind kind);

/* M u' = F(t, u) of a first-order problem. */
dae_quad_dae dae_quad_model_dae(dae_quad_model *m);

/* w = P u' of a state of the problem, to all digits, behind u; of a system without w nothing. DAE_SINGULAR where M has
 * lost its rank. */
dae_status dae_quad_set_slopes(const dae_system *sys, dae_quad t, dae_quad *u);

/* z[m] := (q, v, lambda), where (q, v) stands already. DAE_SINGULAR. */
dae_status dae_quad_model_complete(dae_quad_model *m, dae_quad t, dae_quad *z);

/* DAE_BAD_ARGUMENT where M was taken for constant and has been found another one. */
dae_status dae_quad_model_mass_held(const dae_quad_model *m, dae_report *report);

#endif
