/* rank_loss.c - does G lose rank within the tolerance of a run?
 *
 * Near a minimum, the nearest q at which y becomes a dependence is, to first order, given by the smallest x of
 *     r + J x + G^T z = 0,  z orthogonal to y,  J = d(G^T y)/dq in units of the tolerances of q,
 * which no units of q, of g or of the masses change.
 */
#include "rank_watch.h"

#include "base/numbers.h"
#include "linear/dense_lu.h"
#include "base/parts.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for one minimum: G by rows, J by columns i for q_i, both in units of M^(1/2) and of the rows. */
typedef struct {
    double *G, *J, *A, *x, *ones, *row, *unit;
    int pivot[DAE_RANK_MOST + 1];
} room;

static int make_room(room *m, int nq, int nl)
{
    const int n = nq + nl + 1;
    if (!DAE_PARTS(m,
                   DAE_PART(room, G, nq * nl), DAE_PART(room, J, nq * nq), DAE_PART(room, A, n * n),
                   DAE_PART(room, x, n), DAE_PART(room, ones, n), DAE_PART(room, row, n), DAE_PART(room, unit, nq)))
        return 0;
    for (int i = 0; i < n; i++)
        m->ones[i] = 1;
    return 1;
}

/* What a change of q_i by one counts as: its tolerance; of fixed steps what it changes by in one. */
static void set_units(const dae_rank_watch *w, const dae_rank_point *m, double *unit)
{
    for (int i = 0; i < w->nq; i++)
        unit[i] = w->chosen ? w->atols[i] + w->rtol * fabs(m->q[i]) : fabs(m->h * m->v[i]);
}

/* G at the minimum, and J; the size of J. */
static double set_derivatives(dae_rank_watch *w, const dae_rank_point *m, room *o)
{
    const int nq = w->nq, nl = w->nl;
    double sum = 0;
    memset(w->c, 0, (size_t)nl * sizeof *w->c);
    for (int k = 0; k < nl; k++) {
        w->c[k] = 1 / w->length[k];
        dae_rank_react(w, m->t, m->q, w->c, o->G + k * nq);
        w->c[k] = 0;
    }
    dae_rank_react(w, m->t, m->q, m->y, w->r);
    memcpy(w->moved, m->q, (size_t)nq * sizeof *w->moved);
    for (int i = 0; i < nq; i++) {
        w->moved[i] += o->unit[i];
        dae_rank_react(w, m->t, w->moved, m->y, w->beside);
        w->moved[i] = m->q[i];
        for (int j = 0; j < nq; j++) {
            o->J[i * nq + j] = (w->beside[j] - w->r[j]) / w->root[j];
            sum += o->J[i * nq + j] * o->J[i * nq + j];
        }
    }
    return sqrt(sum);
}

/* [J J^T G^T 0; G 0 y; 0 y^T 0] (p, z, .) = (-r, 0, 0): x = J^T p is the smallest. */
static void set_equations(const dae_rank_watch *w, const dae_rank_point *m, double size, room *o)
{
    const int nq = w->nq, nl = w->nl, n = nq + nl + 1;
    memset(o->A, 0, (size_t)n * (size_t)n * sizeof *o->A);
    memset(o->x, 0, (size_t)n * sizeof *o->x);
    for (int i = 0; i < nq; i++) {
        o->x[i] = -w->r[i] / w->root[i];
        for (int j = 0; j < nq; j++)
            for (int k = 0; k < nq; k++)
                o->A[i * n + j] += o->J[k * nq + i] / size * (o->J[k * nq + j] / size);
        for (int k = 0; k < nl; k++)
            o->A[i * n + nq + k] = o->A[(nq + k) * n + i] = o->G[k * nq + i] / w->root[i];
    }
    for (int k = 0; k < nl; k++)
        o->A[(nq + k) * n + n - 1] = o->A[(n - 1) * n + nq + k] = m->y[k] * w->length[k];
}

/* A change of q: the largest of a coordinate in its units, and as a length of M^(1/2) q. */
typedef struct { double units, length; } change;

/* x[nq] := J^T p; r + J x + G^T z, which is 0 where the equations are not singular, is small beside r. */
static int is_solved(dae_rank_watch *w, double size, const room *o, double *x)
{
    const int nq = w->nq;
    double left = 0, size_r = 0;
    for (int i = 0; i < nq; i++)
        x[i] = dae_rank_dot(nq, o->J + i * nq, o->x) / (size * size);
    for (int j = 0; j < nq; j++) {
        double rest = w->r[j];
        size_r = fmax(size_r, fabs(rest) / w->root[j]);
        for (int k = 0; k < w->nl; k++)
            rest += o->G[k * nq + j] * o->x[nq + k];
        rest /= w->root[j];
        for (int i = 0; i < nq; i++)
            rest += o->J[i * nq + j] * x[i];
        left = fmax(left, fabs(rest));
    }
    return left <= size_r / 2;
}

