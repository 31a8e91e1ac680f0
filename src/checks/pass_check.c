#include "pass_check.h"

#include "base/numbers.h"
#include "slope.h"
#include "system/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points 1 ... NEAR are off by a part of their numbers, those up to POINTS by a part of their way. */
enum { NEAR = 3, POINTS = 6 };

/* In a single direction the roundings of several arguments may cancel, in one row of hundreds. */
enum { SHAKES = 4 };

/* Room behind a result, for a function that writes more numbers than it has. */
enum { MARGIN = 16 };

static const double near = 0x1p-44, beside = 0x1p-20;
static const double wrong_value = 1e-12, wrong_derivative = 1e-9, wrong_digits = 1e-8;

typedef struct {
    const dae_model_point *at;
    const dae_model_map *map;
    dae_comparison *found;
    int n, m, parameters;
    int timed;                  /* it is a function of t */
    uint64_t random, shake;     /* shake: of the parts by which arguments are off */
    double *x, *size;           /* [n] arguments, and their sizes */
    double *w;                  /* [n] the path: x + s w, */
    double tau;                 /* t + s tau, */
    int counting;               /* the parameter that counts copies, which is left alone; -1: none */
    double *pi;                 /* [parameters] p + s pi */
    dae_quad *p_quad;           /* [parameters] */
    dae_dual *p_dual;           /* [parameters] */
    double *points;             /* [POINTS x n] */
    double *value;              /* [m] */
    double *apart;              /* [POINTS x m] of doubles and quad at each point */
    double *derivative;         /* [m] */
    double *scatter;            /* [m] of the derivative between near points */
    dae_quad *quad, *F, *other; /* [n], [m], [m] */
    dae_quad *slope, *error, *rounding, *kink;  /* [m] */
    dae_quad *reach;            /* [m] the way of f over a part of the path: of the size of its terms */
    dae_quad *terms;            /* [m] the largest of f, of its way and slope so far: of the size of its terms */
    dae_quad *work;             /* of dae_quad_slope */
    dae_dual *dual, *out;       /* [n], [m] */
    void *memory[3];
} checker;

/* ---- memory ------------------------------------------------------------------------------- */

static void destroy(checker *c)
{
    for (int i = 0; i < 3; i++)
        free(c->memory[i]);
    dae_parameters_free(c->p_quad);
    dae_parameters_free(c->p_dual);
}

/* The largest number, or way, among the places first ... first + count - 1 of the arguments. */
static double largest(const checker *c, int first, int count)
{
    double most = 0;
    for (int j = first; j < first + count; j++)
        most = fmax(most, fmax(fabs(c->x[j]), c->size[j]));
    return most;
}

/* terms := the largest of a kind, positions, velocities or multipliers, in rows of an action: one that moves them
 * onto constraints adds up all of a kind, and may answer 0 wherever it is asked. */
static void set_kinds(checker *c)
{
    const dae_state_places s = dae_places_of(c->at->problem, dae_problem_copies(c->at->problem, c->at->p));
    const int ends[] = {0, s.nq, 2 * s.nq, 2 * s.nq + s.nl};
    for (int i = 0; c->map->shape == DAE_OF_ACTION && i < c->m; i++)
        for (int kind = 0, row = dae_map_row(c->map, i); kind < 3; kind++)
            if (row >= ends[kind] && row < ends[kind + 1])
                c->terms[i] = largest(c, ends[kind], ends[kind + 1] - ends[kind]);
}

static int create(checker *c, const dae_model_point *at, const dae_model_map *map, dae_comparison *found)
{
    const size_t n = (size_t)map->n, m = (size_t)map->rows, parameters = (size_t)map->parameters;
    const void *data = dae_user_data(at->p);
    *c = (checker){.at = at, .map = map, .found = found, .n = map->n, .m = map->rows,
                   .parameters = map->parameters, .timed = map->shape != DAE_OF_START,
                   .counting = dae_counting_parameter(at->problem), .random = 19980714, .shake = 19900607};
    double *d = c->memory[0] = calloc((3 + POINTS) * n + (3 + POINTS) * m + MARGIN + parameters, sizeof *d);
    dae_quad *q = c->memory[1] = calloc(n + (DAE_SLOPE_ROWS + 12) * m + 2 * MARGIN, sizeof *q);
    c->dual = c->memory[2] = calloc(n + m + MARGIN, sizeof *c->dual);
    c->p_quad = dae_parameters_new(map->parameters, sizeof *c->p_quad, data);
    c->p_dual = dae_parameters_new(map->parameters, sizeof *c->p_dual, data);
    if (!d || !q || !c->dual || !c->p_quad || !c->p_dual)
        return 0;
    c->x = d;
    c->size = c->x + n;
    c->w = c->size + n;
    c->points = c->w + n;
    c->apart = c->points + POINTS * n;
    c->derivative = c->apart + POINTS * m;
    c->scatter = c->derivative + m;
    c->value = c->scatter + m;
    c->pi = c->value + m + MARGIN;
    c->quad = q;
    c->slope = c->quad + n;
    c->error = c->slope + m;
    c->rounding = c->error + m;
    c->kink = c->rounding + m;
    c->reach = c->kink + m;
    c->terms = c->reach + m;
    c->work = c->terms + m;
    c->other = c->work + (DAE_SLOPE_ROWS + 4) * m;
    c->F = c->other + m + MARGIN;
    c->out = c->dual + n;
    dae_map_arguments(map, at->state, c->x);
    dae_map_arguments(map, at->size, c->size);
    set_kinds(c);
    return 1;
}

