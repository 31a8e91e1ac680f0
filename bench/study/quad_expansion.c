/* quad_expansion.c - terms of low order in an error, which a ladder of steps does not come down to
 *
 * With a coefficient that is off by 1e-6 of itself a method of order p is one of a lower order k, yet
 * down to steps of which nobody takes so many its errors are C h^p. In quad precision, where errors have
 * no rounding, they need not be small for that to show: of smooth problems they expand,
 *
 *     e(h) = c_0 + c_1 h + c_2 h^2 + ...,
 *
 * so that so many levels determine as many c_k, and those below p have to be 0. (A c_0, of what converges to
 * something else, no ladder would miss; rounding of the weights leaves one.) By how much they change
 * when the largest step is left out is their uncertainty. They are not quite 0, as coefficients are
 * doubles: how far that goes is seen in a run whose coefficients are off in their last bits, and a term
 * MORE times as large is none of rounding.
 *
 * A term that is found is looked for once more with finer steps: one that belongs to steps that are large
 * for some part of the solution, and not to h -> 0, is another one there.
 */
#include "study/quad_level.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 16, BEHIND = 8, MOST_DECLARED = TERMS - BEHIND };    /* levels: terms up to p, and behind */
enum { COARSEST = 14 };                 /* steps to a sample, times the pace */
static const double WIDTH = 3;          /* largest by smallest step */
static const double MOST_WORK = 3e4;    /* by quad_level_work */
static const double CERTAIN = 20, LEAST = 1e3, MORE = 200, FINER = 1.5, SAME = 0.05;

typedef struct {
    quad_subject subject;
    int count;
    quad_level of[TERMS];
} ladder;

/* How c_k follows from the errors, in units of the largest step. */
typedef struct {
    dae_quad z[TERMS];                  /* steps against the largest */
    dae_quad weight[TERMS][TERMS];      /* c_k = sum_i weight_ki e_i */
} expansion;

static void free_ladder(ladder *l)
{
    for (int i = 0; i < l->count; i++)
        quad_level_free(&l->of[i]);
    l->count = 0;
}

/* Steps from coarsest to WIDTH times as many, each number larger than the one before. */
static void set_steps(ladder *l, int count, double coarsest)
{
    for (int i = 0; i < count; i++) {
        l->of[i].steps = (int)round(coarsest * pow(WIDTH, (double)i / (count - 1)));
        if (i > 0 && l->of[i].steps <= l->of[i - 1].steps)
            l->of[i].steps = l->of[i - 1].steps + 1;
    }
}

/* 0 where a level has no such steps. */
static int make_ladder(ladder *l, int count, double coarsest, int shaken)
{
    set_steps(l, count, coarsest);
    l->count = 0;
    while (l->count < count && !quad_level_ask(&l->of[l->count], &l->subject, shaken, l->of[l->count].steps))
        l->count++;
    if (l->count < count)
        free_ladder(l);
    return l->count == count;
}

