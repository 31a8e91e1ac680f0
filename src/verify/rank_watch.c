/* rank_watch.c - where along a run is G nearest to a loss of rank?
 *
 * Of S = G M^-1 G^T the smallest eigenvalue s^2, rows of G scaled to length 1, and its vector y come by inverse
 * iteration from that of the step before. Along the run d(s^2)/dt = 2 r M^-1 dr/dt with r = G^T y: where it
 * changes sign inside a step, the minimum is found on the dense output.
 */
#include "subject.h"

#include "base/numbers.h"
#include "base/parts.h"
#include "daelab/hybrid.h"
#include "linear/dense_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions and constraints together at most; minima that are kept. */
enum { MOST = 400, KEPT = 8 };

/* s at t in a step of h, with (q, v) there and the multipliers y of it. */
typedef struct {
    double t, s, slope, h;      /* h: the length of the step that it lies in */
    long step;                  /* its number, from 1 */
    double *q, *v, *y;
} rank_point;

struct dae_rank_watch {
    dae_system *sys;
    int nq, nl;
    int known, held;            /* lengths are; there is a last point */
    int chosen;                 /* steps are, by tolerances */
    double rtol, *atols;        /* [nq] */
    rank_point at, last, begin, end;    /* looked at now, and before; ends of a step */
    rank_point kept[KEPT];     /* the smallest minima */
    double *lambda, *c, *length;            /* length[nl] of the rows at the start of a piece */
    double *r, *z, *moved, *beside, *root, *u;          /* root[nq] of the diagonal of M */
    double *p;                  /* [parameters] of its own, with the user's data */
    long steps;
    int count;                  /* of kept */
    dae_rank_loss lost;         /* of minima that are kept no longer */
    int failed;
    double *points;             /* of all points */
};

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* r[nq] := G(t, q)^T y */
static void react(const dae_rank_watch *w, double t, const double *q, const double *y, double *r)
{
    w->sys->problem->mechanical.reaction.f(w->p, t, q, y, r);
}

/* Passes of one search; random velocities, and parts of a step at most. */
enum { PASSES = 40, PROBES = 8 };

/* ---- making it --------------------------------------------------------------------------- */

/* The arrays of each point, one behind the other */
static void place_points(dae_rank_watch *w)
{
    rank_point *const points[] = {&w->at, &w->last, &w->begin, &w->end};
    double *x = w->points;
    for (int k = 0; k < 4 + KEPT; k++, x += 2 * w->nq + w->nl) {
        rank_point *point = k < 4 ? points[k] : &w->kept[k - 4];
        point->q = x;
        point->v = x + w->nq;
        point->y = x + 2 * w->nq;
    }
}

/* What list[count] says of the unknowns of sys: another mode may have others. atols[n] */
static dae_status apply_list(const dae_system *sys, const dae_options *o, double *atols, dae_report *report)
{
    int count = 0;
    dae_atol *list = malloc(((size_t)o->atol_count + 1) * sizeof *list);
    for (int k = 0; list && k < o->atol_count; k++)
        if (dae_system_atols(sys, o->atol, o->atol_of + k, 1, NULL, NULL) == DAE_OK)
            list[count++] = o->atol_of[k];
    const dae_status status = list ? dae_system_atols(sys, o->atol, list, count, atols, report)
                                   : dae_fail(report, DAE_NO_MEMORY, "no memory for tolerances");
    free(list);
    return status;
}

/* Of coordinates that are no unknowns the tolerance is that of all. */
static dae_status set_atols(dae_rank_watch *w, const dae_options *o, dae_report *report)
{
    const int minimal = w->sys->compose->kind == DAE_FORM_MINIMAL;
    const dae_status status = minimal || o->atols ? DAE_OK : apply_list(w->sys, o, w->u, report);
    for (int i = 0; i < w->nq; i++)
        w->atols[i] = o->step > 0 ? 0 : minimal ? o->atol : o->atols ? o->atols[i] : w->u[i];
    w->chosen = !(o->step > 0);
    w->rtol = w->chosen ? o->rtol : 0;
    return status;
}

