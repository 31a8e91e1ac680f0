/* sensitivity.h - derivatives with respect to parameters, and along any direction
 *
 * For programs that compute sensitivities, fit parameters or optimise, in C and C++. All are exact but for
 * rounding: they come from the pass over the model in which parameters are dual numbers, too (model.h).
 *
 * Sensitivities s = du/dp of M u' = F(t, u, p) from u0(p) solve M s' = F_u s + F_p - M_p u'.
 *
 * Errors of all: DAE_BAD_ARGUMENT, DAE_NO_MEMORY, and DAE_UNSUPPORTED for a record that was written without
 * model.h and has no functions .tangent. A parameter that is a DAE_COUNT has the derivative 0. What a
 * user's data (user_data) depend on is not followed.
 */
#ifndef DAELAB_SENSITIVITY_H
#define DAELAB_SENSITIVITY_H

#include "api.h"
#include "daelab.h"
#include "hybrid.h"

DAE_API_BEGIN

/* A direction in (t, u, p): t + e dt, u + e du, p + e dp. */
typedef struct {
    double t;
    const double *u;            /* [n], or NULL: 0 */
    const double *p;            /* [number of parameters], or NULL: 0 */
} dae_tangent;

/* dF[n] := d/de F(t, u, p);  out[n] := d/de M(p) x, where along->u is dx and along->t counts for nothing, as
 * M is that of the problem's t0. */
dae_status dae_system_rhs_along(dae_system *sys, double t, const double *u, const dae_tangent *along,
                                double *dF, dae_report *report);
dae_status dae_system_mass_along(dae_system *sys, const double *x, const dae_tangent *along, double *out,
                                 dae_report *report);

/* out[rows] := d/de of what dae_system_constraint answers at this level, DAE_UNSUPPORTED where it has none.
 * First order: with the combinations of rows that M leaves out held. Minimal coordinates: of level 2,
 * which their multipliers solve, 0. */
dae_status dae_system_constraint_along(dae_system *sys, int level, double t, const double *u,
                                       const dae_tangent *along, double *out, dae_report *report);

/* dq[nq], dv[nq] := d/de of what dae_system_split answers; of a mechanical problem. */
dae_status dae_system_split_along(dae_system *sys, double t, const double *u, const dae_tangent *along, double *dq,
                                  double *dv, dae_report *report);

/* du0[n] := d/de of what dae_system_start answers, along dp. In minimal coordinates that of the nearest
 * consistent state, by the implicit function theorem; DAE_SINGULAR where that is not determined. */
dae_status dae_system_start_along(dae_system *sys, const double *dp, double *du0, dae_report *report);

/* The same by each of the np parameters, column-major: F_p[n x np], d(M x)/dp [n x np] at x held, g_p[nl x
 * np], du0/dp [n x np]. */
dae_status dae_system_rhs_parameters(dae_system *sys, double t, const double *u, double *F_p,
                                     dae_report *report);
dae_status dae_system_mass_parameters(dae_system *sys, const double *x, double *M_p, dae_report *report);
dae_status dae_system_constraint_parameters(dae_system *sys, int level, double t, const double *u,
                                            double *g_p, dae_report *report);
dae_status dae_system_start_parameters(dae_system *sys, double *u0_p, dae_report *report);

/* ---- of a run ----------------------------------------------------------------------------------
 *
 * du/dp and du/du0 of the state u of a solver, column by column: the derivative of its steps as they are made, of their
 * projections and of the recovered multipliers, with the step sizes held; F and its slopes as they are: a branch of a
 * model, t < p, moves nothing, where an event would. So they are of the order of the method, and
 * with fixed steps the derivatives of the numbers that the run computes.
 *
 *     dae_solver_create(&solver, sys, method, &options, &why);
 *     dae_sensitivity_create(&s, solver, &directions, &why);
 *     dae_system_start(sys, from, &why);
 *     memcpy(u, from, n * sizeof *u);
 *     dae_consistent_start(sys, t0, u, NULL, &why);
 *     dae_solver_start(solver, t0, u);
 *     dae_sensitivity_start(s, from, &why);
 *     dae_solver_advance(solver, t_end, u);
 *     dae_sensitivity_at(s, du, &why);
 *     dae_sensitivity_free(s);                             before the solver
 */
