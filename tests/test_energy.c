/* test_energy.c - the energy that a problem states belongs to its equations: along its motion it
 * changes through explicit t alone, at every state of a run, for the problem and all its modes
 *
 *     H_q v + H_v a = 0,   a from M a + G^T lambda = f, d2g/dt2 = 0
 */
#include "support.h"

#include <daelab/dual.h>

typedef struct { dae_system *sys; double worst; long looks; } watched;

/* The derivative of H along (v, a), beside the sum of its parts. */
static int look(void *context, double t, const double *u)
{
    watched *w = context;
    const dae_problem *problem = dae_system_problem(w->sys);
    const int nq = dae_system_positions(w->sys);
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS], a[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS];
    dae_dual x[MOST_UNKNOWNS], y[MOST_UNKNOWNS], H;
    double along = 0, parts = 0;
    assert_int_equal(DAE_OK, dae_system_split(w->sys, t, u, q, v, lambda));
    assert_int_equal(DAE_OK, dae_system_accelerate(w->sys, t, q, v, a, lambda));
    for (int part = 0; part < 2 * nq; part++) {
        for (int i = 0; i < nq; i++) {
            x[i] = dae_dual_make(q[i], part == i ? v[i] : 0);
            y[i] = dae_dual_make(v[i], part == nq + i ? a[i] : 0);
        }
        problem->mechanical.energy.dual(dae_system_parameters(w->sys), dae_dual_make(t, 0), x, y,
                                        &H);
        along += dae_dual_derivative(H);
        parts += fabs(dae_dual_derivative(H));
    }
    w->worst = fmax(w->worst, fabs(along) / fmax(parts, DBL_MIN));
    w->looks++;
    return 0;
}

static int check(const dae_problem *problem)
{
    double u[4 * MOST_UNKNOWNS];
    watched w = {0};
    const dae_options o = tolerance(1e-6);
    dae_report why = {0};
    if (!problem->mechanical.nq || !problem->mechanical.energy.dual || !problem->mechanical.conservative)
        return 0;
    w.sys = system_of(problem, "index1", NULL, NULL);
    if (dae_system_size(w.sys) > MOST_UNKNOWNS) {
        dae_system_free(w.sys);
        return 0;
    }
    assert_int_equal(DAE_OK, dae_system_start(w.sys, u, &why));
    assert_int_equal(DAE_OK, dae_consistent_start(w.sys, problem->t0, u, NULL, &why));
    OWNED(dae_solver) *s = solver_of(w.sys, dae_find_method("dopri5"), &o, 0, NULL);
    dae_solver_observe(s, look, &w);
    assert_int_equal(DAE_OK, dae_solver_start(s, problem->t0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(s, problem->t_end, u));
    if (!(w.worst < 1e-9) || w.looks < 1)
        fail_msg("%s: %.3g of the energy's terms in %ld steps", problem->name, w.worst, w.looks);
    dae_system_free(w.sys);
    return 1;
}

TEST(test_all)
{
    int problems = 0;
    for (int p = 0; dae_problems[p]; p++) {
        problems += check(dae_problems[p]);
        for (int m = 0; dae_problems[p]->modes && dae_problems[p]->modes[m]; m++) {
            dae_problem mode = *dae_problems[p]->modes[m];
            memcpy(mode.parameters, dae_problems[p]->parameters, sizeof mode.parameters);
            mode.t_end = mode.t0 + dae_problems[p]->t_end - dae_problems[p]->t0;
            problems += check(&mode);
        }
    }
    assert_true(problems >= 6);
}
