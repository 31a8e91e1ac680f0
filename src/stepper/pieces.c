#include "pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = RADAU_FINE, FIRST_ROOM = 8, MOST_JUMPS = 32 };
static const double SHORTEST = 1e-12;   /* of the time at an end of the step: a piece that places a jump */
static const double SAFETY = 0.5;       /* the defect to aim at */
static const double LEAST = 0.1, HALF = 0.5, MOST = 4;  /* lengths of a piece over that of the last try */
static const double WORTH = 1.5;        /* a smaller gain is not worth new factors */
static const double FAST = 1e-3;        /* a contraction with which J serves the next piece, too */

void dae_pieces_free(dae_pieces *d)
{
    dae_piece_free(&d->piece);
    free(d->t);
    free(d->u);
}

static dae_status make_room(dae_solver *s, dae_pieces *d)
{
    if (d->count < d->room)
        return DAE_OK;
    const size_t room = d->room ? 2 * (size_t)d->room : FIRST_ROOM;
    double *t = realloc(d->t, (room + 1) * sizeof *t);
    d->t = t ? t : d->t;
    double *u = t ? realloc(d->u, (room + 1) * (size_t)s->n * sizeof *u) : NULL;
    if (!u)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output in %zu pieces of a step", room);
    d->u = u;
    d->room = (long)room;
    return DAE_OK;
}

static double *state(const dae_solver *s, const dae_pieces *d, long k) { return d->u + k * s->n; }

/* What a length is to be multiplied with where it had this defect, of order STAGES */
static double length_factor(double defect)
{
    return fmin(MOST, fmax(LEAST, pow(SAFETY / fmax(defect, 1e-30), 1.0 / STAGES)));
}

dae_status dae_pieces_begin(dae_solver *s, dae_pieces *d, const dae_piece *whole, double defect)
{
    dae_status status = dae_piece_choose(s, &d->piece, whole->jac, STAGES);
    d->count = d->jumps = 0;
    d->held = -1;
    d->slow = 0;
    d->renewed_at = NAN;
    d->refused = DAE_OK;
    d->piece.factored = NULL;
    d->guess = defect * sqrt(s->options.rtol) <= 1 ? whole : NULL;
    d->h = whole->h;
    if (whole->table->tab->s == STAGES)
        d->h *= fmin(HALF, length_factor(defect));
    if (!status)
        status = make_room(s, d);
    if (!status && !whole->jac->kept && !dae_jacobian_make_room(whole->jac))
        status = dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output of %d unknowns", s->n);
    if (status)
        return status;
    d->t[0] = s->t_old;
    memcpy(d->u, s->u_old, (size_t)s->n * sizeof *d->u);
    return DAE_OK;
}

/* J at the begin of the piece; that of the step comes back with give_back. */
static void renew(dae_pieces *d)
{
    dae_piece *p = &d->piece;
    if (!d->renewed)
        dae_jacobian_put_aside(p->jac);
    d->renewed = 1;
    dae_linearise(p->jac, p->t, p->u, p->Mx, NULL);
    d->renewed_at = p->t;
    p->factored = NULL;
}

static void give_back(dae_pieces *d)
{
    if (d->renewed)
        dae_jacobian_take_back(d->piece.jac);
    d->renewed = 0;
    d->renewed_at = NAN;
}

/* z to begin Newton's iteration with */
static void guess(const dae_solver *s, const dae_pieces *d)
{
    const dae_piece *p = &d->piece, *whole = d->guess;
    memset(p->z, 0, (size_t)(STAGES * s->n) * sizeof *p->z);
    for (int j = 0; whole && j < STAGES; j++) {
        double *z = p->z + j * s->n;
        dae_piece_at(s, whole, (p->t + p->table->tab->c[j] * p->h - whole->t) / whole->h, z);
        for (int i = 0; i < s->n; i++)
            z[i] -= p->u[i];
    }
}

/* Piece k of length h, with J of its begin where an old one converges slowly. */
static int solve(dae_solver *s, dae_pieces *d, long k, double h)
{
    dae_piece *p = &d->piece;
    dae_piece_place(s, p, d->t[k], state(s, d, k), h);
    p->open = k == 0;
    d->held = -1;
    if (d->slow && d->renewed_at != p->t)
        renew(d);
    guess(s, d);
    int solved = dae_piece_solve(s, p);
    if (!solved && d->renewed_at != p->t) {
        renew(d);
        guess(s, d);
        solved = dae_piece_solve(s, p);
    }
    d->slow = !solved || p->theta > FAST;
    return solved;
}

/* The defect of piece k of length h. Where it is above the tolerance that may be what an old J has left. */
static double defect_of(dae_solver *s, dae_pieces *d, long k, double h)
{
    dae_piece *p = &d->piece;
    double defect = solve(s, d, k, h) ? dae_piece_defect(s, p, 1, &d->worst) : INFINITY;
    if (defect <= 1 || isinf(defect) || d->renewed_at == p->t)
        return defect;
    renew(d);
    return dae_piece_solve(s, p) ? dae_piece_defect(s, p, 1, &d->worst) : INFINITY;
}

