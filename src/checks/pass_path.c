#include "pass_path.h"

#include "base/numbers.h"
#include "slope.h"
#include "system/parameters.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In a single direction the roundings of several arguments may cancel, in one row of hundreds. */
enum { SHAKES = 4 };

/* ---- memory ------------------------------------------------------------------------------- */

void dae_pass_destroy(dae_pass_path *c)
{
    free(c->memory);
    dae_parameters_free(c->p_quad);
    dae_parameters_free(c->p_dual);
}

/* terms := the largest of a kind, positions, velocities or multipliers, in rows of an action: one that moves them
 * onto constraints adds up all of a kind, and may answer 0 wherever it is asked. */
static void set_kinds(dae_pass_path *c)
{
    const dae_state_places s = dae_places_of(c->at->problem, dae_problem_copies(c->at->problem, c->at->p));
    const int ends[] = {0, s.nq, 2 * s.nq, 2 * s.nq + s.nl};
    for (int i = 0; c->map->shape == DAE_OF_ACTION && i < c->m; i++)
        for (int kind = 0, row = i % c->map->each; kind < 3; kind++)
            if (row >= ends[kind] && row < ends[kind + 1])
                for (int j = ends[kind]; j < ends[kind + 1]; j++)
                    c->terms[i] = dae_quad_fmax(c->terms[i], fmax(fabs(c->x[j]), c->size[j]));
}

int dae_pass_create(dae_pass_path *c, const dae_model_point *at, const dae_model_map *map, dae_comparison *found)
{
    const size_t n = (size_t)map->n, m = (size_t)map->rows, parameters = (size_t)map->parameters;
    const void *data = dae_user_data(at->p);
    *c = (dae_pass_path){.at = at, .map = map, .found = found, .n = map->n, .m = map->rows,
                   .parameters = map->parameters, .timed = map->shape != DAE_OF_START,
                   .points_seen = at->rough ? 1 : DAE_PASS_POINTS,
                   .counting = dae_counting_parameter(at->problem), .random = 19980714, .shake = 19900607};
    c->memory = DAE_PARTS(c,
        DAE_PART(dae_pass_path, x, n), DAE_PART(dae_pass_path, size, n), DAE_PART(dae_pass_path, w, n),
        DAE_PART(dae_pass_path, derivative, m), DAE_PART(dae_pass_path, scatter, m),
        DAE_PART(dae_pass_path, points, DAE_PASS_POINTS * n), DAE_PART(dae_pass_path, apart, DAE_PASS_POINTS * m),
        DAE_PART(dae_pass_path, value, m + DAE_PASS_MARGIN), DAE_PART(dae_pass_path, pi, parameters),
        DAE_PART(dae_pass_path, quad, n), DAE_PART(dae_pass_path, slope, m), DAE_PART(dae_pass_path, error, m),
        DAE_PART(dae_pass_path, rounding, m), DAE_PART(dae_pass_path, kink, m), DAE_PART(dae_pass_path, way, m),
        DAE_PART(dae_pass_path, reach, m), DAE_PART(dae_pass_path, terms, m),
        DAE_PART(dae_pass_path, work, (DAE_SLOPE_ROWS + 4) * m), DAE_PART(dae_pass_path, other, m + DAE_PASS_MARGIN),
        DAE_PART(dae_pass_path, F, m + DAE_PASS_MARGIN), DAE_PART(dae_pass_path, dual, n),
        DAE_PART(dae_pass_path, out, m + DAE_PASS_MARGIN));
    c->p_quad = dae_parameters_new(map->parameters, sizeof *c->p_quad, data);
    c->p_dual = dae_parameters_new(map->parameters, sizeof *c->p_dual, data);
    if (!c->memory || !c->p_quad || !c->p_dual) {
        found->status = DAE_NO_MEMORY;
        return 0;
    }
    dae_map_arguments(map, at->state, c->x);
    dae_map_arguments(map, at->size, c->size);
    set_kinds(c);
    return 1;
}

/* ---- the path ----------------------------------------------------------------------------- */

int dae_pass_quad(dae_pass_path *c, const double *x, dae_quad s, double part, dae_quad *out)
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

void dae_pass_along(void *context, dae_quad s, dae_quad *out)
{
    dae_pass_path *c = context;
    dae_pass_quad(c, c->x, s, 0, out);
}

void dae_pass_set_rounding(dae_pass_path *c)
{
    dae_pass_quad(c, c->x, 0, 0, c->F);
    memset(c->rounding, 0, (size_t)c->m * sizeof *c->rounding);
    const int shakes = c->at->rough ? 1 : SHAKES;
    for (int k = 0; k < shakes; k++, c->shake++) {
        dae_pass_quad(c, c->x, 0, k % 2 ? -0x1p-52 : 0x1p-52, c->other);
        for (int i = 0; i < c->m; i++)
            c->rounding[i] = dae_quad_fmax(c->rounding[i], dae_quad_fabs(c->other[i] - c->F[i]));
    }
    c->shake -= (uint64_t)shakes;
}

