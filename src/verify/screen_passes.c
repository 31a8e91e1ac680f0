/* screen_passes.c - is each function of a model the same in doubles, in quad, and in its derivatives?
 *
 * Values at one point, and slopes along one path by the state, and one by the parameters: those of dual numbers
 * beside a difference in quad.
 */
#include "screen_parts.h"

#include "base/numbers.h"
#include "system/parameters.h"

#include <stdlib.h>

/* [parameters] of each. */
typedef struct {
    dae_quad *p, *moved;
    dae_dual *constant, *tangent;
    double *pi;
} pass_parameters;

static void free_parameters(pass_parameters *p)
{
    dae_parameters_free(p->p);
    dae_parameters_free(p->moved);
    dae_parameters_free(p->constant);
    dae_parameters_free(p->tangent);
    dae_parameters_free(p->pi);
}

static int create_parameters(const dae_subject *s, pass_parameters *p)
{
    const void *data = dae_user_data(s->p);
    *p = (pass_parameters){dae_parameters_new(s->parameters, sizeof *p->p, data),
                           dae_parameters_new(s->parameters, sizeof *p->moved, data),
                           dae_parameters_new(s->parameters, sizeof *p->constant, data),
                           dae_parameters_new(s->parameters, sizeof *p->tangent, data),
                           dae_parameters_new(s->parameters, sizeof *p->pi, data)};
    return p->p && p->moved && p->constant && p->tangent && p->pi;
}

static void set_parameters(screen *c, pass_parameters *p)
{
    const dae_subject *s = c->s;
    const int counts = dae_counting_parameter(&s->problem);
    for (int i = 0; i < s->parameters; i++) {
        const double x = s->p[i];
        p->pi[i] = i == counts ? 0 : (x != 0 ? x : 1) * dae_random_direction(&c->random);
        p->p[i] = x;
        p->constant[i] = x;
        p->tangent[i] = dae_dual_make(x, p->pi[i]);
    }
}

typedef struct {
    double *x, *w, *F;          /* [n], [n], [m] */
    dae_quad *z, *plus, *minus, *here;  /* [n], [m] */
    dae_dual *d, *out;          /* [n], [m] */
} pass_work;

/* slope of the map in quad along the path, over a step that doubles do not resolve well */
static int quad_slope(screen *c, const dae_model_map *map, pass_parameters *p, pass_work *k, int by_state)
{
    const dae_quad e = 0x1p-30;
    int given = 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        const dae_quad t = c->t + (by_state ? sign * e * c->s->span : 0);
        for (int i = 0; i < map->n; i++)
            k->z[i] = k->x[i] + (by_state ? sign * e * k->w[i] : 0);
        for (int i = 0; i < map->parameters; i++)
            p->moved[i] = p->p[i] + (by_state ? 0 : sign * e * p->pi[i]);
        given &= dae_map_quad(map, p->moved, t, k->z, sign < 0 ? k->minus : k->plus);
    }
    for (int i = 0; i < map->rows; i++)
        k->plus[i] = (k->plus[i] - k->minus[i]) / (2 * e);
    return given;
}

static void compare_slopes(screen *c, const dae_model_map *map, const pass_work *k)
{
    for (int i = 0; i < map->rows; i++)
        dae_screen_compare(c, (double)k->plus[i], dae_dual_derivative(k->out[i]),
                0x1p-40 * (double)dae_quad_fabs(k->here[i]));
}

/* As far as rounding of what changes along the path goes. */
static void compare_values(screen *c, const dae_model_map *map, const pass_work *k)
{
    for (int i = 0; i < map->rows; i++)
        dae_screen_compare(c, k->F[i], (double)k->here[i], 1e-3 * (double)dae_quad_fabs(k->plus[i]));
}

static void look_at_map(screen *c, const dae_model_map *map, pass_parameters *p, pass_work *k)
{
    const dae_dual t = dae_dual_make(c->t, c->s->span);
    dae_map_arguments(map, c->s->state, k->x);
    dae_map_arguments(map, c->s->size, k->w);
    for (int i = 0; i < map->n; i++) {
        k->w[i] *= dae_random_direction(&c->random);
        k->z[i] = k->x[i];
        k->d[i] = dae_dual_make(k->x[i], k->w[i]);
    }
    dae_map_double(map, c->p, c->t, k->x, k->F);
    if (!dae_map_quad(map, p->p, c->t, k->z, k->here))
        return;
    if (map->shape == DAE_OF_START)
        compare_values(c, map, k);
    else if (quad_slope(c, map, p, k, 1)) {
        compare_values(c, map, k);
        if (dae_map_dual(map, c->p, t, k->d, k->out))
            compare_slopes(c, map, k);
        if (dae_map_tangent(map, p->constant, t, k->d, k->out))
            compare_slopes(c, map, k);
    }
    for (int i = 0; i < map->n; i++)
        k->d[i] = k->x[i];
    if (map->parameters && quad_slope(c, map, p, k, 0)
        && dae_map_tangent(map, p->tangent, c->t, k->d, k->out))
        compare_slopes(c, map, k);
}

int dae_screen_passes(screen *c)
{
    enum { MARGIN = 16 };
    size_t n = (size_t)c->s->places.count + (size_t)c->s->parameters + MARGIN;
    dae_model_map *maps = calloc(DAE_MOST_MAPS, sizeof *maps);
    const int count = maps ? dae_list_maps(&c->s->problem, &c->s->places, maps) : 0;
    for (int i = 0; i < count; i++)                     /* M x at u has two arguments of the size of u */
        n = (size_t)maps[i].n + MARGIN > n ? (size_t)maps[i].n + MARGIN : n;
    size_t m = n;
    for (int i = 0; i < count; i++)
        m = (size_t)maps[i].rows + MARGIN > m ? (size_t)maps[i].rows + MARGIN : m;
    double *doubles = calloc(2 * n + m, sizeof *doubles);
    dae_quad *quads = calloc(n + 3 * m, sizeof *quads);
    dae_dual *duals = calloc(n + m, sizeof *duals);
    pass_parameters p;
    const int made = create_parameters(c->s, &p) && maps && doubles && quads && duals;
    if (made) {
        pass_work k = {.x = doubles, .w = doubles + n, .F = doubles + 2 * n, .z = quads, .plus = quads + n,
                       .minus = quads + n + m, .here = quads + n + 2 * m, .d = duals, .out = duals + n};
        set_parameters(c, &p);
        for (int i = 0; i < count && !c->suspect; i++)
            look_at_map(c, maps + i, &p, &k);
    }
    free(maps);
    free(doubles);
    free(quads);
    free(duals);
    free_parameters(&p);
    return made;
}