dae_status dae_rank_watch_create(dae_rank_watch **watch, dae_system *sys, const dae_options *options,
                                 dae_report *report)
{
    if (!watch || !sys || !options)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a watch of the rank needs a place, a system and options");
    *watch = NULL;
    const int nq = sys->nq, nl = sys->nl;
    if (nl == 0 || nq + nl > MOST)
        return DAE_OK;
    dae_rank_watch *w = DAE_RECORD(dae_rank_watch,
        DAE_PART(dae_rank_watch, r, nq), DAE_PART(dae_rank_watch, z, nq), DAE_PART(dae_rank_watch, moved, nq),
        DAE_PART(dae_rank_watch, beside, nq), DAE_PART(dae_rank_watch, root, nq), DAE_PART(dae_rank_watch, atols, nq),
        DAE_PART(dae_rank_watch, lambda, nl), DAE_PART(dae_rank_watch, c, nl), DAE_PART(dae_rank_watch, length, nl),
        DAE_PART(dae_rank_watch, points, (4 + KEPT) * (2 * nq + nl)),
        DAE_PART(dae_rank_watch, u, sys->n));
    if (w)
        w->p = dae_parameters_new(sys->parameters, sizeof *w->p, dae_system_user_data(sys));
    if (!w || !w->p) {
        dae_rank_watch_free(w);
        return dae_fail(report, DAE_NO_MEMORY, "no memory to watch the rank of %d constraints", nl);
    }
    w->sys = sys;
    w->nq = nq;
    w->nl = nl;
    place_points(w);
    const dae_status status = set_atols(w, options, report);
    if (status) {
        dae_rank_watch_free(w);
        return status;
    }
    *watch = w;
    return DAE_OK;
}

void dae_rank_watch_free(dae_rank_watch *w)
{
    if (w)
        dae_parameters_free(w->p);
    free(w);
}

/* ---- one point --------------------------------------------------------------------------- */

static void copy(const dae_rank_watch *w, rank_point *to, const rank_point *from)
{
    const rank_point place = *to;
    *to = *from;
    to->q = memcpy(place.q, from->q, (size_t)w->nq * sizeof *to->q);
    to->v = memcpy(place.v, from->v, (size_t)w->nq * sizeof *to->v);
    to->y = memcpy(place.y, from->y, (size_t)w->nl * sizeof *to->y);
}

static int take_state(dae_rank_watch *w, double t, const double *u)
{
    w->at.t = t;
    return dae_system_split(w->sys, t, u, w->at.q, w->at.v, w->lambda) == DAE_OK;
}

/* y scaled so that the multipliers of rows of length 1 have length 1; 0 where there is none. */
static int normalise(const dae_rank_watch *w, double *y)
{
    double sum = 0;
    for (int k = 0; k < w->nl; k++)
        sum += y[k] * w->length[k] * (y[k] * w->length[k]);
    if (!(sum > 0) || !isfinite(sum))
        return 0;
    for (int k = 0; k < w->nl; k++)
        y[k] /= sqrt(sum);
    return 1;
}

/* y by two steps of inverse iteration; where S is singular to rounding, it is that of before. */
static void iterate(dae_rank_watch *w)
{
    if (!dae_system_factor_schur(w->sys, w->at.t, w->at.q))
        return;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < w->nl; k++)
            w->c[k] = w->at.y[k] * w->length[k] * w->length[k];
        dae_system_solve_schur(w->sys, w->c);
        if (!normalise(w, w->c))
            return;
        memcpy(w->at.y, w->c, (size_t)w->nl * sizeof *w->c);
    }
}

/* s and the slope r M^-1 dr/dt at (t, q, v), by a difference towards t + e. 0 where they have no value. */
static int look(dae_rank_watch *w, double e)
{
    rank_point *at = &w->at;
    const int nq = w->nq;
    iterate(w);
    react(w, at->t, at->q, at->y, w->r);
    memcpy(w->z, w->r, (size_t)nq * sizeof *w->z);
    if (!dae_system_divide_by_mass(w->sys, at->t, at->q, w->z))
        return 0;
    const double square = dot(nq, w->r, w->z);
    for (int i = 0; i < nq; i++)
        w->moved[i] = at->q[i] + e * at->v[i];
    react(w, at->t + e, w->moved, at->y, w->beside);
    at->slope = (dot(nq, w->z, w->beside) - square) / e;
    at->s = sqrt(fmax(square, 0));
    return isfinite(square) && isfinite(at->slope);
}