/* ---- its slope ---------------------------------------------------------------------------- */

static void raise_reach(dae_pass_path *c, dae_quad by)
{
    for (int i = 0; i < c->m; i++) {
        const dae_quad way = dae_quad_fabs(c->other[i] - c->F[i]) / by;
        c->reach[i] = way - way == 0 ? dae_quad_fmax(c->reach[i], way) : c->reach[i];
    }
}

/* Of what a sum of large terms that cancel at x itself shows only there: over a part of the path, and as all
 * arguments change by a part of themselves. */
static void set_reach(dae_pass_path *c)
{
    const dae_quad e = 0x1p-6, part = 0x1p-10;
    for (int sign = -1; sign <= 1; sign += 2) {
        dae_pass_along(c, sign * e, c->other);
        raise_reach(c, e);
    }
    dae_pass_quad(c, c->x, 0, (double)part, c->other);
    raise_reach(c, part);
}

/* out := what is O(e^4) where f is smooth, as f(e) + f(-e) - 2 f is c e^2 + O(e^4), and e where it has a kink that is
 * closer: a quarter of the way then does not bend by a sixteenth; out[2 m] */
static void bend_sharply(dae_pass_path *c, dae_quad e, dae_quad *out)
{
    dae_quad *quarter = out + c->m;
    dae_quad_bend(dae_pass_along, c, e, c->m, c->F, out, c->other);
    dae_quad_bend(dae_pass_along, c, e / 4, c->m, c->F, quarter, c->other);
    for (int i = 0; i < c->m; i++)
        out[i] -= 16 * quarter[i];
}

/* At the point itself, and so close beside it that the slope, over a longer way, sees a kink evenly from both sides;
 * by the way of each row, as one that is fast has a short one. */
static void set_kink(dae_pass_path *c)
{
    const dae_quad at = 0x1p-40, beside_it = 0x1p-8;
    dae_quad_bend(dae_pass_along, c, at, c->m, c->F, c->kink, c->other);
    for (int i = 0; i < c->m; i++)
        c->kink[i] = dae_quad_fabs(c->kink[i]) / at;
    for (int first = 0; first < c->m; first++) {
        const dae_quad way = c->way[first], e = beside_it * way;
        if (way == 0)
            continue;
        bend_sharply(c, e, c->work);
        for (int i = first; i < c->m; i++)
            if (c->way[i] == way) {
                c->kink[i] += dae_quad_fabs(c->work[i]) / e;
                c->way[i] = 0;
            }
    }
}

static void set_slope(dae_pass_path *c)
{
    const size_t bytes = (size_t)c->m * sizeof *c->slope;
    memset(c->kink, 0, bytes);
    memset(c->way, 0, bytes);
    memset(c->error, 0, bytes);
    memset(c->reach, 0, bytes);
    if (c->at->rough) {
        dae_quad_difference(dae_pass_along, c, 0x1p-40, c->m, c->slope, c->work);
    } else {
        for (int i = 0; i < c->m; i++)
            c->rounding[i] = 0x1p-111 * dae_quad_fabs(c->F[i]) + 0x1p-59 * c->rounding[i];
        dae_quad_slope(dae_pass_along, c, 1, c->m, c->kink, c->rounding, c->slope, c->error, c->way, c->work);
        for (int i = 0; i < c->m; i++)
            c->rounding[i] *= 0x1p59;
        set_kink(c);
        set_reach(c);
    }
    for (int i = 0; i < c->m; i++)
        c->terms[i] = dae_quad_fmax(c->terms[i], dae_quad_fmax(dae_quad_fabs(c->F[i]), c->reach[i]));
}

double dae_pass_uncertain(const dae_pass_path *c, int i)
{
    const double error = (double)(16 * c->error[i] + c->kink[i]);
    return isfinite(error) ? error : HUGE_VAL;
}

int dae_pass_shows(const dae_pass_path *c, int i, double size) { return size > 0x1p-40 * (double)c->terms[i]; }

void dae_pass_look(dae_pass_path *c, int of_parameters, int first, int count, const double *along_all)
{
    memset(c->w, 0, (size_t)c->n * sizeof *c->w);
    memset(c->pi, 0, (size_t)c->parameters * sizeof *c->pi);
    c->tau = 0;
    for (int j = first; j < first + count; j++)
        *(of_parameters ? &c->pi[j] : j == c->n ? &c->tau : &c->w[j]) = along_all[j];
    if (!c->at->rough)                      /* it is that of the point */
        dae_pass_set_rounding(c);
    set_slope(c);
}
