/* extrapolation.c - y' = f(t, y) in quad precision by Gragg's rule and extrapolation
 *
 * A basic step from (t, y) to t + H, for n_j = 2, 4, ..., 2k and h = H/n_j, in increments z of y
 * (they round less than the y they make):
 *
 *     z_0 = 0,   z_1 = h f(t, y),   z_{i+1} = z_{i-1} + 2h f(t + ih, y + z_i),   i < n_j
 *     T_j1 = (z_{n-1} + z_n + h f(t + H, y + z_n)) / 2                           n = n_j
 *
 * T_j1 has an asymptotic expansion in h^2 (Gragg), so that the Aitken-Neville table
 *
 *     T_j,l+1 = T_jl + (T_jl - T_j-1,l) / ((n_j/n_{j-l})^2 - 1),    y(t + H) = y + T_kk
 *
 * has T_kk of order 2k; |T_kk - T_k,k-1| bounds what is left. Hairer, Norsett, Wanner (1993),
 * Solving Ordinary Differential Equations I, section II.9; Gragg (1965), SIAM J. Numer. Anal. 2,
 * 384-403.
 */
#include "reference/extrapolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const dae_quad_ode *ode;
    const dae_quad_rule *rule;
    dae_quad *y;                /* [n] */
    dae_quad *f0;               /* [n] f(t, y) */
    dae_quad *before, *z;       /* [n] z_{i-1}, z_i */
    dae_quad *w, *f;            /* [n] y + z_i and f there */
    dae_quad *row;              /* [k x n] T_j1 ... T_jj of the latest j */
    dae_quad size;              /* largest |y_i| so far */
    dae_quad error;             /* largest |T_kk - T_k,k-1| of the latest step */
    void *memory;
} gragg;

static int is_finite(dae_quad x)
{
    return x - x == 0;
}

static dae_status gragg_create(gragg *g, const dae_quad_ode *ode, const dae_quad_rule *rule,
                               const dae_quad *y0)
{
    const size_t n = (size_t)ode->n;
    memset(g, 0, sizeof *g);
    dae_quad *block = calloc((6 + (size_t)rule->columns) * n, sizeof *block);
    if (!block)
        return DAE_NO_MEMORY;
    g->ode = ode;
    g->rule = rule;
    g->memory = block;
    g->y = block;
    g->f0 = g->y + n;
    g->before = g->f0 + n;
    g->z = g->before + n;
    g->w = g->z + n;
    g->f = g->w + n;
    g->row = g->f + n;
    for (size_t i = 0; i < n; i++) {
        g->y[i] = y0[i];
        g->size = fmaxf128(g->size, fabsf128(y0[i]));
    }
    return DAE_OK;
}

/* f := f(t, y + z) */
static dae_status evaluate(gragg *g, dae_quad t)
{
    for (int i = 0; i < g->ode->n; i++)
        g->w[i] = g->y[i] + g->z[i];
    return g->ode->f(g->ode->context, t, g->w, g->f);
}

/* z := T_j1 in n_j substeps */
static dae_status midpoint(gragg *g, dae_quad t, dae_quad H, int nj)
{
    const int n = g->ode->n;
    const dae_quad h = H / nj;
    for (int i = 0; i < n; i++) {
        g->before[i] = 0;
        g->z[i] = h * g->f0[i];
    }
    for (int s = 1; s < nj; s++) {
        const dae_status status = evaluate(g, t + H * s / nj);
        if (status != DAE_OK)
            return status;
        for (int i = 0; i < n; i++) {
            const dae_quad next = g->before[i] + 2 * h * g->f[i];
            g->before[i] = g->z[i];
            g->z[i] = next;
        }
    }
    const dae_status status = evaluate(g, t + H);
    if (status != DAE_OK)
        return status;
    for (int i = 0; i < n; i++)
        g->z[i] = (g->before[i] + g->z[i] + h * g->f[i]) / 2;
    return DAE_OK;
}

/* The row of j = 1 ... k behind its predecessor: T_j1 = z, then T_j2 ... T_jj. */
static void neville(gragg *g, int j)
{
    const int n = g->ode->n, nj = 2 * j;
    for (int i = 0; i < n; i++) {
        dae_quad T = g->z[i];
        for (int l = 1; l < j; l++) {
            const int nl = 2 * (j - l);
            dae_quad *entry = &g->row[(l - 1) * n + i];
            const dae_quad above = *entry;
            *entry = T;
            T += (T - above) * (nl * nl) / (nj * nj - nl * nl);
        }
        g->row[(j - 1) * n + i] = T;
    }
}