/* ---- minima along the run ----------------------------------------------------------------- */

/* The place for another minimum: that of the same step, a free one, or that of the largest. */
static rank_point *find_place(dae_rank_watch *w)
{
    rank_point *largest = w->kept;
    for (int k = 0; k < w->count; k++) {
        if (w->kept[k].step == w->steps)
            return &w->kept[k];
        largest = w->kept[k].s > largest->s ? &w->kept[k] : largest;
    }
    if (w->count == KEPT)
        return largest;
    w->kept[w->count].s = INFINITY;
    return &w->kept[w->count++];
}

/* Is s one of the smallest? h: the step that it lies in */
static void keep(dae_rank_watch *w, rank_point *point, double h)
{
    rank_point *place = find_place(w);
    point->h = h;
    point->step = w->steps;
    if (point->s < place->s)
        copy(w, place, point);
}

/* The state at t inside the last step; where dense output has none, as it may be where S is singular, along its
 * velocity from where it is. */
static int take_inside(dae_rank_watch *w, dae_solver *solver, double t)
{
    const double from = w->at.t;
    if (dae_solver_interpolate(solver, t, w->u) == DAE_OK && take_state(w, t, w->u))
        return 1;
    for (int i = 0; i < w->nq; i++)
        w->at.q[i] += (t - from) * w->at.v[i];
    w->at.t = t;
    return 0;
}

/* The minimum of s between a and the point that is looked at, where its slopes are down < 0 and up > 0: the Illinois
 * method. */
static void search(dae_rank_watch *w, dae_solver *solver, double a, double down)
{
    double b = w->at.t, up = w->at.slope;
    const double h = b - a, close = fmax(4 * DBL_EPSILON * fmax(fabs(a), fabs(b)), 1e-3 * w->rtol * h);
    int side = 0, there = 1;
    for (int pass = 0; pass < PASSES && there && w->at.slope != 0 && b - a > close; pass++) {
        const double t = a + (b - a) * fmin(fmax(down / (down - up), 0), 1);
        if (!(t > a && t < b))
            break;
        there = take_inside(w, solver, t);
        if (!look(w, h / 64))
            return;
        keep(w, &w->at, h);
        if (w->at.slope < 0) {
            a = t;
            down = w->at.slope;
            up *= side < 0 ? 0.5 : 1;
            side = -1;
        } else {
            b = t;
            up = w->at.slope;
            down *= side > 0 ? 0.5 : 1;
            side = 1;
        }
    }
}

/* Lengths of the rows of G M^(-1/2), from random velocities; 1 where one has none. */
static void set_lengths(dae_rank_watch *w)
{
    const double t = w->at.t, *q = w->at.q;
    double *v = w->at.v, *y = w->at.y;
    const dae_mechanical *m = &w->sys->problem->mechanical;
    uint64_t random = 19740717;
    w->known = 1;
    memcpy(w->p, w->sys->p, (size_t)w->sys->parameters * sizeof *w->p);
    memset(v, 0, (size_t)w->nq * sizeof *v);
    for (int i = 0; i < w->nq; i++) {
        v[i] = 1;
        m->inertia.f(w->sys->p, t, q, v, w->r);
        w->root[i] = w->r[i] > 0 ? sqrt(w->r[i]) : 1;
        v[i] = 0;
    }
    m->rate.f(w->sys->p, t, q, v, w->c);
    memset(w->length, 0, (size_t)w->nl * sizeof *w->length);
    for (int probe = 0; probe < PROBES; probe++) {
        for (int i = 0; i < w->nq; i++)
            v[i] = dae_random_direction(&random) / w->root[i];
        m->rate.f(w->sys->p, t, q, v, y);
        for (int k = 0; k < w->nl; k++)
            w->length[k] += (y[k] - w->c[k]) * (y[k] - w->c[k]) / PROBES;
    }
    for (int k = 0; k < w->nl; k++) {
        w->length[k] = w->length[k] > 0 && isfinite(w->length[k]) ? sqrt(w->length[k]) : 1;
        y[k] = dae_random_direction(&random) / w->length[k];
    }
}

