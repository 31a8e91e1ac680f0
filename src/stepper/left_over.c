/* left_over.c - what a linearly implicit step leaves of the algebraic equations
 *
 * A Rosenbrock step solves equations with J at its begin. Where an algebraic equation is of index 2 or 3 it is
 * nonlinear in unknowns that the step changes by much more than its error, as the direction of a constraint turns:
 * its residual at the end is a part of the error that the embedded method, with the same J, does not contain.
 * It is measured by corrections as of Newton's iteration with the factors of the step,
 *
 *     (M - g J) d = g F_a(t, u),    u := u + d,
 *
 * F_a the algebraic part of F. Where they fall fast the estimate of the step holds; where they do not, the solution
 * lies at least as far away as their sum (Hairer, Wanner (1996), Solving ODEs II, IV.8). So they do
 * where the residual of each constraint is at most half of what the estimate may make of it, which is seen without.
 */
#include "implicit.h"

#include "linear/pencil.h"

#include <math.h>
#include <string.h>

enum { MOST = 7 };                      /* corrections */
static const double FAST = 0.5;         /* a correction over the one before it: what follows is less than it */

/* d := (M - g J)^-1 g F_a(t, y); its norm, infinite where there is none */
static double correction(dae_solver *s, dae_pencil *pencil, double h, double g, const double *y, double *F, double *d)
{
    dae_system_rhs(s->sys, s->t_new, y, F);
    s->count.rhs++;
    memcpy(d, F, (size_t)s->n * sizeof *d);
    dae_system_remove_algebraic(s->sys, d);
    for (int i = 0; i < s->n; i++)
        d[i] = g * (F[i] - d[i]);
    s->count.solves++;
    const double size = dae_pencil_solve_real(pencil, d) ? INFINITY : dae_error_norm(s, d, h);
    return isfinite(size) ? size : INFINITY;
}

/* sum_j |J_ij| |e_j| of row i of a full J */
static inline double reach(const dae_matrix_pair *pair, int i, const double *e)
{
    const int n = pair->pattern.n;
    const double *J = pair->J + i;
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += fabs(J[j * n] * e[j]);
    return sum;
}

/* The same of the rows from first on, of a sparse one */
static void reaches(const dae_matrix_pair *pair, int first, int rows, const double *e, double *sum)
{
    const dae_pattern *p = &pair->pattern;
    memset(sum, 0, (size_t)rows * sizeof *sum);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            if (p->row[k] >= first && p->row[k] < first + rows)
                sum[p->row[k] - first] += fabs(pair->J[k] * e[j]);
}

/* 1: the residual of each constraint of a mechanical system at u_new is at most half of what the error e[n] of the
 * step may make of it. Overwrites d and room, [n] each. */
static int is_settled(const dae_solver *s, const dae_matrix_pair *pair, const double *e, double *d, double *room)
{
    const dae_system *sys = s->sys;
    const dae_mechanical *m = &sys->problem->mechanical;
    const double *q = s->u_new, *v = q + sys->nq;
    const int nl = sys->nl, on_rates = sys->index == 2, rows = sys->compose->auxiliary ? 2 * nl : nl;
    const int first = 2 * sys->nq, full = pair->pattern.full;
    if (sys->compose->kind != DAE_FORM_MECHANICAL || sys->open)
        return 0;
    if (on_rates)
        m->rate.f(sys->p, s->t_new, q, v, d);
    if (rows > nl || !on_rates)
        m->constraint.f(sys->p, s->t_new, q, d + rows - nl);
    if (!full)
        reaches(pair, first, rows, e, room);
    int k = 0;
    while (k < rows && fabs(d[k]) <= FAST * (full ? reach(pair, first + k, e) : room[k]))
        k++;
    return k == rows;
}

double dae_left_over(dae_solver *s, dae_pencil *pencil, double h, double g, const double *e, double *work)
{
    double *y = work, *F = y + s->n, *d = F + s->n;              /* d may be where e is */
    double last = s->error, sum = 0;
    if (is_settled(s, dae_pencil_pair(pencil), e, y, F))
        return 0;
    memcpy(y, s->u_new, (size_t)s->n * sizeof *y);
    for (int k = 0; k < MOST && sum <= 1; k++) {
        const double size = correction(s, pencil, h, g, y, F, d);
        sum += size;
        if (size <= FAST * last)
            break;
        last = size;
        for (int i = 0; i < s->n; i++)
            y[i] += d[i];
    }
    return sum;
}
