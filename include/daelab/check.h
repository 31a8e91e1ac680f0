/* check.h - does a model agree with itself?
 *
 * For programs that take models of others, or are about to spend time on one, in C and C++.
 *
 * A model states more than its motion needs: dg/dt and d2g/dt2 beside g, G^T lambda beside g, minimal
 * coordinates, an energy, invariants, analytic derivatives, and each function once for each kind of
 * number. What must be equal is compared here, in quad precision where the functions in quad are
 * given, and needs no reference solution:
 *
 *     the passes       double, dual, quad and tangent are one function: values of double as far as its
 *                      rounding goes, derivatives of dual (by t and the state) and tangent (by the
 *                      parameters, too) against differences of quad, and quad has its 34 digits
 *     mechanical       rate = dg/dt, or linear in v where it is nonholonomic, acceleration = d rate/dt,
 *                      reaction = (d rate/dv)^T lambda, at consistent and other states; M linear,
 *                      symmetric, positive definite; partials; minimal coordinates against the
 *                      constraints and the equations of motion; the energy
 *     first order      M linear, and constant unless the record says that it varies, jacobian, reduced,
 *                      exact, the declared index
 *     both             invariants stay; events, actions; the start is consistent, F finite there;
 *                      constraints independent of each other
 *
 * each row in its own scale: by how much it changes as the state moves by as much as in the run.
 */
#ifndef DAELAB_CHECK_H
#define DAELAB_CHECK_H

#include "api.h"
#include "daelab.h"

DAE_API_BEGIN

/* Something that was found. Where two functions contradict each other and nothing else in the model says
 * which of them is right, the sentence names both. */
typedef struct {
    int failed;                 /* 1: wrong; 0: worth knowing */
    char function[48];          /* "acceleration", "partials.f_q", "minimal.chart", "events.floor",
                                   "start", "index", "variables", ... */
    int row, column;            /* of that function, from 1; 0: none */
    double t;                   /* where; NaN: nowhere in particular */
    double found, expected;     /* both numbers; NaN where there are none */
    char sentence[320];         /* all of it in words */
} dae_finding;

typedef struct {
    int quick;                  /* 0: at the start, beside it and along a run. 1: functions are compared
                                   with each other once, beside the start, in a few evaluations of each;
                                   where that shows a difference, what 0 looks at at the start decides,
                                   but for the index and whether the start is consistent, which every run
                                   finds out */
    void (*progress)(void *context, double part);       /* called now and then with the part, from 0 to 1,
                                                           that is done; or NULL */
    void *context;
} dae_check_options;

/* Check a problem with all of its modes. parameters and options as in dae_system_create, how may be NULL.
 * found[room]: at most one finding for each function, the worst, those that failed first; *count: how many
 * there are, which may exceed room. DAE_OK also where findings say that something is wrong;
 * DAE_BAD_ARGUMENT without a problem or a place for the findings, DAE_NO_MEMORY. */
dae_status dae_check_model(const dae_problem *problem, const double *parameters,
                           const dae_formulation_options *options, const dae_check_options *how,
                           dae_finding *found, int room, int *count, dae_report *report);

/* Line i = 0, 1, ... of what dae_check_model looks at in this problem, all modes together: function[48] by the
 * name that findings have ("partials" for each of its blocks), and what it is compared with, in words. 0 past
 * the last, and for no problem. */
int dae_check_line(const dae_problem *problem, int i, char *function, const char **compared);

DAE_API_END

#endif
