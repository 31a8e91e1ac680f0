/* find_jump.c - where in an interval F(., u) at fixed u jumps in time, or bends
 *
 * Second differences of F over eight equal parts: those of a smooth F are alike, those beside a jump, or a bend, are
 * far larger than all others. The parts around it are divided again, until the ends are neighbours in time (a jump), or
 * a bend drowns in rounding. A smooth F that varies much is smooth in a part of it, and that ends the search.
 */
#include "driver.h"

#include "base/zeroed.h"

#include <float.h>
#include <math.h>

enum { PARTS = 8, LEVELS = 100, SURE = 4 };     /* SURE: levels after which a bend is one */
static const double OUTLIER = 8;                /* second differences beside a jump over all others */
static const double CLOSEST = 16 * DBL_EPSILON; /* of t: the ends */
static const double NOISE = 64 * DBL_EPSILON;   /* of the terms of F */
static const double NEAR = 0x1p-20;             /* relative change of u that tells the terms */

typedef struct {
    dae_solver *s;
    double a, b;
    double *F, *terms;          /* [(PARTS + 1) n], [n] */
    int part;                   /* of the largest outlier */
    double ratio, most;         /* its size over the others; the largest second difference over its noise */
} search;

static int evaluate(search *w)
{
    const dae_solver *s = w->s;
    for (int k = 0; k <= PARTS; k++) {
        const double t = k == PARTS ? w->b : w->a + (w->b - w->a) * k / PARTS;
        dae_system_rhs(s->sys, t, s->u, w->F + k * s->n);
    }
    w->s->count.rhs += PARTS + 1;
    return dae_vector_finite((PARTS + 1) * s->n, w->F);
}

/* terms_i := about sum_j |J_ij u_j|, by a small relative change of all unknowns, of signs in turn */
static int find_terms(search *w)
{
    dae_solver *s = w->s;
    double *u = s->work;
    s->F_in_work = 0;
    for (int i = 0; i < s->n; i++)
        u[i] = s->u[i] * (1 + (i % 3 == 1 ? -NEAR : NEAR));
    dae_system_rhs(s->sys, w->a, u, w->terms);
    dae_system_rhs(s->sys, w->a, s->u, w->F);
    s->count.rhs += 2;
    for (int i = 0; i < s->n; i++)
        w->terms[i] = fabs(w->terms[i] - w->F[i]) / NEAR;
    return dae_vector_finite(s->n, w->terms);
}

static void look_at_row(search *w, int i)
{
    const int n = w->s->n;
    double E[PARTS + 1] = {0}, size = w->terms[i];
    for (int k = 0; k <= PARTS; k++)
        size = fmax(size, fabs(w->F[k * n + i]));
    for (int k = 1; k < PARTS; k++)
        E[k] = fabs((w->F[(k + 1) * n + i] - w->F[k * n + i]) - (w->F[k * n + i] - w->F[(k - 1) * n + i]));
    for (int j = 0; j < PARTS && size > 0; j++) {
        double others = NOISE * size;
        w->most = fmax(w->most, E[j] / others);
        for (int k = 1; k < PARTS; k++)
            others = k == j || k == j + 1 ? others : fmax(others, E[k]);
        if ((E[j] + E[j + 1]) / others > w->ratio) {
            w->ratio = (E[j] + E[j + 1]) / others;
            w->part = j;
        }
    }
}

/* 1: [a, b] := the parts around a jump or bend. */
static int narrow(search *w)
{
    w->ratio = w->most = 0;
    if (!evaluate(w))
        return 0;
    for (int i = 0; i < w->s->n; i++)
        look_at_row(w, i);
    if (!(w->ratio > OUTLIER))
        return 0;
    const double part = (w->b - w->a) / PARTS, a = w->a;
    w->a = w->part > 0 ? a + (w->part - 1) * part : a;
    w->b = w->part + 2 < PARTS ? a + (w->part + 2) * part : w->b;
    return 1;
}

int dae_find_jump(dae_solver *s, double a, double b, double *before, double *behind)
{
    search w = {.s = s, .a = a, .b = b};
    int level = 0, found = 0;
    w.F = dae_zeroed((PARTS + 2) * (size_t)s->n, sizeof *w.F);
    w.terms = w.F ? w.F + (PARTS + 1) * s->n : NULL;
    if (w.F && a < b) {
        const double last = CLOSEST * fmax(fabs(a), fabs(b));
        while (level < LEVELS && w.b - w.a > last && narrow(&w) && (level > 0 || find_terms(&w)))
            level++;
        found = w.b - w.a <= last ? level > 0 : level >= SURE && w.most <= OUTLIER;
    }
    free(w.F);
    *before = w.a;
    *behind = w.b;
    return found;
}