/* ---- each pass ---------------------------------------------------------------------------- */

/* out := the map in quad at s on the path from (t, x), with t, x and p off by a part of themselves. */
static int evaluate_quad(checker *c, const double *x, dae_quad s, double part, dae_quad *out)
{
    dae_quad *p = c->p_quad;
    uint64_t random = c->shake;
    for (int i = 0; i < c->parameters; i++) {
        p[i] = c->at->p[i] * (1 + (i == c->counting ? 0 : part * dae_random_direction(&random)));
        p[i] += s * c->pi[i];
    }
    const dae_quad t = c->at->t * (1 + part * (dae_quad)dae_random_direction(&random)) + s * c->tau;
    for (int j = 0; j < c->n; j++)
        c->quad[j] = x[j] * (1 + part * (dae_quad)dae_random_direction(&random)) + s * c->w[j];
    return dae_map_quad(c->map, p, t, c->quad, out);
}

static void along(void *context, dae_quad s, dae_quad *out)
{
    checker *c = context;
    evaluate_quad(c, c->x, s, 0, out);
}

/* derivative := along the path, by dual numbers, without or with those of parameters */
static int evaluate_dual(checker *c, const double *x, int tangent, double *derivative)
{
    const dae_dual t = dae_dual_make(c->at->t, c->tau);
    int given;
    for (int j = 0; j < c->n; j++)
        c->dual[j] = dae_dual_make(x[j], c->w[j]);
    if (tangent) {
        for (int i = 0; i < c->parameters; i++)
            c->p_dual[i] = dae_dual_make(c->at->p[i], c->pi[i]);
        given = dae_map_tangent(c->map, c->p_dual, t, c->dual, c->out);
    } else {
        given = dae_map_dual(c->map, c->at->p, t, c->dual, c->out);
    }
    for (int i = 0; i < c->m; i++)
        derivative[i] = dae_dual_derivative(c->out[i]);
    return given;
}

/* Row i, counted from 0, of the map is wrong: of an entry for many events, a row of one of them. */
static void blame(const checker *c, int i, int column, double found, double expected, double part,
                  const char *why)
{
    const dae_model_map *map = c->map;
    char of_event[192];
    snprintf(of_event, sizeof of_event, "of number %d: %s", dae_map_event(map, dae_map_part(map, i)), why);
    dae_blame(c->found, map->name, dae_map_row(map, i) + 1, column, found, expected, part,
              map->numbered ? of_event : why);
}

/* Where part k of the map writes behind its result, the last place; 0: it does not. */
static int writes_behind(checker *c, int k)
{
    const double mark = 7.25e77;
    const dae_model_map map = dae_map_of_part(c->map, k);
    int last = 0;
    for (int i = 0; i < MARGIN; i++)
        c->value[map.rows + i] = mark;
    dae_map_double(&map, c->at->p, c->at->t, c->x, c->value);
    for (int i = 0; i < MARGIN; i++)
        last = c->value[map.rows + i] != mark ? i + 1 : last;
    return last;
}

/* Does the function leave alone what lies behind its result? Else it would write over other numbers. */
static int keeps_within(checker *c)
{
    int last = 0;
    for (int k = 0; !last && k < c->map->looked_at; k++)
        last = writes_behind(c, k);
    if (last)
        dae_blame(c->found, c->map->name, c->map->each + last, 0, NAN, NAN, 1,
                  "writes more numbers than it has rows: behind them");
    return !last;
}

/* ---- values ------------------------------------------------------------------------------- */

