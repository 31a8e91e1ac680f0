/* collocation.c - Radau IIA in quad precision with steps chosen, and two runs that agree
 *
 * A step is kept where the last coefficient of its collocation polynomial is below the tolerance,
 * tau, relative to each unknown. That is an error of O(h^s) inside the step; at its end, errors are
 *
 *     O(h^(2s-1))               of u in an ODE and a DAE of index 1, if h resolves the stiffness
 *     O(h^(2s-1)), O(h^s)       of differential and algebraic unknowns of index 2
 *     O(h^(2s-1)), O(h^s), O(h^(s-1))   of positions, velocities, multipliers of index 3,
 *
 * and of a stiff ODE between the first line and the last. Nothing is assumed of them: tau falls
 * until two runs with different s and tau agree. One of them looks between its stages, too, in every ten
 * thousandth of the interval, whether F is there what the polynomials say, and makes shorter steps where
 * it is not; then so does the other. Both are L-stable: what oscillates or decays so
 * fast that their steps jump over it is lost in both. Where the start has been moved onto the slow
 * solution (collocation_start.c) there is nothing of the kind; then steps are equal: a change
 * would begin an oscillation again, which the estimate would then have resolved. Elsewhere the
 * estimate makes the steps resolve what there is.
 * Hairer, Lubich, Roche (1989), Lecture Notes in Mathematics 1409; Hairer, Wanner (1996), Solving
 * Ordinary Differential Equations II, IV.15, VII.4.
 */
#include "collocation.h"
#include "radau_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 20000, MOST_FAILURES = 60 };

typedef struct {
    dae_quad_stepper r;
    const dae_radau_rule *rule;
    dae_quad t0, t_end;
    dae_quad h;                 /* to try next */
    dae_quad longest, *terms;   /* step; [n] r.terms in it */
    dae_quad recent;            /* the longest of the latest steps, fading */
    dae_quad *size;             /* [n] */
    long steps;
} run;

/* Have steps become too many, or will they? Beginnings may be steeper than the rest. */
static int too_many(const run *w)
{
    const double left = w->recent > 0 ? (double)((w->t_end - w->r.t) / w->recent) : 0;
    return w->steps >= MOST_STEPS || (w->steps > MOST_STEPS / 10 && (double)w->steps + left > MOST_STEPS);
}

static dae_status give_up(run *w, dae_status status, dae_quad h, dae_report *report)
{
    const double t = (double)w->r.t;
    if (too_many(w))
        return dae_fail(report, DAE_NO_CONVERGENCE,
                        "t = %.9g: an implicit quad reference takes more than %d steps, which are %.2g long there",
                        t, MOST_STEPS, (double)w->recent);
    return dae_fail(report, status == DAE_OK ? DAE_NO_CONVERGENCE : status,
                    "t = %.9g: an implicit quad reference fails with steps down to %.3g: %s", t,
                    (double)h, status == DAE_OK ? "its error does not fall with the step"
                                                : dae_status_sentence(status));
}

/* Nothing between the stages that they do not show? Errors between them are larger than at the end. */
static int looks_smooth(run *w, dae_quad h)
{
    enum { BETWEEN = 10000 };
    const double spacing = w->rule->spacing, shift = w->rule->shift;
    const double exact = BETWEEN * fmax(w->rule->tolerance, 1e-26);
    if (!(spacing > 0))
        return 1;
    double i = ceil((double)((w->r.t - w->t0) / spacing) - shift);
    dae_quad at = w->t0 + (i + shift) * (dae_quad)spacing;
    if (at < w->r.t + h)
        dae_quad_stepper_interpolate(&w->r, h);
    for (; at < w->r.t + h; at += spacing)
        if (at > w->r.t && dae_quad_stepper_between(&w->r, h, (at - w->r.t) / h, exact) > 1) {
            if (w->rule->found)
                *w->rule->found = 1;
            return 0;
        }
    return 1;
}

static void look_at_sizes(run *w)
{
    for (int i = 0; i < w->r.n; i++)
        w->size[i] = dae_quad_fmax(w->size[i], dae_quad_fabs(w->r.u[i]));
}

