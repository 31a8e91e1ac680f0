#include "pass_path.h"

#include "base/numbers.h"
#include "slope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points 1 ... NEAR are off by a part of their numbers, those up to DAE_PASS_POINTS by a part of their way. */
enum { NEAR = 3 };

static const double near = 0x1p-44, beside = 0x1p-20;
static const double wrong_value = 1e-12, wrong_derivative = 1e-9, wrong_digits = 1e-8;

/* Row i, counted from 0, of the map is wrong: of an entry for many events, a row of one of them. */
static void blame(const dae_pass_path *c, int i, int column, double found, double expected, double part,
                  const char *why)
{
    const dae_model_map *map = c->map;
    char of_event[192];
    snprintf(of_event, sizeof of_event, "of number %d: %s", dae_map_event(map, i / map->each), why);
    dae_blame(c->found, map->name, i % map->each + 1, column, found, expected, part,
              map->numbered ? of_event : why);
}

/* Does the function, at each part of the map, leave alone what lies behind its result? Else it would write over other
 * numbers. */
static int keeps_within(dae_pass_path *c)
{
    const double mark = 7.25e77;
    int last = 0;
    for (int k = 0; !last && k < c->map->looked_at; k++) {
        const dae_model_map map = dae_map_of_part(c->map, k);
        double *behind = c->value + map.rows;
        for (int i = 0; i < DAE_PASS_MARGIN; i++)
            behind[i] = mark;
        dae_map_double(&map, c->at->p, c->at->t, c->x, c->value);
        for (int i = 0; i < DAE_PASS_MARGIN; i++)
            last = behind[i] != mark ? i + 1 : last;
    }
    if (last)
        dae_blame(c->found, c->map->name, c->map->each + last, 0, NAN, NAN, 1,
                  "writes more numbers than it has rows: behind them");
    return !last;
}

/* ---- values ------------------------------------------------------------------------------- */

static void set_points(dae_pass_path *c)
{
    for (int k = 0; k < DAE_PASS_POINTS; k++)
        for (int j = 0; j < c->n; j++) {
            const double by = k == 0 ? 0 : k <= NEAR ? near * fabs(c->x[j]) : beside * c->size[j];
            c->points[k * c->n + j] = c->x[j] + by * dae_random_direction(&c->random);
        }
}

/* Differences of row i of doubles and quad are the same from point to point, and no rounding? The least. */
static double systematic(const dae_pass_path *c, int i)
{
    double least = HUGE_VAL, scatter = 0;
    for (int k = 0; k < c->points_seen; k++) {
        const double apart = c->apart[k * c->m + i];
        if (!isfinite(apart))
            return 0;
        least = fmin(least, fabs(apart));
        if (k <= NEAR)
            scatter = fmax(scatter, fabs(apart - c->apart[i]));
    }
    const double size = (double)dae_quad_fabs(c->F[i]);
    const double most = wrong_value * size + 8 * scatter + 64 * (double)c->rounding[i] + 0x1p-48 * (double)c->terms[i];
    return least > most ? least / fmax(size, fabs(c->value[i])) : 0;
}