/* ---- is a minimum a loss? -----------------------------------------------------------------
 *
 * Does G lose rank there within the tolerance of a run? Near a minimum, the nearest q at which y becomes a dependence
 * is, to first order, given by the smallest x of
 *     r + J x + G^T z = 0,  z orthogonal to y,  J = d(G^T y)/dq in units of the tolerances of q,
 * which no units of q, of g or of the masses change. */

/* Room for one minimum: G by rows, J by columns i for q_i, both in units of M^(1/2) and of the rows. */
typedef struct {
    double *G, *J, *A, *x, *ones, *row, *unit;
    int pivot[MOST + 1];
} room;

static int create_room(room *m, int nq, int nl)
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
static void set_units(const dae_rank_watch *w, const rank_point *m, double *unit)
{
    for (int i = 0; i < w->nq; i++)
        unit[i] = w->chosen ? w->atols[i] + w->rtol * fabs(m->q[i]) : fabs(m->h * m->v[i]);
}

/* G at the minimum, and J; the size of J. */
static double set_derivatives(dae_rank_watch *w, const rank_point *m, room *o)
{
    const int nq = w->nq, nl = w->nl;
    double sum = 0;
    memset(w->c, 0, (size_t)nl * sizeof *w->c);
    for (int k = 0; k < nl; k++) {
        w->c[k] = 1 / w->length[k];
        react(w, m->t, m->q, w->c, o->G + k * nq);
        w->c[k] = 0;
    }
    react(w, m->t, m->q, m->y, w->r);
    memcpy(w->moved, m->q, (size_t)nq * sizeof *w->moved);
    memset(o->J, 0, (size_t)nq * (size_t)nq * sizeof *o->J);
    for (int i = 0; i < nq; i++) {
        w->moved[i] += o->unit[i];
        react(w, m->t, w->moved, m->y, w->beside);
        w->moved[i] = m->q[i];
        for (int j = 0; j < nq; j++)
            if (w->beside[j] != w->r[j]) {              /* mostly they are equal, and J was zeroed */
                o->J[i * nq + j] = (w->beside[j] - w->r[j]) / w->root[j];
                sum += o->J[i * nq + j] * o->J[i * nq + j];
            }
    }
    return sqrt(sum);
}