static void keep_step(run *w, dae_quad h)
{
    dae_quad_stepper_accept(&w->r, h);
    look_at_sizes(w);
    w->steps++;
    w->recent = dae_quad_fmax(h, w->recent * 0.99);
    if (!(h >= w->longest))
        return;
    w->longest = h;
    memcpy(w->terms, w->r.terms, (size_t)w->r.n * sizeof *w->terms);
}

/* One step towards to, kept. */
static dae_status one_step(run *w, dae_quad to, dae_report *report)
{
    const double tolerance = w->rule->tolerance;
    const int s = w->rule->stages;
    dae_status status = DAE_OK;
    const dae_status stopped = dae_quad_watch(w->r.dae->watch, w->r.t, report);
    if (stopped)
        return stopped;
    dae_quad_stepper_linearise(&w->r);
    for (int failures = 0; failures < MOST_FAILURES; failures++) {
        const dae_quad left = to - w->r.t, wanted = w->h;
        const dae_quad h = wanted * 1.01 >= left ? left : wanted * 2 > left ? left / 2 : wanted;
        double error = 0;
        status = dae_quad_stepper_try(&w->r, h, &error);
        if (!dae_quad_stepper_mass_holds(&w->r, h))
            return dae_fail(report, DAE_BAD_ARGUMENT, "t = %.9g: the mass matrix changes in a step "
                            "of %.3g%s", (double)w->r.t, (double)h,
                            w->r.dae->holds ? ", in its kernel or its rank, which must be constant"
                            : ": the record has to declare it by .mass_kind = DAE_MASS_VARIES");
        if (w->rule->step > 0 && status == DAE_OK)
            error = tolerance;
        if (status == DAE_OK && error <= tolerance && !looks_smooth(w, h)) {
            error = pow(2, s) * tolerance;
            if (w->rule->step > 0)
                status = DAE_NO_CONVERGENCE;
        }
        const double fit = error > 0 ? 0.9 * pow(tolerance / error, 1.0 / s) : 4;
        if (status != DAE_OK || !(error <= tolerance)) {
            if (w->rule->step > 0)
                break;
            w->h = h * (status != DAE_OK ? 0.3 : fmax(0.2, fmin(0.8, fit)));
            continue;
        }
        if (w->rule->step <= 0)
            w->h = dae_quad_fmax(h * fmax(0.5, fmin(4, fit)), h < wanted ? fmin(1, fit) * wanted : 0);
        keep_step(w, h);
        if (h == left)
            w->r.t = to;
        return DAE_OK;
    }
    return give_up(w, status, w->h, report);
}

static dae_status advance(run *w, dae_quad to, dae_report *report)
{
    dae_status status = DAE_OK;
    if (w->rule->step > 0 && to > w->r.t)
        w->h = (to - w->r.t) / ceil((double)(to - w->r.t) / w->rule->step * (1 - 1e-12));
    while (w->r.t < to && status == DAE_OK)
        status = too_many(w) ? give_up(w, DAE_OK, w->h, report) : one_step(w, to, report);
    return status;
}

static dae_status check(const dae_radau_rule *rule, const dae_quad_grid *grid, dae_report *report)
{
    if (rule->stages < DAE_RADAU_FEWEST || rule->stages > DAE_RADAU_MOST
        || !(rule->tolerance > 0 || rule->step > 0))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d stages, a tolerance of %g and a step of %g",
                        rule->stages, rule->tolerance, rule->step);
    return dae_quad_grid_check(grid, report);
}

dae_status dae_collocate(const dae_quad_dae *dae, const dae_radau_rule *rule,
                         const dae_quad_grid *grid, const dae_quad *u0, dae_quad *z,
                         dae_quad *size, dae_report *report)
{
    run w = {.rule = rule, .t0 = grid->t0, .t_end = grid->times[grid->count - 1], .size = size};
    const int n = dae->equations->n;
    dae_status status = check(rule, grid, report);
    if (status != DAE_OK)
        return status;
    w.terms = calloc((size_t)n, sizeof *w.terms);
    if (!dae_quad_stepper_create(&w.r, dae, rule->stages) || !w.terms) {
        dae_quad_stepper_free(&w.r);
        free(w.terms);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a step of %d unknowns", n);
    }
    dae_quad_stepper_start(&w.r, grid->t0, u0);
    look_at_sizes(&w);
    w.h = 1e-3 * dae_quad_fmax(grid->times[grid->count - 1] - grid->t0, 0);
    for (int i = 0; i < grid->count && status == DAE_OK; i++, z += n) {
        status = advance(&w, grid->times[i], report);
        memcpy(z, w.r.u, (size_t)n * sizeof *z);
        for (int k = 0; k < n && status == DAE_OK; k++)
            if (z[k] - z[k] != 0)
                status = give_up(&w, DAE_NOT_FINITE, w.h, report);
    }
    for (int k = 0; k < n; k++)
        size[k] = dae_quad_fmax(size[k], dae_quad_least_part * w.terms[k]);
    dae_quad_stepper_free(&w.r);
    free(w.terms);
    return status;
}