static void check_values(dae_pass_path *c)
{
    for (int k = c->points_seen - 1; k >= 0; k--) {
        const double *x = c->points + k * c->n;
        dae_map_double(c->map, c->at->p, c->at->t, x, c->value);
        dae_pass_quad(c, x, 0, 0, c->other);
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

/* derivative := by differences over s */
static void set_fine_slope(dae_pass_path *c, dae_quad s)
{
    dae_quad_difference(dae_pass_along, c, s, c->m, c->work, c->other);
    for (int i = 0; i < c->m; i++)
        c->derivative[i] = (double)c->work[i];
}

/* The same, and apart[m] by the same differences a moment before, asked for in the other order */
static void set_fine_slope_twice(dae_pass_path *c, dae_quad s)
{
    set_fine_slope(c, -s);
    memcpy(c->apart, c->derivative, (size_t)c->m * sizeof *c->apart);
    set_fine_slope(c, s);
}

/* Row i jumps between both ends of the difference over s: by more than a double of its terms would, and again
 * where it is asked again, as apart[m] of it says. */
static int jumps(const dae_pass_path *c, dae_quad s, int i)
{
    return fabs(c->derivative[i] - c->apart[i]) <= wrong_digits * fabs(c->derivative[i])
           && 2 * (double)s * fabs(c->derivative[i]) > 0x1p-40 * (double)c->terms[i];
}

/* How far the derivative is off the slope in row i, as a part, beyond rounding and what the slope may be off
 * itself: much where a run came to a singular place, and sizes are those of there. */
static double fine_off(const dae_pass_path *c, dae_quad s, int i)
{
    const double slope = (double)c->slope[i], size = fmax(fabs(slope), fabs(c->derivative[i]));
    const double rounding = (double)((0x1p-108 * c->terms[i] + 0x1p-54 * c->rounding[i]) / s);
    const double off = fabs(slope - c->derivative[i]) - dae_pass_uncertain(c, i) - rounding;
    return isfinite(off) && off > wrong_digits * size && dae_pass_shows(c, i, size) && !jumps(c, s, i) ? off / size : 0;
}

/* Arguments that a double cannot tell apart make a difference in quad, at both of two distances: rounding in
 * quad is much less at the larger one. */
static void check_digits(dae_pass_path *c)
{
    const dae_quad small = 0x1p-60, large = 0x1p-56;
    if (c->at->rough)
        return;
    set_fine_slope_twice(c, small);
    for (int i = 0; i < c->m; i++)
        c->scatter[i] = fine_off(c, small, i);
    set_fine_slope_twice(c, large);
    for (int i = 0; i < c->m; i++) {
        const double part = fmin(c->scatter[i], fine_off(c, large, i));
        if (part > 0)
            blame(c, i, 0, c->derivative[i], (double)c->slope[i], part,
                  "in quad (.quad) is only a double somewhere: differences over a step below "
                  "the rounding of doubles");
    }
}

/* scatter := of the derivative between near points, and those a part 2^-36 of the way off, at times that are
 * the same but for rounding: a frequency times a late time has lost digits */
static void set_scatter(dae_pass_path *c, const dae_stated_slope *d)
{
    double *x = c->points + c->n;
    const dae_model_point *here = c->at;
    dae_model_point point = *here;
    c->at = &point;
    memset(c->scatter, 0, (size_t)c->m * sizeof *c->scatter);
    for (int k = 0; k < NEAR && !here->rough; k++) {
        for (int j = 0; j < c->n; j++)
            x[j] = c->x[j] + (near * fabs(c->x[j]) + 0x1p-36 * c->size[j])
                             * dae_random_direction(&c->random);
        point.t = here->t * (1 + 0x1p-51 * dae_random_direction(&c->random));
        d->along(d, c, x, c->value);
        for (int i = 0; i < c->m; i++)
            c->scatter[i] = fmax(c->scatter[i], fabs(c->value[i] - c->derivative[i]));
    }
    c->at = here;
}

/* How far the derivative in row i is off, as a part of its size; 0 where it is right. */
static double off(const dae_pass_path *c, int i)
{
    const double slope = (double)c->slope[i], size = fmax(fabs(slope), fabs(c->derivative[i]));
    const double rounding = 1e-15 * (double)c->terms[i] + 16 * c->scatter[i] + dae_pass_uncertain(c, i);
    const double apart = fabs(slope - c->derivative[i]) - rounding;
    return isfinite(apart) && apart > wrong_derivative * size && dae_pass_shows(c, i, size) ? apart / size : 0;
}

static double apart_along(dae_pass_path *c, const dae_stated_slope *d, int first, int count, const double *all, int i)
{
    dae_pass_look(c, d->of_parameters, first, count, all);
    d->along(d, c, c->x, c->derivative);
    const double apart = fabs((double)c->slope[i] - c->derivative[i]) - dae_pass_uncertain(c, i);
    return isfinite(apart) ? apart : 0;
}

/* The direction by bisection in which row i is wrong, and what it says there. */
static void blame_direction(dae_pass_path *c, const dae_stated_slope *d, const double *all, int i, double part)
{
    int first = d->first;
    for (int count = d->count, half; count > 1; count = half) {
        half = count / 2;
        const double low = apart_along(c, d, first, half, all, i);
        if (!(low >= apart_along(c, d, first + half, count - half, all, i))) {
            first += half;
            half = count - half;
        }
    }
    apart_along(c, d, first, 1, all, i);
    d->blame(d, c, i, first, c->derivative[i] / all[first], (double)(c->slope[i] / all[first]), part);
}

void dae_pass_check_slope(dae_pass_path *c, const dae_stated_slope *d, const double *along_all)
{
    int worst = -1;
    double part = 0;
    if (d->count == 0 || !d->along(d, c, c->x, c->derivative))
        return;
    set_scatter(c, d);
    for (int i = 0; i < c->m; i++) {
        const double by = off(c, i);
        worst = by > part ? i : worst;
        part = fmax(part, by);
    }
    if (worst >= 0)
        blame_direction(c, d, along_all, worst, part);
}

/* ---- dual numbers ------------------------------------------------------------------------- */

/* out[m] := along the path, by dual numbers, without or with those of parameters */
static int along_dual(const dae_stated_slope *d, dae_pass_path *c, const double *x, double *out)
{
    const int tangent = d->own != NULL;
    const dae_dual t = dae_dual_make(c->at->t, c->tau);
    for (int j = 0; j < c->n; j++)
        c->dual[j] = dae_dual_make(x[j], c->w[j]);
    for (int i = 0; tangent && i < c->parameters; i++)
        c->p_dual[i] = dae_dual_make(c->at->p[i], c->pi[i]);
    const int given = tangent ? dae_map_tangent(c->map, c->p_dual, t, c->dual, c->out)
                              : dae_map_dual(c->map, c->at->p, t, c->dual, c->out);
    for (int i = 0; i < c->m; i++)
        out[i] = dae_dual_derivative(c->out[i]);
    return given;
}

static void blame_dual(const dae_stated_slope *d, const dae_pass_path *c, int row, int direction, double found,
                       double expected, double part)
{
    const int column = d->of_parameters || direction == c->n ? 0 : direction + 1;
    char why[160], by[64] = "t", name[48];
    if (d->of_parameters) {
        dae_parameter_name(c->at->problem, direction, name, sizeof name);
        snprintf(by, sizeof by, "parameter %s", name);
    } else if (column) {
        snprintf(by, sizeof by, "argument %d", column);
    }
    snprintf(why, sizeof why, "its derivative by %s in dual numbers (.%s), beside differences in quad", by,
             d->own ? "tangent" : "dual");
    blame(c, row, column, found, expected, part, why);
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* all[n + 1] := a random direction of the state, and of t; all[parameters] of those that count nothing */
static void choose_state(dae_pass_path *c, double *all)
{
    for (int j = 0; j < c->n; j++)
        all[j] = c->size[j] * dae_random_direction(&c->random);
    all[c->n] = c->at->span * dae_random_direction(&c->random);
}

static void choose_parameters(dae_pass_path *c, double *all)
{
    for (int i = 0; i < c->parameters; i++) {
        const double size = c->at->p[i] != 0 ? c->at->p[i] : 1;
        all[i] = i == c->counting ? 0 : size * dae_random_direction(&c->random);
    }
}

static void check_slopes(dae_pass_path *c, double *of_x, double *of_p)
{
    const dae_stated_slope dual = {0, 0, c->n + 1, along_dual, blame_dual, NULL},
                           tangent = {0, 0, c->n + 1, along_dual, blame_dual, "parameters, too"},
                           parameters = {1, 0, c->parameters, along_dual, blame_dual, "parameters, too"};
    if (c->timed) {
        choose_state(c, of_x);
        dae_pass_look(c, 0, 0, c->n + 1, of_x);
        check_digits(c);
        dae_pass_check_slope(c, &dual, of_x);
        if (!c->at->rough)                  /* it was not moved */
            dae_pass_look(c, 0, 0, c->n + 1, of_x);
        dae_pass_check_slope(c, &tangent, of_x);
    }
    choose_parameters(c, of_p);
    dae_pass_look(c, 1, 0, c->parameters, of_p);
    check_digits(c);                                    /* of what only parameters make, too */
    dae_pass_check_slope(c, &parameters, of_p);
}

void dae_check_passes(const dae_model_point *at, const dae_model_map *map, dae_comparison *found)
{
    double *of_x = calloc((size_t)map->n + (size_t)map->parameters + 1, sizeof *of_x);
    dae_pass_path c;
    if (!dae_pass_create(&c, at, map, found) || !of_x) {
        found->status = DAE_NO_MEMORY;
    } else if (keeps_within(&c) && dae_pass_quad(&c, c.x, 0, 0, c.F)) {
        set_points(&c);
        dae_pass_set_rounding(&c);
        check_values(&c);
        check_slopes(&c, of_x, of_x + map->n + 1);
    }
    dae_pass_destroy(&c);
    free(of_x);
}