static void set_points(checker *c)
{
    for (int k = 0; k < POINTS; k++)
        for (int j = 0; j < c->n; j++) {
            const double by = k == 0 ? 0 : k <= NEAR ? near * fabs(c->x[j]) : beside * c->size[j];
            c->points[k * c->n + j] = c->x[j] + by * dae_random_direction(&c->random);
        }
}

/* F := in quad at x, rounding := what the rounding of all of its arguments to doubles makes of it */
static void set_rounding(checker *c)
{
    evaluate_quad(c, c->x, 0, 0, c->F);
    memset(c->rounding, 0, (size_t)c->m * sizeof *c->rounding);
    for (int k = 0; k < SHAKES; k++, c->shake++) {
        evaluate_quad(c, c->x, 0, k % 2 ? -0x1p-52 : 0x1p-52, c->other);
        for (int i = 0; i < c->m; i++)
            c->rounding[i] = fmaxf128(c->rounding[i], fabsf128(c->other[i] - c->F[i]));
    }
    c->shake -= SHAKES;
}

/* Differences of row i of doubles and quad are the same from point to point, and no rounding? The least. */
static double systematic(const checker *c, int i)
{
    double least = HUGE_VAL, scatter = 0;
    for (int k = 0; k < POINTS; k++) {
        const double apart = c->apart[k * c->m + i];
        if (!isfinite(apart))
            return 0;
        least = fmin(least, fabs(apart));
        if (k <= NEAR)
            scatter = fmax(scatter, fabs(apart - c->apart[i]));
    }
    const double size = (double)fabsf128(c->F[i]);
    const double most = wrong_value * size + 8 * scatter + 64 * (double)c->rounding[i] + 0x1p-48 * (double)c->terms[i];
    return least > most ? least / fmax(size, fabs(c->value[i])) : 0;
}

static void check_values(checker *c)
{
    for (int j = 0; j < c->n; j++)
        c->w[j] = 0;
    c->tau = 0;
    for (int k = POINTS - 1; k >= 0; k--) {
        const double *x = c->points + k * c->n;
        dae_map_double(c->map, c->at->p, c->at->t, x, c->value);
        evaluate_quad(c, x, 0, 0, c->other);
        for (int i = 0; i < c->m; i++)
            c->apart[k * c->m + i] = (double)(c->value[i] - c->other[i]);
    }
    for (int i = 0; i < c->m; i++) {
        const double part = systematic(c, i);
        if (part > 0)
            blame(c, i, 0, c->value[i], (double)c->other[i], part,
                  "is not the same function in doubles (.f) and in quad (.quad)");
    }
}

/* ---- derivatives -------------------------------------------------------------------------- */

static void raise_reach(checker *c, dae_quad by)
{
    for (int i = 0; i < c->m; i++) {
        const dae_quad way = fabsf128(c->other[i] - c->F[i]) / by;
        c->reach[i] = way - way == 0 ? fmaxf128(c->reach[i], way) : c->reach[i];
    }
}

/* Of what a sum of large terms that cancel at x itself shows only there: over a part of the path, and as all
 * arguments change by a part of themselves. */
static void set_reach(checker *c)
{
    const dae_quad e = 0x1p-6, part = 0x1p-10;
    for (int i = 0; i < c->m; i++)
        c->reach[i] = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        along(c, sign * e, c->other);
        raise_reach(c, e);
    }
    evaluate_quad(c, c->x, 0, (double)part, c->other);
    raise_reach(c, part);
}

/* out := f(e) + f(-e) - 2 f, which is c e^2 + O(e^4) where f is smooth */
static void bend(checker *c, dae_quad e, dae_quad *out)
{
    for (int i = 0; i < c->m; i++)
        out[i] = -2 * c->F[i];
    for (int sign = -1; sign <= 1; sign += 2) {
        along(c, sign * e, c->other);
        for (int i = 0; i < c->m; i++)
            out[i] += c->other[i];
    }
}

/* At the point itself, and close beside it, where slopes over a longer way see a kink evenly from both sides: a
 * quarter of the way then does not bend by a sixteenth. */
static void set_kink(checker *c)
{
    const dae_quad at = 0x1p-40, beside_it = 0x1p-14;
    dae_quad *whole = c->work, *quarter = c->work + c->m;
    bend(c, at, c->kink);
    bend(c, beside_it, whole);
    bend(c, beside_it / 4, quarter);
    for (int i = 0; i < c->m; i++)
        c->kink[i] = fabsf128(c->kink[i]) / at + fabsf128(whole[i] - 16 * quarter[i]) / beside_it;
}