/* y := y + T_kk */
static dae_status basic_step(gragg *g, dae_quad t, dae_quad H)
{
    const int n = g->ode->n, k = g->rule->columns;
    dae_status status = g->ode->f(g->ode->context, t, g->y, g->f0);
    for (int j = 1; j <= k && status == DAE_OK; j++) {
        status = midpoint(g, t, H, 2 * j);
        if (status == DAE_OK)
            neville(g, j);
    }
    if (status != DAE_OK)
        return status;
    const dae_quad *T = g->row + (k - 1) * n, *last = T - n;
    g->error = 0;
    for (int i = 0; i < n; i++) {
        g->y[i] += T[i];
        if (!is_finite(g->y[i]))
            return DAE_NOT_FINITE;
        g->size = fmaxf128(g->size, fabsf128(g->y[i]));
        g->error = fmaxf128(g->error, fabsf128(T[i] - last[i]));
    }
    if (g->rule->tolerance > 0 && !(g->error <= g->rule->tolerance * g->size))
        return DAE_ERROR_TEST;
    return DAE_OK;
}

/* Basic steps from a time to the next. */
static double steps_between(double a, double b, const dae_quad_rule *rule)
{
    const double steps = ceil((b - a) / rule->step * (1 - 1e-12));
    if (!(b > a))
        return 0;
    return rule->refined ? steps + ceil(steps / 3) : steps;
}

static dae_status step_failed(dae_report *report, dae_status status, double t, double H)
{
    switch (status) {
    case DAE_NOT_FINITE:
        return dae_fail(report, status, "t = %.9g: the right-hand side is not finite", t);
    case DAE_ERROR_TEST:
        return dae_fail(report, status, "t = %.9g: a basic step of %.3g is too long", t, H);
    default:
        return dae_fail(report, status, "t = %.9g: %s", t, dae_status_sentence(status));
    }
}

static dae_status advance(gragg *g, double from, double to, double *t_failed, dae_report *report)
{
    const double steps = steps_between(from, to, g->rule);
    const dae_quad H = steps > 0 ? ((dae_quad)to - from) / steps : 0;
    for (double s = 0; s < steps; s++) {
        const dae_quad t = from + s * H;
        const dae_status status = basic_step(g, t, H);
        if (status == DAE_OK)
            continue;
        if (t_failed)
            *t_failed = (double)t;
        return step_failed(report, status, (double)t, (double)H);
    }
    return DAE_OK;
}

static dae_status write_outputs(gragg *g, double t, dae_quad *z, dae_report *report)
{
    const dae_quad_ode *ode = g->ode;
    dae_status status = ode->outputs(ode->context, t, g->y, z);
    for (int i = 0; i < ode->m && status == DAE_OK; i++)
        if (!is_finite(z[i]))
            status = DAE_NOT_FINITE;
    return status == DAE_OK ? status : step_failed(report, status, t, 0);
}

dae_status dae_quad_grid_check(const dae_quad_grid *grid, dae_report *report)
{
    double before = grid->t0;
    for (int i = 0; i < grid->count; i++) {
        if (!isfinite(before) || !isfinite(grid->times[i]) || grid->times[i] < before)
            return dae_fail(report, DAE_BAD_ARGUMENT, "time %.9g after %.9g: times must increase",
                            grid->times[i], before);
        before = grid->times[i];
    }
    return DAE_OK;
}

static dae_status check(const dae_quad_rule *rule, const dae_quad_grid *grid, dae_report *report)
{
    if (rule->columns < 2 || rule->columns > DAE_QUAD_COLUMNS || !(rule->step > 0))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d columns and a basic step of %g",
                        rule->columns, rule->step);
    return dae_quad_grid_check(grid, report);
}

dae_status dae_extrapolate(const dae_quad_ode *ode, const dae_quad_rule *rule,
                           const dae_quad_grid *grid, const dae_quad *y0, dae_quad *z,
                           double *t_failed, dae_report *report)
{
    gragg g;
    dae_status status = check(rule, grid, report);
    if (status != DAE_OK)
        return status;
    if (gragg_create(&g, ode, rule, y0) != DAE_OK)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a step of %d unknowns", ode->n);
    double t = grid->t0;
    for (int i = 0; i < grid->count && status == DAE_OK; i++) {
        status = advance(&g, t, grid->times[i], t_failed, report);
        t = grid->times[i];
        if (status == DAE_OK)
            status = write_outputs(&g, t, z + (size_t)i * (size_t)ode->m, report);
    }
    free(g.memory);
    return status;
}

double dae_quad_digits(int count, int m, const dae_class *group, const dae_quad *a,
                       const dae_quad *b)
{
    dae_quad largest[DAE_CLASSES] = {0}, difference[DAE_CLASSES] = {0}, all = 0, worst = 0;
    for (int row = 0; row < count; row++, a += m, b += m)
        for (int i = 0; i < m; i++) {
            const dae_class c = group[i];
            largest[c] = fmaxf128(largest[c], fmaxf128(fabsf128(a[i]), fabsf128(b[i])));
            difference[c] = fmaxf128(difference[c], fabsf128(a[i] - b[i]));
            all = fmaxf128(all, largest[c]);
        }
    for (int c = 0; c < DAE_CLASSES; c++)
        if (difference[c] > 0)
            worst = fmaxf128(worst, difference[c] / fmaxf128(largest[c], all / 1000000));
    return worst > 0 ? fmin(33, -log10((double)worst)) : 33;
}

/* ---- two runs that agree ------------------------------------------------------------------ */

