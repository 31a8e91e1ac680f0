/* pattern.c - where dF/du or M has entries, by probing F with dual numbers
 *
 * A probe asks M and the derivatives at several random points, near the start, or near the state
 * where the pattern turned out to lack an entry; what vanishes at all of them is taken as
 * structurally zero. A row that cannot be evaluated at any of them counts as full near the start,
 * and tells nothing later.
 *
 * Near the start one point is asked where all rows can be evaluated there, and the pattern that it shows is
 * tried at the others by one derivative for each group of columns (pattern_holds.c). Only where one of them has
 * more are all three asked in every probe: that takes three times as long.
 */
#include "providers.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 3 };

typedef struct {
    dae_jacobian *jac;
    double *point;              /* [POINTS x n] */
    double t[POINTS];
    int asked;                  /* points of a probe: the first so many */
    int at;                     /* the point that jac->dual holds, or -1 */
    const dae_pattern *known;   /* entries that stand already, or NULL */
    unsigned char *seen;        /* [n] rows that could be evaluated */
} probed;

static int all_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && isfinite(x[i]))
        i++;
    return i == n;
}

/* The three points differ in where an unknown goes: by a part of itself; and of the largest of its
 * class; and of a thousandth of that. One that is 0 has no size but theirs. */
static const double of_largest[POINTS] = {0, 1, 1e-3}, of_span[POINTS] = {0.1, 0.35, 0.8};

/* Point k of p around (t, u), by parts of a tenth or smaller where F is not finite; at last u
 * itself. top[n]: the largest of each class. */
static void random_point(probed *p, int k, double t, double span, const double *u,
                         const double *top, uint64_t *random)
{
    dae_system *sys = p->jac->sys;
    const int n = sys->n;
    double *x = p->point + (size_t)k * (size_t)n;
    for (double part = 0.1; part > 1e-6; part /= 10) {
        p->t[k] = t + 10 * part * of_span[k] * span;
        for (int i = 0; i < n; i++) {
            const double a = dae_random(random), b = dae_random_direction(random);
            const double size = k == 0 && u[i] == 0 ? top[i] : of_largest[k] * top[i];
            x[i] = u[i] + part * (a * u[i] + b * size);
        }
        sys->compose->rhs(sys, p->t[k], x, p->jac->work);
        if (all_finite(n, p->jac->work))
            return;
    }
    p->t[k] = t;
    memcpy(x, u, (size_t)n * sizeof *x);
}

/* y := F(x + eps d) at the x that jac->dual holds */
static const dae_dual *evaluate(probed *p, double t)
{
    dae_dual *y = p->jac->dual + p->jac->sys->n;
    p->jac->sys->compose->rhs_dual(p->jac->sys, dae_dual_make(t, 0), p->jac->dual, y);
    return y;
}

/* Rows where the derivative is not 0; a NaN is not. */
static void hit_rows(int n, const dae_dual *y, unsigned char *hit)
{
    for (int i = 0; i < n; i++)
        hit[i] = (unsigned char)(hit[i] | (dae_dual_derivative(y[i]) != 0));
}

/* The same where there is a derivative, and the rows that have one. */
static void hit_seen_rows(int n, const dae_dual *y, unsigned char *hit, unsigned char *seen)
{
    for (int i = 0; i < n; i++) {
        const double d = dae_dual_derivative(y[i]);
        const int finite = fabs(d) <= DBL_MAX;
        hit[i] = (unsigned char)(hit[i] | (finite & (d != 0)));
        seen[i] = (unsigned char)(seen[i] | finite);
    }
}

/* x := point k with derivative 0, where it is not that already. */
static void go_to(probed *p, int k)
{
    const int n = p->jac->sys->n;
    const double *u = p->point + (size_t)k * (size_t)n;
    for (int i = 0; k != p->at && i < n; i++)
        p->jac->dual[i] = dae_dual_make(u[i], 0);
    p->at = k;
}

/* At one point, where all rows can be evaluated, or at several. */
static void probe_points(probed *p, const dae_probe_vector *d, unsigned char *hit)
{
    dae_dual *x = p->jac->dual;
    const int n = p->jac->sys->n;
    for (int k = 0; k < p->asked; k++) {
        const double *u = p->point + (size_t)k * (size_t)n;
        go_to(p, k);
        for (int c = 0; c < d->count; c++)
            x[d->column[c]] = dae_dual_make(u[d->column[c]], d->x[d->column[c]]);
        const dae_dual *y = evaluate(p, p->t[k]);
        if (p->asked == 1)
            hit_rows(n, y, hit);
        else
            hit_seen_rows(n, y, hit, p->seen);
        for (int c = 0; c < d->count; c++)
            x[d->column[c]] = dae_dual_make(u[d->column[c]], 0);
    }
}

