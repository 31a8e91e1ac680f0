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
 * has T_kk of order 2k; |T_kk - T_k,k-1| bounds what is left. The points t + H i/n_j leave gaps of H/2k,
 * in which a narrow feature of f is not seen: where they are wider than the spacing wanted, one more row
 * has so many substeps that they are not, and must agree with T_kk. It is not used otherwise.
 *
 * An error is measured in each unknown by its own size. Where an unknown is a small sum of large terms their
 * rounding is larger: f at y_i (1 + e r_i), with random |r_i| <= 1 and e far above rounding, shows how large its
 * terms are, H |df_i| / e. Terms without y it does not show. So in a step that fails the rounding of f itself is looked
 * at: at 9 points next to each other f has an 8th difference of 113 roundings, and next to nothing where it is exact
 * (More, Wild (2011), SIAM J. Sci. Comput. 33, 1292-1314).
 *
 * Hairer, Norsett, Wanner (1993), Solving Ordinary Differential Equations I, section II.9; Gragg (1965),
 * SIAM J. Numer. Anal. 2, 384-403.
 */
#include "extrapolation.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const double dae_quad_least_part = 1e-12;
static const double shake = 0x1p-60;            /* e */
static const double spread = 0x1p-18;           /* the points next to each other, in steps */
static const double unit = 0x1p-113;            /* rounding of a term */
static const double half = 0x1p-56;             /* of the digits */
static const double least_part = 0x1p-5;        /* of its terms an unknown counts for in the error of a step */

typedef struct {
    const dae_quad_ode *ode;
    const dae_quad_rule *rule;
    dae_quad *y;                /* [n], the first of one block */
    dae_quad *f0;               /* [n] f(t, y) */
    dae_quad *before, *z;       /* [n] z_{i-1}, z_i */
    dae_quad *w, *f;            /* [n] y + z_i and f there */
    dae_quad *row;              /* [(k + 1) x n] T_j1 ... T_jj of the latest j */
    dae_quad *kept;             /* [n] T_kk */
    dae_quad *size;             /* [n] largest |y_i| so far */
    dae_quad *level;            /* [n] what the error of a step in y_i is measured by */
    dae_quad *term;             /* [n] how large the terms of a step of y_i were at most */
    dae_quad *terms;            /* [n] ... and of all steps together */
    uint64_t random;
    dae_quad error;             /* of the latest step, the largest part of what each may have */
    double evaluations;
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
    if (!DAE_PARTS(g,
                   DAE_PART(gragg, y, n), DAE_PART(gragg, f0, n), DAE_PART(gragg, before, n), DAE_PART(gragg, z, n),
                   DAE_PART(gragg, w, n), DAE_PART(gragg, f, n), DAE_PART(gragg, kept, n), DAE_PART(gragg, size, n),
                   DAE_PART(gragg, level, n), DAE_PART(gragg, term, n), DAE_PART(gragg, terms, n),
                   DAE_PART(gragg, row, ((size_t)rule->columns + 1) * n)))
        return DAE_NO_MEMORY;
    g->ode = ode;
    g->rule = rule;
    g->random = 19900101;
    for (size_t i = 0; i < n; i++) {
        g->y[i] = y0[i];
        g->size[i] = dae_quad_fabs(y0[i]);
    }
    return DAE_OK;
}