typedef struct dae_sensitivity dae_sensitivity;

/* By parameters[parameter_count], their positions in p, then by the start of unknowns[unknown_count]. */
typedef struct {
    const int *parameters, *unknowns;
    int parameter_count, unknown_count;
} dae_directions;

/* DAE_BAD_ARGUMENT for a position outside of p or u, for a DAE_COUNT, for no direction and for a solver that has
 * sensitivities; DAE_UNSUPPORTED for methods that do not differentiate their steps (those of SUNDIALS), for projections
 * on invariants, and of first-order problems. */
dae_status dae_sensitivity_create(dae_sensitivity **s, dae_solver *solver, const dae_directions *directions,
                                  dae_report *report);
void dae_sensitivity_free(dae_sensitivity *s);

/* on: steps are chosen by errors of du, too: those of what each direction moves u by, if it moves p, or the start, by
 * its own size, in the tolerances of u. Without error control it changes nothing. It is on from the first for explicit
 * methods and auto: on a stiff problem the tolerance of u holds u, and lets du grow without end. CROS, CROS4 and excros
 * have no such estimate: their next step fails with DAE_UNSUPPORTED. */
dae_status dae_sensitivity_test(dae_sensitivity *s, int on, dae_report *report);

/* The derivatives of the start, at which the solver stands. from[n]: the state that dae_consistent_start was given,
 * as it was; NULL: the run begins at the problem's start, whether that is consistent or not. The start of an
 * unknown that a constraint determines counts for nothing. DAE_UNSUPPORTED where constraints that are hidden in a
 * first-order problem would have to make the derivative consistent. */
dae_status dae_sensitivity_start(dae_sensitivity *s, const double *from, dae_report *report);

/* du[directions x n] at the solver's time, and dlambda[directions x nl], unless it is NULL, of multipliers
 * recovered from the acceleration level. DAE_BAD_ARGUMENT before the start; DAE_UNSUPPORTED where the run has
 * passed what is not differentiated (a jump of algebraic unknowns); what failed in a step. */
dae_status dae_sensitivity_at(dae_sensitivity *s, double *du, double *dlambda, dae_report *report);

/* ---- through events -----------------------------------------------------------------------------
 *
 * The same of a run through events, impacts and changes of mode (hybrid.h), with the derivatives of the times of
 * events. To be created after dae_hybrid_create, and freed before the run; each dae_hybrid_start begins them anew.
 *
 *     dae_hybrid_sensitivity_create(&s, run, &directions, &why);
 *     dae_hybrid_start(run, 0, NULL);
 *     dae_hybrid_advance(run, t_end);
 *     dae_hybrid_sensitivity_at(s, du, NULL, &why);        du[directions x n] of the mode that the run is in
 *
 * Unknowns of directions are those of the first mode. What dae_hybrid_start_with and dae_hybrid_start_at set is moved
 * by no parameter. Conditions of dae_hybrid_stop_where change nothing. dae_hybrid_rows has them at its rows.
 * DAE_UNSUPPORTED, when they are asked for, past an event that grazes, past an accumulation, at the time of an event,
 * past several events at once one of which changes parameters, past events of first-order problems of index 2 and
 * above, and of runs that begin in another mode than the first, or with numbers in minimal coordinates. */
typedef struct dae_hybrid_sensitivity dae_hybrid_sensitivity;
dae_status dae_hybrid_sensitivity_create(dae_hybrid_sensitivity **s, dae_hybrid *run, const dae_directions *directions,
                                         dae_report *report);
void dae_hybrid_sensitivity_free(dae_hybrid_sensitivity *s);
dae_status dae_hybrid_sensitivity_test(dae_hybrid_sensitivity *s, int on, dae_report *report);
dae_status dae_hybrid_sensitivity_at(dae_hybrid_sensitivity *s, double *du, double *dlambda, dae_report *report);
int dae_hybrid_sensitivity_directions(const dae_hybrid_sensitivity *s);         /* how many */

/* dt[directions] of event number i of the run (dae_hybrid_event), one that changes the state, the mode or
 * parameters. */
dae_status dae_hybrid_sensitivity_time(const dae_hybrid_sensitivity *s, int event, double *dt, dae_report *report);

DAE_API_END

#endif