/* ---- two runs that agree ------------------------------------------------------------------ */

enum { TRIALS = 6 };
static const double wanted_digits = 23, hopeful_digits = 18;

dae_radau_rule dae_collocation_rule(int second, double tolerance, double span)
{
    return (dae_radau_rule){.stages = second ? 11 : 12, .tolerance = second ? tolerance / 4 : tolerance,
                            .spacing = second ? DAE_NARROW * span : 0, .shift = second ? DAE_GOLDEN : 0};
}

typedef struct {
    const dae_quad_dae *dae;
    const dae_quad_grid *grid;
    const dae_quad *u0;
    int equal;                  /* 1: equal steps */
    int found;                  /* 1: a second run has found what the stages do not show */
} pair;

/* Tolerances fall from 1e-14 by 1e-4, equal steps from span/32 by 1/2. What the second run finds the first one has to
 * look for, too: it may be passed over, and in both, so they would agree. */
static dae_status run_one(void *context, int trial, int second, dae_quad *z, dae_quad *size, int *pass,
                          dae_report *report)
{
    pair *p = context;
    const double span = (double)(p->grid->times[p->grid->count - 1] - p->grid->t0);
    const int found = p->found;
    dae_radau_rule rule = dae_collocation_rule(second, 1e-14 * pow(1e-4, trial), span);
    if (p->equal)
        rule.step = (second ? 0.75 : 1) * (span / 32 * pow(0.5, trial));
    if (second)
        rule.found = &p->found;
    else if (found)
        rule.spacing = DAE_NARROW * span;
    const dae_status status = dae_collocate(p->dae, &rule, p->grid, p->u0, z, size, report);
    *pass = status ? p->equal && status == DAE_NO_CONVERGENCE : p->found && !found;
    return status;
}

dae_status dae_collocate_pair(const dae_quad_dae *dae, const dae_quad_grid *grid,
                              const dae_quad *u0, dae_quad *z, double *digits,
                              int *slow, dae_report *report)
{
    const int n = dae->equations->n;
    const dae_quad t_end = grid->times[grid->count - 1];
    dae_quad *size = calloc(2 * (size_t)n, sizeof *size), *start = size + n;
    pair p = {.dae = dae, .grid = grid, .u0 = start};
    const dae_quad_pair two = {.grid = grid, .n = n, .trials = TRIALS, .wanted = wanted_digits,
                               .hopeful = hopeful_digits, .runs = "implicit quad runs", .because = "", .run = run_one,
                               .context = &p};
    if (!size)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a start of %d unknowns", n);
    memcpy(start, u0, (size_t)n * sizeof *start);
    *digits = 0;
    dae_status status = dae_quad_grid_check(grid, report);
    if (status == DAE_OK)
        status = dae_collocation_start(dae, grid->t0, t_end, start, slow, report);
    p.equal = status == DAE_OK && *slow;
    if (p.equal)
        status = dae_quad_agree(&two, z, size, digits, report);
    if (status == DAE_NO_CONVERGENCE ? p.equal : status == DAE_OK && !p.equal) {
        p.equal = p.found = 0;
        status = dae_quad_agree(&two, z, size, digits, report);
    }
    const double left_out = status == DAE_OK && *slow && dae->equations->index < 2
        ? dae_left_out(dae, grid->t0, u0, start, size, (double)(grid->times[0] - grid->t0)) : 0;
    if (left_out > 0)
        *digits = fmin(*digits, -log10(left_out));
    free(size);
    return status;
}