/* slope, error, kink of the path in quad; rounding as set_rounding left it */
static void set_slope(checker *c)
{
    for (int i = 0; i < c->m; i++)
        c->rounding[i] = 0x1p-111 * fabsf128(c->F[i]) + 0x1p-59 * c->rounding[i];
    memset(c->kink, 0, (size_t)c->m * sizeof *c->kink);
    dae_quad_slope(along, c, 1, c->m, c->kink, c->rounding, c->slope, c->error, c->work);
    for (int i = 0; i < c->m; i++)
        c->rounding[i] *= 0x1p59;
    set_kink(c);
    set_reach(c);
    for (int i = 0; i < c->m; i++)
        c->terms[i] = fmaxf128(c->terms[i], fmaxf128(fabsf128(c->F[i]), c->reach[i]));
}

/* By so much differences in quad may be off in row i; infinite where they have no number. */
static double uncertain(const checker *c, int i)
{
    const double error = (double)(16 * c->error[i] + c->kink[i]);
    return isfinite(error) ? error : HUGE_VAL;
}

/* derivative := by differences over s */
static void set_fine_slope(checker *c, dae_quad s)
{
    for (int i = 0; i < c->m; i++)
        c->derivative[i] = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        along(c, sign * s, c->other);
        for (int i = 0; i < c->m; i++)
            c->derivative[i] += (double)((sign * (c->other[i] - c->F[i])) / (2 * s));
    }
}

/* How far the derivative is off the slope in row i, as a part, beyond rounding and what the slope may be off
 * itself: much where a run came to a singular place, and sizes are those of there. */
static double fine_off(const checker *c, dae_quad s, int i)
{
    const double slope = (double)c->slope[i], size = fmax(fabs(slope), fabs(c->derivative[i]));
    const double rounding = (double)((0x1p-108 * c->terms[i] + 0x1p-54 * c->rounding[i]) / s);
    const double off = fabs(slope - c->derivative[i]) - uncertain(c, i) - rounding;
    const double shows = 0x1p-40 * (double)c->terms[i];     /* less is what is left of terms that cancel */
    return isfinite(off) && off > wrong_digits * size && size > shows ? off / size : 0;
}

/* Arguments that a double cannot tell apart make a difference in quad, at both of two distances: rounding in
 * quad is much less at the larger one. */
static void check_digits(checker *c)
{
    const dae_quad small = 0x1p-60, large = 0x1p-56;
    set_fine_slope(c, small);
    for (int i = 0; i < c->m; i++)
        c->scatter[i] = fine_off(c, small, i);
    set_fine_slope(c, large);
    for (int i = 0; i < c->m; i++) {
        const double part = fmin(c->scatter[i], fine_off(c, large, i));
        if (part > 0)
            blame(c, i, 0, c->derivative[i], (double)c->slope[i], part,
                  "in quad (.quad) is only a double somewhere: differences over a step below "
                  "the rounding of doubles");
    }
}

/* scatter := of the derivative between near points, and those a part 2^-36 of the way off */
static void set_scatter(checker *c, int tangent)
{
    double *x = c->points + c->n;
    memset(c->scatter, 0, (size_t)c->m * sizeof *c->scatter);
    for (int k = 0; k < NEAR; k++) {
        for (int j = 0; j < c->n; j++)
            x[j] = c->x[j] + (near * fabs(c->x[j]) + 0x1p-36 * c->size[j])
                             * dae_random_direction(&c->random);
        evaluate_dual(c, x, tangent, c->value);
        for (int i = 0; i < c->m; i++)
            c->scatter[i] = fmax(c->scatter[i], fabs(c->value[i] - c->derivative[i]));
    }
}

/* How far the derivative in row i is off, as a part of its size; 0 where it is right. */
static double off(const checker *c, int i)
{
    const double slope = (double)c->slope[i], size = fmax(fabs(slope), fabs(c->derivative[i]));
    const double rounding = 1e-15 * (double)c->terms[i] + 16 * c->scatter[i] + uncertain(c, i);
    const double apart = fabs(slope - c->derivative[i]) - rounding;
    return isfinite(apart) && apart > wrong_derivative * size ? apart / size : 0;
}

/* Directions 0 ... n - 1 are arguments, n is t; or they are parameters. */
static void set_direction(checker *c, int of_parameters, int first, int count, const double *along_all)
{
    for (int j = 0; j < c->n; j++)
        c->w[j] = 0;
    memset(c->pi, 0, (size_t)c->parameters * sizeof *c->pi);
    c->tau = 0;
    for (int j = first; j < first + count; j++)
        if (of_parameters)
            c->pi[j] = along_all[j];
        else if (j == c->n)
            c->tau = along_all[j];
        else
            c->w[j] = along_all[j];
}

