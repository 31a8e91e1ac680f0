/* difference.c - forward differences with increments of the unknowns' own sizes
 *
 *   dF/du e_j = (F(u + d_j e_j) - F(u))/d_j,   d_j = sqrt(eps) s_j away from zero,   s_j by sizes.c
 *
 * Truncation and rounding both leave an error of about sqrt(eps) = 1.5e-8 relative to F'' and F, as
 * long as u_j matters in a row as much as its size says. If that is more than a hundredth of what
 * u_j may grow to it may be chance, and s_j is the geometric mean of both. In a row with far larger
 * terms the difference is lost. Where s_j is a small part of what u_j may grow to, such entries,
 * with
 *
 *   |F_i(u + d_j e_j) - F_i(u)| <= 1e-10 T_i,     T_i = |F_i| + sum_j |J_ij u_j|,
 *
 * are taken with up to 1e4 times the increment, and so on, as long as that changes them by no more
 * than rounding, eps T_i/d_j, had left open: more is curvature. Columns that have no row in common
 * are moved together, each by its own increment. Where F is not finite there they are moved the
 * other way.
 *
 * In time
 *
 *   dF/dt = (-3 F(t) + 4 F(t + d) - F(t + 2 d))/(2 d),    d = eps^(1/3) T
 *
 * with the step T, or the interval of the problem where there is none, and no less than a few units
 * in the last place of t. An algebraic unknown gets T F_t in a step: one difference less would
 * leave sqrt(eps) F in it, however small the step.
 */
#include "providers.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double LOST = 1e-10, SEEN = 1e-9;  /* of T_i */
static const double NEAR = 0.01;        /* of its largest size: what it is now may be chance */
static const double SMALL = 0.1;        /* of its largest size: entries may be lost */
static const double LONGER = 10, LONGEST = 1e4; /* the increments of the next turn */
enum { MOST_TURNS = 5 };
static const double OPEN = 16 * DBL_EPSILON;    /* rounding of a difference, of T_i */

typedef struct {
    dae_jacobian *jac;
    double t;
    const double *u, *F;
    double *x, *y;              /* [n] u moved, F there */
    double *by;                 /* [n] by how much each column was last moved; 0: it rests */
    double *terms;              /* [n] T_i */
    const int *begin, *end;     /* the columns of the present group */
} differences;

/* The increment of x for a size, exactly representable in x + d. */
static double increment(double x, double size)
{
    const volatile double moved = x + copysign(sqrt(DBL_EPSILON) * size, x);
    return moved - x;
}

/* The difference that J_k stands for is lost in rounding of the terms of its row. */
static int is_lost(const differences *d, int k, double by)
{
    const double T = d->terms[d->jac->pair.pattern.row[k]];
    return !(fabs(d->jac->pair.J[k] * by) > LOST * T) && T > 0;
}

/* y := F with the group moved; x rests again. Are the rows finite that the group has? */
static int evaluate(differences *d, const double *by)
{
    const dae_pattern *pattern = &d->jac->pair.pattern;
    double sum = 0;
    for (const int *j = d->begin; j < d->end; j++)
        d->x[*j] = d->u[*j] + by[*j];
    d->jac->sys->compose->rhs(d->jac->sys, d->t, d->x, d->y);
    d->jac->pair.count->rhs++;
    for (const int *j = d->begin; j < d->end; j++) {
        d->x[*j] = d->u[*j];
        for (int k = pattern->column[*j]; k < pattern->column[*j + 1]; k++)
            sum += 0 * d->y[pattern->row[k]];
    }
    return sum == 0;
}

/* All entries of the group. */
static void first_turn(differences *d)
{
    const dae_pattern *pattern = &d->jac->pair.pattern;
    double *size = d->jac->own, *top = size + pattern->n;
    for (const int *j = d->begin; j < d->end; j++) {
        if (size[*j] > NEAR * top[*j])
            size[*j] *= sqrt(top[*j] / size[*j]);     /* no unit enters a root */
        d->by[*j] = increment(d->u[*j], size[*j]);
    }
    if (!evaluate(d, d->by)) {
        for (const int *j = d->begin; j < d->end; j++)
            d->by[*j] = -d->by[*j];
        evaluate(d, d->by);
    }
    for (const int *j = d->begin; j < d->end; j++)
        for (int k = pattern->column[*j]; k < pattern->column[*j + 1]; k++) {
            const int i = pattern->row[k];
            d->jac->pair.J[k] = (d->y[i] - d->F[i]) / d->by[*j];
        }
}

/* What is summed up in a row: T_i = |F_i| + sum_j |J_ij u_j| */
static void set_terms(differences *d)
{
    const dae_pattern *pattern = &d->jac->pair.pattern;
    const int n = pattern->n;
    for (int i = 0; i < n; i++)
        d->terms[i] = fabs(d->F[i]);
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            d->terms[pattern->row[k]] += fabs(d->jac->pair.J[k] * d->u[j]);
}

/* The increment of column j in the next turn, if entries are lost and it may be longer, up to where
 * u_j would matter in their rows: so that the largest of them is seen; else 0. */