/* The smallest that makes y a dependence; infinite where none does. size: of J. */
static change nearest(dae_rank_watch *w, const dae_rank_point *m, double size, room *o)
{
    const int nq = w->nq, n = nq + w->nl + 1;
    double *x = w->z, sum = 0;
    change least = {0, 0};
    set_equations(w, m, size, o);                       /* which are symmetric: by rows as by columns */
    if (dae_dense_factor_real(n, o->A, o->ones, o->row, o->pivot) >= 0)
        return (change){INFINITY, INFINITY};
    dae_dense_solve_real(n, o->A, o->pivot, o->x);
    if (!is_solved(w, size, o, x))
        return (change){INFINITY, INFINITY};
    for (int i = 0; i < nq; i++) {
        const double length = x[i] * o->unit[i] * w->root[i];
        least.units = fmax(least.units, fabs(x[i]));
        sum += length * length;
    }
    least.length = sqrt(sum);
    return least;
}

/* The same of what takes g to 0: the largest by row, and the length of all rows. */
static change drift(dae_rank_watch *w, const dae_rank_point *m, const room *o)
{
    change most = {0, 0};
    double squares = 0;
    if (w->sys->holonomic > 0)
        w->sys->problem->mechanical.constraint.f(w->p, m->t, m->q, w->c);
    for (int k = 0; k < w->sys->holonomic; k++) {
        double sum = 0;
        for (int i = 0; i < w->nq; i++)
            sum += o->G[k * w->nq + i] * o->unit[i] * (o->G[k * w->nq + i] * o->unit[i]);
        const double length = fabs(w->c[k]) / w->length[k];
        squares += length * length;
        if (sum > 0)
            most.units = fmax(most.units, length / sqrt(sum));
    }
    most.length = sqrt(squares);
    return most;
}

/* r is orthogonal to G^T z, so that |J x| is s at least: is that out of reach? By half of s, for a y that is near
 * its limit. */
static int is_far(const dae_rank_watch *w, const dae_rank_point *m, double size, change allowed, const room *o)
{
    double shortest = INFINITY;
    for (int i = 0; i < w->nq; i++)
        if (o->unit[i] > 0)
            shortest = fmin(shortest, o->unit[i] * w->root[i]);
    return !(size * fmax(allowed.units * sqrt(w->nq), allowed.length / shortest) >= m->s / 2);
}

/* Where branches of y g = 0 meet, y g is a quadratic form of the distance d from there, |y g| = s d/2 (Euler): a
 * drift of g as large is what joins them otherwise, as a b = e beside a b = 0. */
static int is_lost(dae_rank_watch *w, const dae_rank_point *m, room *o, double *units)
{
    set_units(w, m, o->unit);
    const double size = set_derivatives(w, m, o);
    const change off = drift(w, m, o);
    const change allowed = {fmax(w->chosen ? 1 : 0, off.units), m->s > 0 ? 2 * off.length / m->s : INFINITY};
    if (!(size > 0) || is_far(w, m, size, allowed, o))
        return 0;
    const change least = nearest(w, m, size, o);
    *units = least.units;
    return least.units <= allowed.units || least.length < allowed.length;
}

int dae_rank_name_rows(int n, const double *z, const int *place, char *text, size_t length, int *first)
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < n; k++) {
        if (z[place ? place[k] : k] == 0)
            continue;
        *first = count++ ? *first : k + 1;
        if (used + 16 < length)
            used += (size_t)snprintf(text + used, length - used, "%s%d", used ? ", " : "", k + 1);
    }
    return count;
}

/* Which rows depend on each other: those that y is made of. */
static void name_rows(const dae_rank_watch *w, const dae_rank_point *m, dae_rank_loss *lost)
{
    int first;
    for (int k = 0; k < w->nl; k++)
        w->c[k] = m->y[k] * w->length[k];
    const double most = dae_largest(w->nl, w->c);
    for (int k = 0; k < w->nl; k++)
        w->c[k] = fabs(w->c[k]) > 1e-3 * most ? w->c[k] : 0;
    lost->rows = dae_rank_name_rows(w->nl, w->c, NULL, lost->which, sizeof lost->which, &first);
}

/* Of the kept minima the first that is a loss. Parameters are those they were found with. */
void dae_rank_judge(dae_rank_watch *w)
{
    room o = {0};
    const int made = w->count > 0 && make_room(&o, w->nq, w->nl);
    w->failed |= w->count > 0 && !made;
    for (int i = 0; made && i < w->count; i++) {
        const dae_rank_point *m = &w->kept[i];
        double units;
        if (!is_lost(w, m, &o, &units) || (w->lost.found && w->lost.t <= m->t))
            continue;
        w->lost.found = 1;
        w->lost.t = m->t;
        w->lost.distance = units;
        name_rows(w, m, &w->lost);
    }
    w->count = 0;
    free(o.G);
}

