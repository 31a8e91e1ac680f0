#include "model_maps.h"

#include "base/no_fast_math.h"
#include "system/event_numbers.h"

#include <stdio.h>
#include <string.h>

dae_state_places dae_places_of(const dae_problem *problem, int copies)
{
    const dae_mechanical *m = &problem->mechanical;
    dae_state_places p = {.copies = copies, .nq = copies * m->nq, .nl = copies * m->nl, .ns = m->minimal.n,
                          .n = problem->first_order.n};
    p.holonomic = p.nl - copies * m->nonholonomic;
    p.v = p.q + p.nq;
    p.lambda = p.v + p.nq;
    p.a = p.lambda + p.nl;
    p.s = p.a + p.nq;
    p.ds = p.s + p.ns;
    p.count = p.nq ? p.ds + p.ns : p.n;
    return p;
}

/* ---- the list ----------------------------------------------------------------------------- */

/* Rows of the actions of an entry for many events that are looked at together. */
enum { MOST_ROWS = 16384 };

typedef struct { dae_model_map *map; int count, parameters; } map_list;

/* Up to three arguments, {place, size}; one of no size ends them. */
static void add(map_list *list, const char *name, const char *compared, dae_map_shape shape, const void *functions,
                int rows, const int (*arguments)[2])
{
    if (list->count == DAE_MOST_MAPS || rows == 0)
        return;
    dae_model_map *m = list->map + list->count++;
    *m = (dae_model_map){.compared = compared, .shape = shape, .functions = functions, .rows = rows,
                         .parameters = list->parameters, .each = rows, .looked_at = 1};
    snprintf(m->name, sizeof m->name, "%.47s", name);
    for (; arguments && m->arguments < 3 && arguments[m->arguments][1]; m->arguments++) {
        m->first[m->arguments] = arguments[m->arguments][0];
        m->size[m->arguments] = arguments[m->arguments][1];
        m->n += m->size[m->arguments];
    }
}