static double longer(differences *d, int j)
{
    const dae_pattern *pattern = &d->jac->pair.pattern;
    double *size = d->jac->own, most = size[pattern->n + j], factor = LONGEST;
    int any = 0;
    for (int k = pattern->column[j]; d->by[j] != 0 && k < pattern->column[j + 1]; k++) {
        if (!is_lost(d, k, d->by[j]))
            continue;
        const double ratio = d->terms[pattern->row[k]] / fabs(d->jac->pair.J[k]);
        any = 1;
        if (d->jac->pair.J[k] != 0) {
            most = fmax(most, ratio);
            factor = fmax(LONGER, fmin(factor, SEEN * ratio / fabs(d->by[j])));
        }
    }
    if (!any || !(size[j] < SMALL * most))
        return 0;
    size[j] = fmin(factor * size[j], most);
    return increment(d->u[j], size[j]);
}

/* Entry k, lost with one increment, by a longer one. */
static void improve(differences *d, int k, double before, double by)
{
    const int i = d->jac->pair.pattern.row[k];
    const double entry = (d->y[i] - d->F[i]) / by;
    if (fabs(entry - d->jac->pair.J[k]) <= OPEN * d->terms[i] / fabs(before))
        d->jac->pair.J[k] = entry;
}

/* The lost entries again, with longer increments; 0 where there are none. */
static int next_turn(differences *d)
{
    const dae_pattern *pattern = &d->jac->pair.pattern;
    double *by = d->jac->own + 2 * pattern->n;
    int any = 0;
    for (const int *j = d->begin; j < d->end; j++)
        any |= (by[*j] = longer(d, *j)) != 0;
    if (!any || !evaluate(d, by))
        return 0;
    for (const int *j = d->begin; j < d->end; j++) {
        for (int k = pattern->column[*j]; by[*j] != 0 && k < pattern->column[*j + 1]; k++)
            if (is_lost(d, k, d->by[*j]))
                improve(d, k, d->by[*j], by[*j]);
        d->by[*j] = by[*j];
    }
    return 1;
}

/* F_t := dF/dt by steps of d; 0 where it is not finite. y[n] */
static int difference_in_time(const dae_jacobian *jac, double t, double d, const double *u,
                              const double *F, double *y, double *F_t)
{
    dae_system *sys = jac->sys;
    const volatile double next = t + d, last = t + 2 * d;
    const double a = next - t, b = last - t;            /* 2 a, but for rounding */
    double sum = 0;
    sys->compose->rhs(sys, next, u, y);
    sys->compose->rhs(sys, last, u, F_t);
    jac->pair.count->rhs += 2;
    for (int i = 0; i < sys->n; i++) {
        F_t[i] = ((y[i] - F[i]) / a * b - (F_t[i] - F[i]) / b * a) / (b - a);
        sum += 0 * F_t[i];
    }
    return sum == 0;
}

/* Forwards, as the step goes, or backwards where the equations end. */
static void differentiate_time(const dae_jacobian *jac, double t, const double *u, const double *F,
                               double *y, double *F_t)
{
    const dae_problem *problem = jac->sys->problem;
    const double step = jac->run.t ? fabs(*jac->run.t_new - *jac->run.t) : 0;
    const double span = fabs(problem->t_end - problem->t0);
    const double size = step > 0 ? step : span > 0 && isfinite(span) ? span : t != 0 ? fabs(t) : 1;
    const double d = fmax(cbrt(DBL_EPSILON) * size, 4 * DBL_EPSILON * fabs(t));
    if (!difference_in_time(jac, t, d, u, F, y, F_t))
        difference_in_time(jac, t, -d, u, F, y, F_t);
}

/* Group c of the columns, or column c alone. */
static void choose_group(differences *d, const int *c)
{
    const dae_groups *groups = &d->jac->groups;
    d->begin = groups->count > 0 ? groups->column + groups->start[*c] : c;
    d->end = groups->count > 0 ? groups->column + groups->start[*c + 1] : c + 1;
}

void dae_linearise_fd(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    const int n = sys->n, groups = jac->groups.count;
    differences d = {.jac = jac, .t = t, .u = u, .F = F, .x = jac->work, .y = jac->work + n,
                     .by = jac->work + 3 * n, .terms = jac->own + 3 * n};
    sys->compose->rhs(sys, t, u, F);
    jac->pair.count->rhs++;
    dae_unknown_sizes(jac, u, F, jac->own, jac->own + n);
    memcpy(d.x, u, (size_t)n * sizeof *u);
    for (int c = 0; c < (groups > 0 ? groups : n); c++) {
        choose_group(&d, &c);
        first_turn(&d);
    }
    set_terms(&d);
    for (int c = 0; c < (groups > 0 ? groups : n); c++) {
        choose_group(&d, &c);
        for (int turn = 0; turn < MOST_TURNS && next_turn(&d); turn++)
            ;
    }
    if (F_t)
        differentiate_time(jac, t, u, F, d.y, F_t);
}