/* weight := the inverse of z_i^k over levels begin ... count - 1 (Gauss and Jordan) */
static void set_weights(expansion *x, const ladder *l, int begin)
{
    const int n = l->count - begin;
    dae_quad a[TERMS][2 * TERMS];
    for (int i = 0; i < n; i++) {
        x->z[i] = (dae_quad)l->of[0].steps / l->of[begin + i].steps;
        for (int k = 0; k < n; k++) {
            a[i][k] = k == 0 ? 1 : a[i][k - 1] * x->z[i];
            a[i][n + k] = i == k;
        }
    }
    for (int k = 0; k < n; k++) {                       /* z_i differ: pivots are not 0 */
        const dae_quad pivot = a[k][k];
        for (int j = 0; j < 2 * n; j++)
            a[k][j] /= pivot;
        for (int i = 0; i < n; i++) {
            const dae_quad factor = a[i][k];
            for (int j = 0; i != k && j < 2 * n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            x->weight[k][i] = a[k][n + i];
}

/* c_k of value j, from levels begin ... */
static dae_quad coefficient(const expansion *x, const ladder *l, int begin, int k, dae_class class,
                            int j)
{
    dae_quad sum = 0;
    for (int i = begin; i < l->count; i++) {
        const quad_values *v = &l->of[i].of[class];
        sum += x->weight[k][i - begin] * (v->x[j] - v->reference[j]);
    }
    return sum;
}

/* |c_k| of a class without the largest step, and by how much it differs from that with it. */
static double size_of(const ladder *l, const expansion *all, const expansion *most, int k, dae_class class,
                      double *uncertainty)
{
    double size = 0, off = 0;
    for (int j = 0; j < l->of[0].of[class].count; j++) {
        const dae_quad x = coefficient(most, l, 1, k, class, j);
        const double d = (double)(x - coefficient(all, l, 0, k, class, j));
        size += (double)(x * x);
        off += d * d;
    }
    *uncertainty = sqrt(off);
    return sqrt(size);
}

/* The largest value of a class in the reference. */
static double scale_of(const ladder *l, dae_class class)
{
    const quad_values *v = &l->of[0].of[class];
    return quad_largest(v->reference, v->count);
}

/* |c_k| of a class where it is not 0, and no less than what doubles make of anything; else 0. */
static double term(const ladder *l, int k, dae_class class)
{
    expansion all, most;
    double off;
    set_weights(&all, l, 0);
    set_weights(&most, l, 1);
    const double size = size_of(l, &all, &most, k, class, &off);
    return size > fmax(CERTAIN * off, LEAST * DBL_EPSILON * scale_of(l, class)) ? size : 0;
}

/* By how much other last bits of the coefficients change c_k; 0 where they have none. */
static double rounding_of(const ladder *l, int k, dae_class class)
{
    ladder shaken = {.subject = l->subject};
    expansion x;
    double square = 0;
    if (!make_ladder(&shaken, l->count, l->of[0].steps, 1))
        return 0;
    set_weights(&x, l, 0);
    for (int j = 0; j < l->of[0].of[class].count; j++) {
        const double d = (double)(coefficient(&x, &shaken, 0, k, class, j)
                                  - coefficient(&x, l, 0, k, class, j));
        square += d * d;
    }
    free_ladder(&shaken);
    return sqrt(square);
}

/* Finer steps show the same term. */
static int is_there_again(const ladder *l, int k, dae_class class, double size)
{
    ladder finer = {.subject = l->subject};
    if (!make_ladder(&finer, l->count, FINER * l->of[0].steps, 0))
        return 0;
    const double again =
        term(&finer, k, class) * pow((double)finer.of[0].steps / l->of[0].steps, k);
    free_ladder(&finer);
    return fabs(again - size) < SAME * size;
}

/* The steps in double precision have these errors, but for rounding. */
static int is_the_method(const ladder *l, dae_class class)
{
    const study *s = l->subject.s;
    const order_subject *c = &l->subject.c->subject;
    const double step = (s->t_end - s->t0) / (RUN_SAMPLES * l->of[0].steps);
    front_plan(&s->setting->front, 1, run_amount(s->setting, c->method, step));
    run_result r = run_asked(s, c->form, c->method, step, NULL);
    const quad_values *v = &l->of[0].of[class];
    const double error = quad_distance(v->x, v->reference, v->count);
    const int same = !r.status && fabs(r.path[class] - error) <= 30 * r.noise[class] + 1e-3 * error;
    run_free(&r);
    return same;
}

static void judge(const ladder *l, dae_class class, order_result *o)
{
    for (int k = 1; k < o->declared; k++) {
        const double size = term(l, k, class);
        if (size == 0 || size <= MORE * rounding_of(l, k, class) || !is_there_again(l, k, class, size)
            || !is_the_method(l, class))
            continue;
        o->observed = o->low = o->high = k;
        o->verdict = "below";
        *o->reason = 0;
        o->in_quad = 1;
        o->term = size / scale_of(l, class);
        return;
    }
}

/* The method has coefficients that are not what they are by formulas or as short fractions. */
static int has_rounding(const ladder *l, double coarsest)
{
    quad_level shaken;
    if (quad_level_ask(&shaken, &l->subject, 1, (int)round(coarsest)))
        return 0;
    quad_level_free(&shaken);
    return 1;
}

/* Some order could be "below" and is not yet. */
static int is_asked(const order_result *o)
{
    return o->verdict && o->declared > 1 && o->declared <= MOST_DECLARED && !isnan(o->error)
           && strcmp(o->verdict, "below") != 0;
}

static int highest_declared(const converge_curve *c)
{
    double highest = 0;
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (is_asked(&c->order[k]))
            highest = fmax(highest, c->order[k].declared);
    return (int)highest;
}

void quad_expansion(const study *s, converge_curve *c)
{
    ladder l = {.subject = {.s = s, .c = c}};
    const double coarsest = COARSEST * fmax(1, s->pace);
    const int highest = highest_declared(c), count = highest + BEHIND;
    dae_start_change change;
    double *u = NULL;
    if (highest == 0 || !quad_levels_exist(s, c)
        || study_system(s, c->subject.form, &l.subject.sys, &u, &change, NULL))
        return;
    const double work = quad_level_work(&l.subject, 1.8 * coarsest * RUN_SAMPLES * count);
    if (work <= MOST_WORK && has_rounding(&l, coarsest) && make_ladder(&l, count, coarsest, 0))
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (is_asked(&c->order[k]))
                judge(&l, k, &c->order[k]);
    free_ladder(&l);
    free(u);
    dae_system_free(l.subject.sys);
}
