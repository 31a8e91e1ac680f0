/* transformed_pairs.h - comparing a view with its problem, pair by pair: how many are the same, and
 * how far from the solution the problem is by itself */
#ifndef DAELAB_TEST_TRANSFORMED_PAIRS_H
#define DAELAB_TEST_TRANSFORMED_PAIRS_H

#include "transformed_runs.h"

static struct { int pairs, different, unexplained; } tally;

/* One more pair differs: why, as far as that is known. */
static inline const char *note_difference(const exception *known, const dae_problem *base,
                                          const dae_formulation *form, const dae_method *method)
{
    const char *why = known ? excuse(known, base, form, method) : NULL;
    tally.different++;
    tally.unexplained += !why;
    return why ? why : "not explained";
}

/* Compare all pairs: no difference without a reason, and not more than one in twenty with one. */
static inline void compare_all(visitor *compare, const char *as)
{
    tally.pairs = tally.different = tally.unexplained = 0;
    visit_all(compare);
    print_message("%d of %d %s\n", tally.pairs - tally.different, tally.pairs, as);
    assert_int_equal(0, tally.unexplained);
    assert_true(tally.different <= tally.pairs / 20);
}

/* The largest difference of an unknown in units of the tolerance, where atol = rtol */
static inline double apart(int n, const double *u, const double *exact, double rtol)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double x = fabs(u[i] - exact[i]) / (rtol * (fabs(exact[i]) + 1));
        most = x <= most ? most : x;                    /* a NaN is kept */
    }
    return most;
}

/* A problem by itself: a run with few steps; where that ends, and can be known, the solution, and
 * how far from it runs are, in units of how.atol. How far is partly chance: the worst at tolerances
 * around. */
typedef struct {
    outcome run, exact;
    double worst;
} by_itself;

static inline int has_end(const by_itself *b)
{
    return !b->run.made && (!b->run.status || b->run.status == DAE_MAX_STEPS);
}

/* 1 where the solution is known. how: that of b->run */
static inline int know_solution(by_itself *b, dae_system *sys, const dae_method *method,
                                const run_options *how, const double *u0)
{
    static const double around[] = {0.5, 0.7, 0.85, 1, 1.2, 1.4, 2}, tight = 1e-10;
    const double t0 = dae_system_problem(sys)->t0;
    run_options o = *how;
    o.t_end = b->run.t;
    o.most_steps = 100000;
    o.rtol = o.atol = tight;
    b->exact = run(sys, dae_find_method("radau"), &o, NULL, t0, u0);
    if (b->exact.status)
        return 0;
    o.most_steps = 4 * how->most_steps;
    b->worst = 0;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        o.rtol = around[i] * how->rtol;
        o.atol = around[i] * how->atol;
        const outcome got = run(sys, method, &o, NULL, t0, u0);
        const double error = apart(dae_system_size(sys), got.u, b->exact.u, how->atol);
        if (!got.status)
            b->worst = fmax(b->worst, error);
    }
    return 1;
}

/* Is a view as near to the solution? */
static inline int as_near(const by_itself *b, const outcome *got, double error)
{
    return !got->made && !got->status && error <= 10 * b->worst + 10;
}

#endif