static void probe_mass(const probed *p, const dae_probe_vector *d, unsigned char *hit)
{
    const dae_system *sys = p->jac->sys;
    double *Mx = p->jac->work;
    if (!sys->carried && !sys->nondiagonal_mass) {
        for (int c = 0; c < d->count; c++)
            hit[d->column[c]] = (unsigned char)(hit[d->column[c]] | (sys->diagonal[d->column[c]] != 0));
        return;
    }
    dae_system_mass(sys, d->x, Mx);
    for (int i = 0; i < sys->n; i++)
        hit[i] |= Mx[i] != 0;
}

static void probe(void *context, const dae_probe_vector *d, unsigned char *hit)
{
    probed *p = context;
    const int n = p->jac->sys->n;
    const dae_pattern *known = p->known;
    if (p->asked > 1)
        memset(p->seen, 0, (size_t)n);
    probe_points(p, d, hit);
    probe_mass(p, d, hit);
    for (int i = 0; p->asked > 1 && !known && i < n; i++)
        hit[i] |= !p->seen[i];
    for (int c = 0; known && c < d->count; c++)
        for (int k = known->column[d->column[c]]; k < known->column[d->column[c] + 1]; k++)
            hit[known->row[k]] = 1;
}

/* Memory: the points, and the largest of each class behind them. */
static int create(probed *p, dae_jacobian *jac, const dae_pattern *known)
{
    const size_t n = (size_t)jac->sys->n;
    *p = (probed){.jac = jac, .asked = POINTS, .at = -1, .known = known};
    p->point = malloc((POINTS + 2) * n * sizeof *p->point);
    p->seen = malloc(n + 1);
    return p->point && p->seen;
}

static void destroy(probed *p)
{
    free(p->point);
    free(p->seen);
}

/* Can every row be evaluated at the first point? */
static int all_seen(probed *p)
{
    const int n = p->jac->sys->n;
    int i = 0;
    for (int j = 0; j < n; j++)
        p->jac->dual[j] = dae_dual_make(p->point[j], p->jac->direction[j]);
    const dae_dual *y = evaluate(p, p->t[0]);
    while (i < n && isfinite(dae_dual_derivative(y[i])))
        i++;
    return i == n;
}

/* The pattern of the points that are asked, in groups. */
static dae_status find(probed *p, int asked)
{
    dae_jacobian *jac = p->jac;
    const int n = jac->sys->n;
    p->asked = asked;
    p->at = -1;
    dae_groups_free(&jac->groups);
    dae_pattern_free(&jac->pair.pattern);
    const dae_status status = dae_pattern_detect(&jac->pair.pattern, n, n, probe, p);
    return status ? status : dae_group_columns(&jac->pair.pattern, &jac->groups);
}

static int holds_elsewhere(probed *p)
{
    int k = 1;
    while (k < POINTS && dae_pattern_holds(p->jac, p->t[k], p->point + (size_t)k * (size_t)p->jac->sys->n))
        k++;
    return k == POINTS;
}

static dae_status find_near_start(probed *p)
{
    dae_status status = DAE_OK;
    const int one = all_seen(p);
    if (one)
        status = find(p, 1);
    return !status && (!one || !holds_elsewhere(p)) ? find(p, POINTS) : status;
}

dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report)
{
    const dae_problem *problem = jac->sys->problem;
    const size_t n = (size_t)jac->sys->n;
    const double span = problem->t_end - problem->t0;
    uint64_t random = 20090217;
    probed p;
    dae_status status = create(&p, jac, NULL) ? DAE_OK : DAE_NO_MEMORY;
    double *start = p.point + POINTS * n, *top = start + n;
    if (!status)
        status = dae_system_unknowns_at_start(jac->sys, start, report);
    if (!status)
        dae_unknown_sizes(jac, start, NULL, NULL, top);
    for (int k = 0; !status && k < POINTS; k++)
        random_point(&p, k, problem->t0, isfinite(span) && span > 0 ? span : 0, start, top,
                     &random);
    if (!status)
        status = find_near_start(&p);
    destroy(&p);
    return status;
}

dae_status dae_pattern_extend(dae_jacobian *jac, double t, const double *u, dae_pattern *larger)
{
    const size_t n = (size_t)jac->sys->n;
    uint64_t random = 20090217;
    probed p;
    dae_status status = create(&p, jac, &jac->pair.pattern) ? DAE_OK : DAE_NO_MEMORY;
    if (!status) {
        double *top = p.point + POINTS * n;
        dae_unknown_sizes(jac, u, NULL, NULL, top);
        for (int k = 1; k < POINTS; k++)
            random_point(&p, k, t, 0, u, top, &random);
        p.t[0] = t;
        memcpy(p.point, u, n * sizeof *u);
        status = dae_pattern_detect(larger, jac->sys->n, jac->sys->n, probe, &p);
    }
    destroy(&p);
    return status;
}
