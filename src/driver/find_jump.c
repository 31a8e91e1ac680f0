/* find_jump.c - where in an interval F(., u) at fixed u jumps in time, or bends
 *
 * Second differences of F over eight equal parts: those of a smooth F are alike, those beside a jump, or a bend, are
 * far larger than all others. The parts around it are divided again, until the ends are neighbours in time (a jump), or
 * a bend drowns in rounding. A smooth F that varies much is smooth in a part of it, and that ends the search.
 */
#include "driver.h"

#include "base/numbers.h"
#include "base/zeroed.h"

#include <float.h>
#include <math.h>

enum { PARTS = 8, LEVELS = 100, SURE = 4 };     /* SURE: levels after which a bend is one */
static const double OUTLIER = 8;                /* second differences beside a jump over all others */
static const double CLOSEST = 16 * DBL_EPSILON; /* of t: the ends */
static const double NOISE = 64 * DBL_EPSILON;   /* of the terms of F */
static const double LOUD = 20;                  /* a jump over rounding of F */
static const double NEAR = 0x1p-20;             /* relative change of u that tells the terms */

typedef struct {
    dae_solver *s;
    double a, b;
    double *F, *terms;          /* [(PARTS + 1) n], [n] */
    int part;                   /* of the largest outlier */
    double ratio, most;         /* its size over the others; the largest second difference over its noise */
    int row;                    /* of F */
    double size;                /* of the outlier */
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
            w->row = i;
            w->size = E[j] + E[j + 1];
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

/* Rounding of row i of F before the jump: fourth differences along lines of random signs, on which its smooth part
 * cancels. Where large terms cancel F is a staircase, and each of its steps a jump. */
static double noise(search *w, int i)
{
    static const double weights[] = {1, -4, 6, -4, 1};
    enum { LINES = 4, POINTS = 5 };
    dae_solver *s = w->s;
    double most = 0;
    uint64_t random = 19630201;
    s->F_in_work = 0;
    for (int line = 0; line < LINES; line++) {
        const double near = line % 2 ? 0x1p-12 : 0x1p-18;
        double sum = 0;
        for (int k = 0; k < s->n; k++)
            w->terms[k] = near * dae_random_direction(&random) * (fabs(s->u[k]) + s->atol[k]);
        for (int point = 0; point < POINTS; point++) {
            for (int k = 0; k < s->n; k++)
                s->work[k] = s->u[k] + (1 + point) * w->terms[k];
            dae_system_rhs(s->sys, w->a - (1 + point) * near * (w->a - s->t_begin), s->work, w->F);
            sum += weights[point] * w->F[i] / sqrt(70);
        }
        most = fmax(most, fabs(sum));
    }
    s->count.rhs += LINES * POINTS;
    return most;
}

int dae_find_jump(dae_solver *s, double a, double b, double *before, double *behind)
{
    search w = {.s = s, .a = a, .b = b};
    int level = 0, found = 0;
    w.F = dae_zeroed((PARTS + 2) * (size_t)s->n, sizeof *w.F);
    w.terms = w.F ? w.F + (PARTS + 1) * s->n : NULL;
    if (w.F && a < b) {
        const double last = CLOSEST * fmax(fabs(a), fabs(b));
        double first = 0;
        int row = 0;
        for (; level < LEVELS && w.b - w.a > last && narrow(&w) && (level > 0 || find_terms(&w)); level++)
            if (level == 0) {
                row = w.row;
                first = w.size;
            }
        found = w.b - w.a <= last ? level > 0 : level >= SURE && w.most <= OUTLIER;
        found = found && first > LOUD * noise(&w, row);
    }
    free(w.F);
    *before = w.a;
    *behind = w.b;
    return found;
}