/* [J J^T G^T 0; G 0 y; 0 y^T 0] (p, z, .) = (-r, 0, 0): x = J^T p is the smallest. */
static void set_equations(const dae_rank_watch *w, const rank_point *m, double size, room *o)
{
    const int nq = w->nq, nl = w->nl, n = nq + nl + 1;
    memset(o->A, 0, (size_t)n * (size_t)n * sizeof *o->A);
    memset(o->x, 0, (size_t)n * sizeof *o->x);
    for (int k = 0; k < nq; k++)                        /* each of few entries, where there are many coordinates */
        for (int i = 0; i < nq; i++)
            for (int j = 0; o->J[k * nq + i] != 0 && j < nq; j++)
                o->A[i * n + j] += o->J[k * nq + i] / size * (o->J[k * nq + j] / size);
    for (int i = 0; i < nq; i++) {
        o->x[i] = -w->r[i] / w->root[i];
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
        x[i] = dot(nq, o->J + i * nq, o->x) / (size * size);
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
static change nearest(dae_rank_watch *w, const rank_point *m, double size, room *o)
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
static change drift(dae_rank_watch *w, const rank_point *m, const room *o)
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
static int is_far(const dae_rank_watch *w, const rank_point *m, double size, change allowed, const room *o)
{
    double shortest = INFINITY;
    for (int i = 0; i < w->nq; i++)
        if (o->unit[i] > 0)
            shortest = fmin(shortest, o->unit[i] * w->root[i]);
    return !(size * fmax(allowed.units * sqrt(w->nq), allowed.length / shortest) >= m->s / 2);
}

/* Where branches of y g = 0 meet, y g is a quadratic form of the distance d from there, |y g| = s d/2 (Euler): a
 * drift of g as large is what joins them otherwise, as a b = e beside a b = 0. */
static int is_lost(dae_rank_watch *w, const rank_point *m, room *o, double *units)
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
static void name_rows(const dae_rank_watch *w, const rank_point *m, dae_rank_loss *lost)
{
    int first;
    for (int k = 0; k < w->nl; k++)
        w->c[k] = m->y[k] * w->length[k];
    const double most = dae_largest(w->nl, w->c);
    for (int k = 0; k < w->nl; k++)
        w->c[k] = fabs(w->c[k]) > 1e-3 * most ? w->c[k] : 0;
    lost->rows = dae_rank_name_rows(w->nl, w->c, NULL, lost->which, sizeof lost->which, &first);
}

/* The minima that are kept become w->lost where they are a loss, and are kept no longer. Parameters are those they were
 * found with. */
static void judge(dae_rank_watch *w)
{
    room o = {0};
    const int made = w->count > 0 && create_room(&o, w->nq, w->nl);
    w->failed |= w->count > 0 && !made;
    for (int i = 0; made && i < w->count; i++) {
        const rank_point *m = &w->kept[i];
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

/* ---- what is called -------------------------------------------------------------------------- */

/* The end of a piece is looked at as it is: a minimum may lie there. */
static void end_piece(dae_rank_watch *w)
{
    if (w->held && w->last.h > 0)
        keep(w, &w->last, w->last.h);
    w->last.h = 0;
    w->held = 0;
}

/* The last point is that which is looked at, behind a step of h. */
static void hold(dae_rank_watch *w, double h)
{
    copy(w, &w->last, &w->at);
    w->last.h = h;
    w->held = 1;
}

void dae_rank_watch_begin(dae_rank_watch *w, double t, const double *u)
{
    if (!w)
        return;
    end_piece(w);
    if (!take_state(w, t, u))
        return;
    if (!w->known || memcmp(w->p, w->sys->p, (size_t)w->sys->parameters * sizeof *w->p) != 0) {
        judge(w);
        set_lengths(w);
        if (!take_state(w, t, u) || !normalise(w, w->at.y))
            return;
    }
    for (int pass = 0; pass < PROBES; pass++)
        iterate(w);
    w->at.s = 0;
    w->at.slope = NAN;
    hold(w, 0);
}

/* The slope where a piece begins, now that there is a step. */
static void begin_slope(dae_rank_watch *w, double e)
{
    copy(w, &w->at, &w->last);
    if (!look(w, e))
        return;
    w->last.slope = w->at.slope;
    keep(w, &w->at, 0);
}

/* So many parts of a step are looked at, that v turns by half of its length in none. */
static int parts_of(const dae_rank_watch *w, double h)
{
    double by = 0, aside = 0, v0 = 0, v1 = 0;
    for (int i = 0; i < w->nq; i++) {
        const double m = w->root[i], a = m * w->last.v[i], b = m * w->at.v[i];
        const double off = a - m * (w->at.q[i] - w->last.q[i]) / h;
        v0 += a * a;
        v1 += b * b;
        by += (b - a) * (b - a);
        aside += off * off;
    }
    const double parts = 2 * sqrt(fmax(by, aside) / fmax(fmax(v0, v1), DBL_MIN));
    return parts < PROBES ? 1 + (int)parts : PROBES;
}

/* (q, v) at part s of the step, on the cubic through its ends: where to look, not what to judge. */
static void take_curve(dae_rank_watch *w, double h, double s)
{
    const double *q0 = w->begin.q, *v0 = w->begin.v, *q1 = w->end.q, *v1 = w->end.v;
    for (int i = 0; i < w->nq; i++) {
        const double d = (q1[i] - q0[i]) / h, a = 3 * d - 2 * v0[i] - v1[i], b = v0[i] + v1[i] - 2 * d;
        w->at.q[i] = q0[i] + h * s * (v0[i] + s * (a + s * b));
        w->at.v[i] = v0[i] + s * (2 * a + s * 3 * b);
    }
    w->at.t = w->begin.t + h * s;
}

/* From the last point to that which is looked at, the end of the step or inside it; 0 where there is nothing to look
 * at. */
static int go_on(dae_rank_watch *w, double h, dae_solver *solver)
{
    const double before = w->last.t, down = w->last.slope;
    if (!look(w, -h / 64))
        return 0;
    hold(w, h);
    if (down < 0 && w->at.slope > 0 && solver)
        search(w, solver, before, down);
    memcpy(w->at.y, w->last.y, (size_t)w->nl * sizeof *w->at.y);
    return 1;
}

void dae_rank_watch_step(dae_rank_watch *w, double t, const double *u, dae_solver *solver)
{
    if (!w || !w->held || !(t > w->last.t))
        return;
    const double h = t - w->last.t;
    w->last.h = h;
    w->steps++;
    if (isnan(w->last.slope))
        begin_slope(w, h / 64);
    w->held = take_state(w, t, u);
    const int parts = w->held && solver ? parts_of(w, h) : 1;
    copy(w, &w->begin, &w->last);
    copy(w, &w->end, &w->at);
    for (int k = 1; k < parts && w->held; k++) {
        take_curve(w, h, (double)k / parts);
        w->held = go_on(w, h, solver);
    }
    w->held = w->held && take_state(w, t, u) && go_on(w, h, solver);
}

dae_status dae_rank_watch_end(dae_rank_watch *w, dae_rank_loss *lost, dae_report *report)
{
    if (!w || !lost)
        return DAE_OK;
    end_piece(w);
    judge(w);
    if (w->lost.found && !(lost->found && lost->t <= w->lost.t))
        *lost = w->lost;
    return w->failed ? dae_fail(report, DAE_NO_MEMORY, "no memory to look at the rank of %d constraints", w->nl)
                     : DAE_OK;
}

/* ---- a run with events and modes: a watch for each mode ------------------------------------- */

struct dae_rank_run {
    const dae_options *options;
    int modes, mode;            /* mode: that of the last look */
    double t;                   /* its time */
    int failed;                 /* memory */
    dae_rank_watch *watch[];    /* [modes] NULL where none has been */
};

static void look_anew(dae_rank_run *r, dae_hybrid *hybrid)
{
    const int mode = dae_hybrid_mode(hybrid);
    if (!r->watch[mode])
        r->failed |= dae_rank_watch_create(&r->watch[mode], dae_hybrid_system(hybrid), r->options, NULL)
                     == DAE_NO_MEMORY;
    r->mode = mode;
    r->t = dae_hybrid_time(hybrid);
    dae_rank_watch_begin(r->watch[mode], r->t, dae_hybrid_unknowns(hybrid));
}

dae_status dae_rank_run_create(dae_rank_run **run, dae_hybrid *hybrid, const dae_options *options, dae_report *report)
{
    if (!run || !hybrid || !options)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a watch of the rank needs a place, a run and its options");
    const int modes = dae_hybrid_modes(hybrid);
    dae_rank_run *r = calloc(1, sizeof *r + (size_t)modes * sizeof *r->watch);
    *run = r;
    if (!r)
        return dae_fail(report, DAE_NO_MEMORY, "no memory to watch the rank in %d modes", modes);
    r->options = options;
    r->modes = modes;
    look_anew(r, hybrid);
    return DAE_OK;
}

int dae_rank_run_observe(void *context, dae_hybrid *hybrid)
{
    dae_rank_run *r = context;
    const double t = dae_hybrid_time(hybrid);
    if (dae_hybrid_mode(hybrid) != r->mode || t == r->t) {
        look_anew(r, hybrid);                           /* the state behind an event */
        return r->failed;
    }
    r->t = t;
    dae_rank_watch_step(r->watch[r->mode], t, dae_hybrid_unknowns(hybrid), dae_hybrid_solver(hybrid));
    return r->failed;
}

dae_status dae_rank_run_end(dae_rank_run *r, dae_rank_loss *lost, dae_report *report)
{
    dae_rank_loss none, *first = lost ? lost : &none;
    *first = (dae_rank_loss){.found = 0};
    if (!r)
        return DAE_OK;
    int failed = r->failed;
    for (int m = 0; m < r->modes; m++) {
        failed |= dae_rank_watch_end(r->watch[m], first, NULL) == DAE_NO_MEMORY;
        dae_rank_watch_free(r->watch[m]);
    }
    free(r);
    return failed ? dae_fail(report, DAE_NO_MEMORY, "no memory to look at the rank of constraints") : DAE_OK;
}