enum { COLUMNS = 14, CHECK_COLUMNS = 12 };
static const double local_tolerance = 1e-28;    /* of the run that is kept, for one basic step */
static const double wanted_digits = 24, fewest_digits = 18;
static const double most_evaluations = 5e6;     /* of f in one run, besides a step for each time */

/* Evaluations of f, above one basic step for each time, that a run takes. */
static double run_cost(const dae_quad_rule *rule, const dae_quad_grid *grid)
{
    double steps = 0, t = grid->t0;
    for (int i = 0; i < grid->count; i++) {
        steps += fmax(0, steps_between(t, grid->times[i], rule) - 1);
        t = grid->times[i];
    }
    return steps * (1 + rule->columns * (rule->columns + 1));
}

/* Halve the basic step until no step misses the tolerance; z := that run. An f that is not finite
 * behind the first step gets a few chances only: finding a true singularity again costs the way. */
static dae_status halve_until_local(const dae_quad_ode *ode, dae_quad_rule *rule,
                                    const dae_quad_grid *grid, const dae_quad *y0, dae_quad *z,
                                    dae_report *report)
{
    for (int chances = 8; ; rule->step /= 2) {
        double t = grid->t0;
        const dae_status status = dae_extrapolate(ode, rule, grid, y0, z, &t, report);
        if (status == DAE_OK || status == DAE_BAD_ARGUMENT || status == DAE_NO_MEMORY)
            return status;
        if (status != DAE_ERROR_TEST && t > grid->t0 && --chances == 0)
            return status;
        const dae_quad_rule half = {.columns = rule->columns, .step = rule->step / 2};
        if (run_cost(&half, grid) <= most_evaluations)
            continue;
        return status != DAE_ERROR_TEST ? status :
            dae_fail(report, DAE_NO_CONVERGENCE,
                     "t = %.9g: a basic step of %.3g is too long for an explicit quad reference, "
                     "and a shorter one takes more than %.0e evaluations",
                     t, rule->step, most_evaluations);
    }
}

/* Agreement of the run in z with one of lower order and shorter steps; 0 where that one fails. */
static dae_status agreement(const dae_quad_ode *ode, const dae_quad_rule *rule,
                            const dae_quad_grid *grid, const dae_quad *y0, const dae_quad *z,
                            dae_quad *scratch, double *digits, dae_report *report)
{
    const dae_quad_rule other = {.columns = CHECK_COLUMNS, .step = rule->step, .refined = 1};
    const dae_status status = dae_extrapolate(ode, &other, grid, y0, scratch, NULL, report);
    *digits = 0;
    if (status == DAE_OK)
        *digits = dae_quad_digits(grid->count, ode->m, ode->group, z, scratch);
    return status;
}

static double longest_interval(const dae_quad_grid *grid)
{
    double longest = 0, t = grid->t0;
    for (int i = 0; i < grid->count; i++) {
        longest = fmax(longest, grid->times[i] - t);
        t = grid->times[i];
    }
    return longest;
}

/* z := the best of runs with ever shorter steps, until 24 digits agree or halving gains none. */
static dae_status refine(const dae_quad_ode *ode, const dae_quad_grid *grid, const dae_quad *y0,
                         dae_quad *z, dae_quad *trial, double *digits, dae_report *report)
{
    const size_t size = (size_t)grid->count * (size_t)ode->m;
    const double longest = longest_interval(grid);
    dae_quad_rule rule = {.columns = COLUMNS, .step = longest > 0 ? longest : 1,
                          .tolerance = local_tolerance};
    for (*digits = 0;; rule.step /= 2) {
        double agreed = 0;
        dae_status status = halve_until_local(ode, &rule, grid, y0, trial, report);
        if (status == DAE_OK)
            status = agreement(ode, &rule, grid, y0, trial, trial + size, &agreed, report);
        if (status != DAE_OK)
            return status;
        const double before = *digits;
        if (agreed > before) {
            memcpy(z, trial, size * sizeof *z);
            *digits = agreed;
        }
        if (agreed >= wanted_digits || agreed < before + 1)
            return DAE_OK;
    }
}

dae_status dae_extrapolate_pair(const dae_quad_ode *ode, const dae_quad_grid *grid,
                                const dae_quad *y0, dae_quad *z, double *digits,
                                dae_report *report)
{
    const size_t size = (size_t)grid->count * (size_t)ode->m;
    dae_report why = {DAE_OK, ""};          /* of the last trial, which a better one may follow */
    dae_quad *trial = calloc(2 * size, sizeof *trial);
    if (!trial)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d times of %d values",
                        grid->count, ode->m);
    dae_status status = refine(ode, grid, y0, z, trial, digits, &why);
    free(trial);
    if (*digits >= fewest_digits)
        return DAE_OK;
    if (status == DAE_OK)
        status = dae_fail(&why, DAE_NO_CONVERGENCE,
                          "two quad runs of different order and step agree to %.1f digits only: "
                          "the solution is too sensitive by t = %.9g",
                          *digits, grid->times[grid->count - 1]);
    if (report)
        *report = why;
    return status;
}