/* f := f(t, y + z) */
static dae_status evaluate(gragg *g, dae_quad t)
{
    for (int i = 0; i < g->ode->n; i++)
        g->w[i] = g->y[i] + g->z[i];
    g->evaluations++;
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

/* The row of j = 1 ... k behind its predecessor: T_j1 = z, with nj substeps, then T_j2 ... T_jj. */
static void neville(gragg *g, int j, double nj)
{
    const int n = g->ode->n;
    for (int i = 0; i < n; i++) {
        dae_quad T = g->z[i];
        for (int l = 1; l < j; l++) {
            const double nl = 2 * (j - l);
            dae_quad *entry = &g->row[(l - 1) * n + i];
            const dae_quad above = *entry;
            *entry = T;
            T += (T - above) * (nl * nl) / (nj * nj - nl * nl);
        }
        g->row[(j - 1) * n + i] = T;
    }
}

/* Substeps of the row that leaves no wider gaps than the spacing; 0 where the others leave none. */
static double long_row(const dae_quad_rule *rule, dae_quad H)
{
    const double wanted = rule->spacing > 0 ? (double)(H / rule->spacing) : 0;
    return wanted > 2 * rule->columns ? 2 * ceil(wanted / 2) : 0;
}

/* The terms of a step of size H, from f0 and f beside y; where f has no value there they are not known. */
static void look_at_terms(gragg *g, dae_quad t, dae_quad H)
{
    for (int i = 0; i < g->ode->n; i++)
        g->z[i] = shake * dae_random_direction(&g->random) * g->y[i];
    if (evaluate(g, t) != DAE_OK)
        return;
    for (int i = 0; i < g->ode->n; i++) {
        const dae_quad term = dae_quad_fabs(H * (g->f[i] - g->f0[i])) / shake;
        if (!is_finite(term))
            continue;
        g->term[i] = dae_quad_fmax(g->term[i], term);
        g->terms[i] += term;
    }
}

/* The level of a step that fails: no less than the rounding of f on the way from y to y + kept says of its terms */
static void look_at_noise(gragg *g, dae_quad t, dae_quad H)
{
    static const double binomial[] = {1, -8, 28, -56, 70, -56, 28, -8, 1};
    const int n = g->ode->n;
    dae_quad *difference = g->before;
    memset(difference, 0, (size_t)n * sizeof *difference);
    for (int k = 0; k < 9; k++) {
        const double x = 0.5 + k * spread;
        for (int i = 0; i < n; i++)
            g->z[i] = x * g->kept[i];
        if (evaluate(g, t + x * H) != DAE_OK)
            return;
        for (int i = 0; i < n; i++)
            difference[i] += binomial[k] * g->f[i];
    }
    for (int i = 0; i < n; i++)
        if (is_finite(difference[i]))
            g->level[i] = dae_quad_fmax(g->level[i], least_part * dae_quad_fabs(H * difference[i]) / (113 * unit));
}

/* The largest of x - kept in an unknown against its level */
static dae_quad size_of_error(const gragg *g, const dae_quad *x)
{
    dae_quad most = 0;
    for (int i = 0; i < g->ode->n; i++) {
        const dae_quad error = dae_quad_fabs(x[i] - g->kept[i]);
        if (!is_finite(error))
            return HUGE_VAL;
        if (error > 0)
            most = dae_quad_fmax(most, error / g->level[i]);
    }
    return most;
}

/* A step that is far too long goes to where nothing can be said of f: rounding is less than half of the digits. */
static int may_be_rounding(const gragg *g, const dae_quad *x)
{
    dae_quad error = 0, level = 0;
    for (int i = 0; i < g->ode->n; i++) {
        error = dae_quad_fmax(error, dae_quad_fabs(x[i] - g->kept[i]));
        level = dae_quad_fmax(level, g->level[i]);
    }
    return error <= half * level;
}

/* error := that of x in the step from t, if it is larger */
static dae_status compare(gragg *g, dae_quad t, dae_quad H, const dae_quad *x)
{
    const double tolerance = g->rule->tolerance;
    dae_quad error = size_of_error(g, x);
    if (!is_finite(error))
        return DAE_NOT_FINITE;
    if (tolerance > 0 && error > tolerance && may_be_rounding(g, x)) {
        look_at_noise(g, t, H);
        error = size_of_error(g, x);
    }
    g->error = dae_quad_fmax(g->error, error);
    return DAE_OK;
}

/* kept := T_kk; the level, and the error against it */
static dae_status measure(gragg *g, dae_quad t, dae_quad H)
{
    const int n = g->ode->n, k = g->rule->columns;
    const dae_quad *T = g->row + (k - 1) * n, *last = T - n;
    for (int i = 0; i < n; i++) {
        g->kept[i] = T[i];
        g->level[i] = dae_quad_fmax(dae_quad_fmax(g->size[i], dae_quad_fabs(g->y[i] + T[i])),
                                    least_part * g->term[i]);
    }
    g->error = 0;
    return compare(g, t, H, last);
}

/* The row of nj substeps against T_kk */
static dae_status look_between(gragg *g, dae_quad t, dae_quad H, double nj)
{
    const int k = g->rule->columns;
    const dae_status status = midpoint(g, t, H, (int)nj);
    if (status != DAE_OK)
        return status;
    neville(g, k + 1, nj);
    return compare(g, t, H, g->row + k * g->ode->n);
}

/* y := y + T_kk; where the tolerance is missed y stays, and g->error says by how much */
static dae_status basic_step(gragg *g, dae_quad t, dae_quad H)
{
    const int n = g->ode->n, k = g->rule->columns;
    const double tolerance = g->rule->tolerance, between = long_row(g->rule, H);
    dae_status status = g->ode->f(g->ode->context, t, g->y, g->f0);
    g->error = 0;
    g->evaluations++;
    if (status == DAE_OK && tolerance > 0)
        look_at_terms(g, t, H);
    for (int j = 1; j <= k && status == DAE_OK; j++) {
        status = midpoint(g, t, H, 2 * j);
        if (status == DAE_OK)
            neville(g, j, 2 * j);
    }
    if (status == DAE_OK)
        status = measure(g, t, H);
    if (status == DAE_OK && between > 0 && !(tolerance > 0 && g->error > tolerance))
        status = look_between(g, t, H, between);
    if (status == DAE_OK && tolerance > 0 && !(g->error <= tolerance))
        status = DAE_ERROR_TEST;
    for (int i = 0; i < n && status == DAE_OK; i++) {
        g->y[i] += g->kept[i];
        g->size[i] = dae_quad_fmax(g->size[i], dae_quad_fabs(g->y[i]));
    }
    return status;
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

static dae_status write_outputs(gragg *g, dae_quad t, dae_quad *z, dae_report *report)
{
    const dae_quad_ode *ode = g->ode;
    dae_status status = ode->outputs(ode->context, t, g->y, z);
    for (int i = 0; i < ode->m && status == DAE_OK; i++)
        if (!is_finite(z[i]))
            status = DAE_NOT_FINITE;
    return status == DAE_OK ? status : step_failed(report, status, (double)t, 0);
}

static dae_status check(const dae_quad_rule *rule, const dae_quad_grid *grid, dae_report *report)
{
    if (rule->columns < 2 || rule->columns > DAE_QUAD_COLUMNS || !(rule->step > 0))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d columns and a basic step of %g",
                        rule->columns, rule->step);
    return dae_quad_grid_check(grid, report);
}

/* ---- a run ---------------------------------------------------------------------------------- */

typedef struct {
    gragg *g;
    dae_quad begin, end;
    dae_quad h;                 /* to try next */
    dae_quad *size, *out;       /* [m] of the outputs; [2 m] */
    dae_quad longest;           /* of the last steps, fading */
} run;

static dae_status give_up(const run *s, dae_quad t, dae_report *report)
{
    return dae_fail(report, DAE_NO_CONVERGENCE, "t = %.9g: a basic step of %.3g is too long for an "
                    "explicit quad reference, and with shorter ones it takes more than %.0e "
                    "evaluations", (double)t, (double)s->h, s->g->rule->most);
}

/* Has it become too much, or will it? Beginnings may be steeper than the rest. */
static int too_costly(const run *s, dae_quad t)
{
    const gragg *g = s->g;
    const int k = g->rule->columns;
    const double most = g->rule->most, left = (double)((s->end - t) / s->longest) * (1 + k * (k + 1));
    return g->evaluations > most || (g->evaluations > most / 20 && g->evaluations + left > most);
}

/* The sizes of outputs at (t, y), and of what rounding of y and its terms makes of them */
static void look_at_outputs(run *s, dae_quad t)
{
    gragg *g = s->g;
    const dae_quad_ode *ode = g->ode;
    dae_quad *beside = s->out + ode->m;
    for (int i = 0; i < ode->n; i++)
        g->w[i] = g->y[i] + shake * dae_random_direction(&g->random) * (dae_quad_fabs(g->y[i]) + g->terms[i]);
    if (ode->outputs(ode->context, t, g->w, beside) || ode->outputs(ode->context, t, g->y, s->out))
        return;                                 /* where it matters there is a row */
    for (int i = 0; i < ode->m; i++) {
        const dae_quad terms = dae_quad_fabs(beside[i] - s->out[i]) / shake;
        if (is_finite(s->out[i]))
            s->size[i] = dae_quad_fmax(s->size[i], dae_quad_fabs(s->out[i]));
        if (is_finite(terms))
            s->size[i] = dae_quad_fmax(s->size[i], dae_quad_least_part * terms);
    }
}

/* Steps to `to`, each as long as the tolerance lets it; behind a number that is not finite, too. */
static dae_status find_way(run *s, dae_quad from, dae_quad to, dae_report *report)
{
    const double tolerance = s->g->rule->tolerance, power = 1.0 / (2 * s->g->rule->columns - 1);
    const dae_quad largest = dae_quad_fmax(dae_quad_fabs(s->end), dae_quad_fabs(s->begin));
    const dae_quad least = 0x1p-108 * largest;          /* a jump fits in that */
    for (dae_quad t = from; t < to;) {
        const dae_status stopped = dae_quad_watch(s->g->ode->watch, t, report);
        if (stopped)
            return stopped;
        const dae_quad left = to - t;
        const double pieces = ceil((double)(left / s->h) * (1 - 1e-12));
        const dae_quad h = left / fmax(1, pieces);
        const dae_status status = basic_step(s->g, t, h);
        const double error = (double)s->g->error;
        const double fit = error > 0 ? 0.9 * pow(tolerance / error, power) : 2;
        if (status == DAE_OK) {
            t = pieces <= 1 ? to : t + h;
            look_at_outputs(s, t);
            if (tolerance > 0)
                s->h = dae_quad_fmax(h * fmin(2, fit), h < s->h ? fmin(1, fit) * s->h : 0);
            s->longest = dae_quad_fmax(h, s->longest * 0.98);
        } else if (status == DAE_ERROR_TEST) {
            s->h = h * fmax(0.1, fmin(0.8, fit));
        } else {
            s->h = h * 0.3;
        }
        if (status != DAE_OK && s->h < least)
            return step_failed(report, status, (double)t, (double)s->h);
        if (too_costly(s, t))
            return status == DAE_NOT_FINITE ? step_failed(report, status, (double)t, (double)s->h)
                                            : give_up(s, t, report);
    }
    return DAE_OK;
}

dae_status dae_extrapolate(const dae_quad_ode *ode, const dae_quad_rule *rule, const dae_quad_grid *grid,
                           const dae_quad *y0, dae_quad *z, dae_quad *size, dae_report *report)
{
    gragg g;
    dae_status status = check(rule, grid, report);
    if (status)
        return status;
    run s = {.g = &g, .begin = grid->t0, .end = grid->times[grid->count - 1], .h = rule->step, .size = size,
             .out = calloc(2 * (size_t)ode->m, sizeof *s.out)};
    if (gragg_create(&g, ode, rule, y0) || !s.out)
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a step of %d unknowns", ode->n);
    else
        look_at_outputs(&s, grid->t0);
    s.longest = 0x1p-60 * (s.end - s.begin);
    dae_quad t = grid->t0;
    for (int i = 0; i < grid->count && status == DAE_OK; i++) {
        status = find_way(&s, t, grid->times[i], report);
        t = grid->times[i];
        if (status == DAE_OK)
            status = write_outputs(&g, t, z + (size_t)i * (size_t)ode->m, report);
    }
    free(s.out);
    free(g.y);
    return status;
}

/* ---- two runs that agree ------------------------------------------------------------------- */

enum { TRIALS = 4 };
static const double wanted_digits = 24;
static const double sharper = 0.1;              /* tolerance from trial to trial */
static const double most_evaluations = 3.5e6;   /* of f in one run */

dae_quad_rule dae_extrapolation_rule(int second, double length, double span, double most)
{
    return (dae_quad_rule){.columns = second ? 12 : 14, .tolerance = second ? 3e-29 : 1e-29,
                           .step = length > 0 ? length : span > 0 ? span : 1, .spacing = DAE_NARROW * span,
                           .most = most};
}

typedef struct {
    const dae_quad_ode *ode;
    const dae_quad_grid *grid;
    const dae_quad *y0;
} pair;

/* Where two do not agree the next ones look closer. */
static dae_status run_one(void *context, int trial, int second, dae_quad *z, dae_quad *size, int *pass,
                          dae_report *report)
{
    const pair *p = context;
    const double span = (double)(p->grid->times[p->grid->count - 1] - p->grid->t0);
    dae_quad_rule rule = dae_extrapolation_rule(second, span, span, most_evaluations + 1000.0 * p->grid->count);
    (void)pass;
    rule.tolerance *= pow(sharper, trial);
    rule.spacing *= pow(DAE_GOLDEN, trial);
    return dae_extrapolate(p->ode, &rule, p->grid, p->y0, z, size, report);
}

dae_status dae_extrapolate_pair(const dae_quad_ode *ode, const dae_quad_grid *grid,
                                const dae_quad *y0, dae_quad *z, double *digits,
                                dae_report *report)
{
    pair p = {ode, grid, y0};
    const dae_quad_pair two = {.grid = grid, .n = ode->m, .trials = TRIALS, .wanted = wanted_digits,
                               .runs = "quad runs", .because = ": the solution is too sensitive", .run = run_one,
                               .context = &p};
    dae_quad *size = calloc((size_t)ode->m, sizeof *size);
    const dae_status status = size ? dae_quad_agree(&two, z, size, digits, report)
        : dae_fail(report, DAE_NO_MEMORY, "no memory for %d values", ode->m);
    free(size);
    return status;
}