static double apart_along(checker *c, int tangent, int of_parameters, int first, int count,
                          const double *all, int i)
{
    set_direction(c, of_parameters, first, count, all);
    set_rounding(c);
    set_slope(c);
    evaluate_dual(c, c->x, tangent, c->derivative);
    const double apart = fabs((double)c->slope[i] - c->derivative[i]) - uncertain(c, i);
    return isfinite(apart) ? apart : 0;
}

/* The direction by bisection in which row i is wrong, and what it says there. */
static void blame_column(checker *c, int tangent, int of_parameters, int directions, const double *all,
                         int i, double part)
{
    int first = 0, count = directions;
    char why[160], by[64], name[48];
    const char *pass = tangent ? "tangent" : "dual";
    while (count > 1) {
        const int half = count / 2;
        const double low = apart_along(c, tangent, of_parameters, first, half, all, i);
        if (!(low >= apart_along(c, tangent, of_parameters, first + half, count - half, all, i))) {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    apart_along(c, tangent, of_parameters, first, 1, all, i);
    if (of_parameters) {
        dae_parameter_name(c->at->problem, first, name, sizeof name);
        snprintf(by, sizeof by, "parameter %s", name);
    } else if (first == c->n) {
        snprintf(by, sizeof by, "t");
    } else {
        snprintf(by, sizeof by, "argument %d", first + 1);
    }
    snprintf(why, sizeof why, "its derivative by %s in dual numbers (.%s), beside differences in quad",
             by, pass);
    blame(c, i, of_parameters || first == c->n ? 0 : first + 1,
          c->derivative[i] / all[first], (double)(c->slope[i] / all[first]), part, why);
}

static void check_derivatives(checker *c, int tangent, int of_parameters, int directions,
                              const double *all)
{
    int worst = -1;
    double part = 0;
    if (directions == 0 || !evaluate_dual(c, c->x, tangent, c->derivative))
        return;
    set_scatter(c, tangent);
    for (int i = 0; i < c->m; i++) {
        const double by = off(c, i);
        if (by > part) {
            part = by;
            worst = i;
        }
    }
    if (worst >= 0)
        blame_column(c, tangent, of_parameters, directions, all, worst, part);
}

/* all[n + 1] := a random direction of the state, and of t */
static void choose_state(checker *c, double *all)
{
    for (int j = 0; j < c->n; j++)
        all[j] = c->size[j] * dae_random_direction(&c->random);
    all[c->n] = c->at->span * dae_random_direction(&c->random);
}

static void choose_parameters(checker *c, double *all)
{
    for (int i = 0; i < c->parameters; i++) {
        const double size = c->at->p[i] != 0 ? c->at->p[i] : 1;
        all[i] = i == c->counting ? 0 : size * dae_random_direction(&c->random);
    }
}

static void look_along(checker *c, int of_parameters, int directions, const double *all)
{
    set_direction(c, of_parameters, 0, directions, all);
    set_rounding(c);
    set_slope(c);
}

dae_status dae_check_passes(const dae_model_point *at, const dae_model_map *map, dae_comparison *found)
{
    double *of_x = calloc((size_t)map->n + (size_t)map->parameters + 1, sizeof *of_x);
    checker c;
    if (!create(&c, at, map, found) || !of_x) {
        destroy(&c);
        free(of_x);
        return dae_fail(found->report, DAE_NO_MEMORY, "no memory to check %s", map->name);
    }
    double *of_p = of_x + map->n + 1;
    if (keeps_within(&c) && evaluate_quad(&c, c.x, 0, 0, c.F)) {
        set_points(&c);
        set_rounding(&c);
        check_values(&c);
        if (c.timed) {
            choose_state(&c, of_x);
            look_along(&c, 0, c.n + 1, of_x);
            check_digits(&c);
            check_derivatives(&c, 0, 0, c.n + 1, of_x);
            look_along(&c, 0, c.n + 1, of_x);
            check_derivatives(&c, 1, 0, c.n + 1, of_x);
        }
        choose_parameters(&c, of_p);
        look_along(&c, 1, c.parameters, of_p);
        check_digits(&c);                               /* of what only parameters make, too */
        check_derivatives(&c, 1, 1, c.parameters, of_p);
    }
    destroy(&c);
    free(of_x);
    return DAE_OK;
}