#define ADD(member, shape, rows, compared, ...)                                                   \
    do {                                                                                          \
        const int arguments[4][2] = {__VA_ARGS__};                                                \
        if (of->member.f)                                                                         \
            add(list, #member, compared "all passes", shape, &of->member, rows, arguments);       \
    } while (0)

static void list_mechanical(map_list *list, const dae_mechanical *of, const dae_state_places *p)
{
    const int nq = p->nq, nl = p->nl, ns = p->ns;
    ADD(inertia, DAE_OF_TWO, nq, "linear, symmetric, positive definite; ", {p->q, nq}, {p->a, nq});
    ADD(force, DAE_OF_TWO, nq, "energy, minimal.acceleration and partials, where they are stated; ", {p->q, nq},
        {p->v, nq});
    ADD(constraint, DAE_OF_ONE, p->holonomic, "rows independent; rate and reaction; ", {p->q, nq});
    ADD(rate, DAE_OF_TWO, nl, "d/dt constraint; of nonholonomic ones linear in v; ", {p->q, nq}, {p->v, nq});
    ADD(acceleration, DAE_OF_THREE, nl, "d/dt rate; ", {p->q, nq}, {p->v, nq}, {p->a, nq});
    ADD(reaction, DAE_OF_TWO, nl ? nq : 0, "(d constraint/dq)^T lambda, which is (d rate/dv)^T lambda; ", {p->q, nq},
        {p->lambda, nl});
    ADD(energy, DAE_OF_TWO, 1, "dH/dt along the motion; ", {p->q, nq}, {p->v, nq});
    ADD(minimal.acceleration, DAE_OF_TWO, ns, "the constrained motion; ", {p->s, ns}, {p->ds, ns});
    ADD(minimal.embed, DAE_OF_TWO, 2 * nq * (ns > 0), "on the constraints, its velocity d/dt of its position; ",
        {p->s, ns}, {p->ds, ns});
    ADD(minimal.chart, DAE_OF_TWO, 2 * ns, "inverse of minimal.embed; ", {p->q, nq}, {p->v, nq});
}

static void list_first_order(map_list *list, const dae_first_order *of, int n)
{
    ADD(rhs, DAE_OF_ONE, n, "finite at the start; jacobian, where it is stated; ", {0, n});
    ADD(mass, DAE_OF_TWO, n, "linear; constant, unless it is said to vary; ", {0, n}, {0, n});
    ADD(reduced, DAE_OF_ONE, n, "", {0, n});
    ADD(exact, DAE_OF_TIME, n, "M u' = F; ", {0, 0});
}

/* A function of all events of an entry, or of as many as there is room for, from the first to the last. */
static void add_numbered(map_list *list, const dae_event *e, int total, const char *what,
                         dae_map_shape shape, const void *functions, int each, int seen)
{
    const int arguments[2][2] = {{0, seen}, {0, 0}}, before = list->count;
    const int room = each < MOST_ROWS / 2 ? MOST_ROWS / each : 2, looked_at = total < room ? total : room;
    char name[96];
    snprintf(name, sizeof name, "events.%.30s%s", e->name, what);
    add(list, name, "all passes", shape, functions, looked_at * each, arguments);
    if (list->count == before)
        return;
    dae_model_map *m = &list->map[before];
    m->each = each;
    m->numbered = dae_event_is_numbered(e);
    m->last_event = total - 1;
    m->looked_at = looked_at;
}

/* What events see, (q, v, lambda) or u. */
static void list_event(map_list *list, const dae_event *e, int copies, int seen)
{
    const long all = dae_event_total(e, copies);
    const int total = all < DAE_MOST_EVENTS ? (int)all : DAE_MOST_EVENTS;
    add_numbered(list, e, total, "", DAE_OF_EVENT, &e->value, 1, seen);
    if (e->action.f)
        add_numbered(list, e, total, ".action", DAE_OF_ACTION, &e->action, seen + list->parameters, seen);
    if (e->measure.f)
        add_numbered(list, e, total, ".measure", DAE_OF_EVENT, &e->measure, 1, seen);
}

int dae_list_maps(const dae_problem *problem, const dae_state_places *p, dae_model_map *maps)
{
    map_list list = {maps, 0, dae_parameter_count(problem)};
    const int seen = p->nq ? 2 * p->nq + p->nl : p->n, state = p->nq ? 2 * p->nq : p->n;
    const int of_state[2][2] = {{0, state}, {0, 0}};
    add(&list, "start", "consistent; doubles, quad, tangent", DAE_OF_START, &problem->start, seen, NULL);
    if (p->nq)
        list_mechanical(&list, &problem->mechanical, p);
    else
        list_first_order(&list, &problem->first_order, p->n);
    if (problem->invariants.n)
        add(&list, "invariants", "constant along the motion; all passes", DAE_OF_ONE, &problem->invariants.value,
            problem->invariants.n, of_state);
    for (const dae_event *e = problem->events; e && e->name; e++)
        list_event(&list, e, p->copies, seen);
    return list.count;
}

int dae_map_event(const dae_model_map *map, int i)
{
    const long between = map->last_event - map->first_event;
    return map->looked_at < 2 ? map->first_event
                              : map->first_event + (int)(i * between / (map->looked_at - 1));
}

dae_model_map dae_map_of_part(const dae_model_map *map, int i)
{
    dae_model_map part = *map;
    part.first_event = part.last_event = dae_map_event(map, i);
    part.looked_at = 1;
    part.rows = map->each;
    return part;
}

void dae_map_arguments(const dae_model_map *map, const double *state, double *x)
{
    for (int k = 0; k < map->arguments; x += map->size[k++])
        memcpy(x, state + map->first[k], (size_t)map->size[k] * sizeof *x);
}

void dae_map_place(const dae_model_map *map, const double *x, double *state)
{
    for (int k = 0; k < map->arguments; x += map->size[k++])
        memcpy(state + map->first[k], x, (size_t)map->size[k] * sizeof *x);
}

/* ---- one pass of a map -------------------------------------------------------------------- */

#define EVALUATE(pass, member, param, scalar)                                                     \
    static int act_##pass(const dae_model_map *map, const param *p, scalar t, const scalar *x,    \
                          scalar *out)                                                            \
    {                                                                                             \
        const dae_action *action = map->functions;                                                \
        for (int k = 0; action->member && k < map->looked_at; k++, out += map->each) {            \
            scalar *p_new = out + map->n;                                                         \
            memcpy(out, x, (size_t)map->n * sizeof *x);                                           \
            for (int i = 0; i < map->parameters; i++)                                             \
                p_new[i] = p[i];                                                                  \
            action->member(p, t, out, p_new, dae_map_event(map, k));                              \
        }                                                                                         \
        return action->member != NULL;                                                            \
    }                                                                                             \
    static int ask_##pass(const dae_model_map *map, const param *p, scalar t, const scalar *x,    \
                          scalar *out)                                                            \
    {                                                                                             \
        const dae_event_function *event = map->functions;                                         \
        for (int k = 0; event->member && k < map->looked_at; k++)                                 \
            out[k] = event->member(p, t, x, dae_map_event(map, k));                               \
        return event->member != NULL;                                                             \
    }                                                                                             \
    static int evaluate_##pass(const dae_model_map *map, const param *p, scalar t,                \
                               const scalar *x, scalar *out)                                      \
    {                                                                                             \
        const scalar *y = x + map->size[0], *z = y + map->size[1];                                \
        const union {                                                                             \
            const void *any;                                                                      \
            const dae_map0 *of_time;                                                              \
            const dae_map1 *one;                                                                  \
            const dae_map2 *two;                                                                  \
            const dae_map3 *three;                                                                \
            const dae_start *start;                                                               \
        } f = {map->functions};                                                                   \
        switch (map->shape) {                                                                     \
        case DAE_OF_TIME:   return f.of_time->member ? (f.of_time->member(p, t, out), 1) : 0;     \
        case DAE_OF_ONE:    return f.one->member ? (f.one->member(p, t, x, out), 1) : 0;          \
        case DAE_OF_TWO:    return f.two->member ? (f.two->member(p, t, x, y, out), 1) : 0;       \
        case DAE_OF_THREE:  return f.three->member ? (f.three->member(p, t, x, y, z, out), 1) : 0; \
        case DAE_OF_START:  return f.start->member ? (f.start->member(p, out), 1) : 0;            \
        case DAE_OF_EVENT:  return ask_##pass(map, p, t, x, out);                                 \
        default:            return act_##pass(map, p, t, x, out);                                 \
        }                                                                                         \
    }                                                                                             \
    int dae_map_##pass(const dae_model_map *map, const param *p, scalar t, const scalar *x,       \
                       scalar *out)                                                               \
    {                                                                                             \
        memset(out, 0, (size_t)map->rows * sizeof *out);                                          \
        return evaluate_##pass(map, p, t, x, out);                                                \
    }
EVALUATE(double, f, double, double)
EVALUATE(dual, dual, double, dae_dual)
EVALUATE(quad, quad, dae_quad, dae_quad)
EVALUATE(tangent, tangent, dae_dual, dae_dual)