static void keep(dae_solver *s, dae_pieces *d, double h)
{
    const dae_piece *p = &d->piece;
    const double *begin = state(s, d, d->count), *z = p->z + (STAGES - 1) * s->n;
    double *end = state(s, d, d->count + 1);
    d->held = d->count++;
    d->t[d->count] = h < s->t - d->t[d->held] ? d->t[d->held] + h : s->t;
    for (int i = 0; i < s->n; i++)
        end[i] = begin[i] + z[i];
}

/* The length to try: not so that a short one is left at the end of the step. */
static double fit(double h, double rest) { return h >= rest ? rest : h > rest / 2 ? rest / 2 : h; }

/* One more piece, from where the last one ends. */
static dae_status add(dae_solver *s, dae_pieces *d)
{
    const double t = d->t[d->count], rest = s->t - t;
    const double least = SHORTEST * fmax(fabs(s->t_old), fabs(s->t));
    double h = fit(d->h, rest);
    const double first = h;
    if (d->count >= s->options.max_steps)
        return d->refused = DAE_MAX_STEPS;
    dae_status status = make_room(s, d);
    while (!status) {
        d->defect = defect_of(s, d, d->count, h);
        const int solved = isfinite(d->defect);
        d->shortest = h;
        if (d->defect <= 1)
            break;
        if (h <= least && (!solved || ++d->jumps > MOST_JUMPS))
            return d->refused = solved ? DAE_ERROR_TEST : DAE_NO_CONVERGENCE;
        if (h <= least)
            break;
        h *= solved ? fmin(HALF, length_factor(d->defect)) : HALF / 2;
    }
    if (status)
        return status;
    const double factor = length_factor(d->defect);
    d->h = h <= least ? first : factor >= WORTH ? factor * h : h;
    keep(s, d, h);
    return DAE_OK;
}

static dae_status say_refused(dae_solver *s, const dae_pieces *d)
{
    char name[32], unit[32];
    const double t = d->t[d->count];
    dae_system_unknown(s->sys, d->worst, name, unit, (int)sizeof name);
    if (d->refused == DAE_MAX_STEPS)
        return dae_fail(&s->report, d->refused, "t = %.9g: to show the solution inside the step from %.9g to %.9g "
                        "more than %ld pieces of it are needed", t, s->t_old, s->t, s->options.max_steps);
    if (d->refused == DAE_NO_CONVERGENCE)
        return dae_fail(&s->report, d->refused, "t = %.9g: inside the step from %.9g to %.9g the solution is not "
                        "found: Newton's iteration does not converge over %.3g", t, s->t_old, s->t, d->shortest);
    return dae_fail(&s->report, d->refused, "t = %.9g: inside the step from %.9g to %.9g unknown %d (%s) is not "
                    "found: over %.3g its error is %.3g tolerances", t, s->t_old, s->t, d->worst + 1, name,
                    d->shortest, d->defect);
}

/* The piece where t lies; the first ones that end at it or behind. */
static long find(const dae_pieces *d, double t)
{
    long low = 0, high = d->count - 1;
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (d->t[middle + 1] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Hold piece k. */
static dae_status hold(dae_solver *s, dae_pieces *d, long k)
{
    if (d->held == k)
        return DAE_OK;
    if (!solve(s, d, k, d->t[k + 1] - d->t[k]))
        return dae_fail(&s->report, DAE_NO_CONVERGENCE, "t = %.9g: Newton's iteration for dense output does not "
                        "converge again", d->t[k]);
    d->held = k;
    return DAE_OK;
}

/* u[n] on the piece held; the last one ends where the step does. */
static void show(const dae_solver *s, const dae_pieces *d, double t, double *u)
{
    const dae_piece *p = &d->piece;
    const double x = fmin(1, (t - p->t) / p->h), *end = state(s, d, d->count);
    dae_piece_at(s, p, x, u);
    for (int i = 0; d->t[d->held + 1] == s->t && i < s->n; i++)
        u[i] += x * (s->u[i] - end[i]);
}

dae_status dae_pieces_at(dae_solver *s, dae_pieces *d, double t, double *u)
{
    dae_status status = DAE_OK;
    if (!(t > s->t_old)) {
        memcpy(u, d->u, (size_t)s->n * sizeof *u);
        return DAE_OK;
    }
    while (!status && d->t[d->count] < t)
        status = d->refused ? d->refused : add(s, d);
    if (!status)
        status = hold(s, d, find(d, t));
    give_back(d);
    if (status && status == d->refused)
        return say_refused(s, d);
    if (!status)
        show(s, d, t, u);
    return status;
}
