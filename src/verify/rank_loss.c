/* rank_loss.c - does G lose rank within the tolerance of a run?
 *
 * Near a minimum, the nearest q at which y becomes a dependence is, to first order, given by the smallest x of
 *     r + J x + G^T z = 0,  z orthogonal to y,  J = d(G^T y)/dq in units of the tolerances of q,
 * which no units of q, of g or of the masses change.
 */
#include "rank_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x[n] := A^-1 x by elimination, A row-major and destroyed; 0 where a pivot vanishes. */
static int eliminate(int n, double *A, double *x)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        if (!(fabs(A[p * n + k]) > 0))
            return 0;
        for (int j = 0; p != k && j < n; j++) {
            const double other = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = other;
        }
        const double other = x[k];
        x[k] = x[p];
        x[p] = other;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; factor != 0 && j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
    return 1;
}

/* Room for one minimum: G by rows, J by columns i for q_i, both in units of M^(1/2) and of the rows. */
typedef struct {
    double *G, *J, *A, *x, *unit, *memory;
} room;

static int make_room(room *m, int nq, int nl)
{
    const size_t q = (size_t)nq, l = (size_t)nl, n = q + l + 1;
    m->memory = calloc(q * l + q * q + n * n + n + q, sizeof *m->memory);
    m->G = m->memory;
    m->J = m->G + q * l;
    m->A = m->J + q * q;
    m->x = m->A + n * n;
    m->unit = m->x + n;
    return m->memory != NULL;
}

/* What a change of q_i by one counts as: its tolerance; of fixed steps what it changes by in one. */
static void set_units(const dae_rank_watch *w, const dae_rank_minimum *m, double *unit)
{
    for (int i = 0; i < w->nq; i++)
        unit[i] = w->chosen ? w->atols[i] + w->rtol * fabs(m->q[i]) : fabs(m->h * m->v[i]);
}

/* G at the minimum, and J; the size of J. */
static double set_derivatives(dae_rank_watch *w, const dae_rank_minimum *m, room *o)
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
static void set_equations(const dae_rank_watch *w, const dae_rank_minimum *m, double size, room *o)
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
static change nearest(dae_rank_watch *w, const dae_rank_minimum *m, double size, room *o)
{
    const int nq = w->nq;
    double *x = w->z, sum = 0;
    change least = {0, 0};
    set_equations(w, m, size, o);
    if (!eliminate(nq + w->nl + 1, o->A, o->x) || !is_solved(w, size, o, x))
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
static change drift(dae_rank_watch *w, const dae_rank_minimum *m, const room *o)
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
static int is_far(const dae_rank_watch *w, const dae_rank_minimum *m, double size, change allowed, const room *o)
{
    double shortest = INFINITY;
    for (int i = 0; i < w->nq; i++)
        if (o->unit[i] > 0)
            shortest = fmin(shortest, o->unit[i] * w->root[i]);
    return !(size * fmax(allowed.units * sqrt(w->nq), allowed.length / shortest) >= m->s / 2);
}

/* Where branches of y g = 0 meet, y g is a quadratic form of the distance d from there, |y g| = s d/2 (Euler): a
 * drift of g as large is what joins them otherwise, as a b = e beside a b = 0. */
static int is_lost(dae_rank_watch *w, const dae_rank_minimum *m, room *o, double *units)
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

/* Which rows depend on each other: those that y is made of. */
static void name_rows(const dae_rank_watch *w, const dae_rank_minimum *m, dae_rank_loss *lost)
{
    double most = 0;
    size_t used = 0;
    for (int k = 0; k < w->nl; k++)
        most = fmax(most, fabs(m->y[k] * w->length[k]));
    lost->rows = 0;
    for (int k = 0; k < w->nl; k++)
        if (fabs(m->y[k] * w->length[k]) > 1e-3 * most) {
            lost->rows++;
            if (used + 16 < sizeof lost->which)
                used += (size_t)snprintf(lost->which + used, sizeof lost->which - used, "%s%d", used ? ", " : "",
                                         k + 1);
        }
}

/* Of the kept minima the first that is a loss. Parameters are those they were found with. */
void dae_rank_judge(dae_rank_watch *w)
{
    room o = {0};
    const int made = w->count > 0 && make_room(&o, w->nq, w->nl);
    w->failed |= w->count > 0 && !made;
    for (int i = 0; made && i < w->count; i++) {
        const dae_rank_minimum *m = &w->kept[i];
        double units;
        if (!is_lost(w, m, &o, &units) || (w->lost.found && w->lost.t <= m->t))
            continue;
        w->lost.found = 1;
        w->lost.t = m->t;
        w->lost.distance = units;
        name_rows(w, m, &w->lost);
    }
    w->count = 0;
    free(o.memory);
}

