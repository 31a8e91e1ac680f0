/* tape.c - what is kept of a run: of each step its end and how it was made, and states */
#include "gradient.h"

#include "base/parts.h"

#include <stdlib.h>
#include <string.h>

/* Room for one element more; 0: no memory. */
static int grow(void **array, int *room, int count, size_t size)
{
    if (count < *room)
        return 1;
    const int more = *room ? 2 * *room : 64;
    void *larger = realloc(*array, (size_t)more * size);
    if (!larger)
        return 0;
    *array = larger;
    *room = more;
    return 1;
}

static dae_status no_memory(dae_gradient *g)
{
    return dae_fail(&g->a.v.report, DAE_NO_MEMORY, "no memory for what the gradient needs of %d steps of %d unknowns",
                    g->steps, g->a.v.n);
}

/* The state with which the step just accepted begins, and so many numbers of it */
static dae_status keep_state(dae_gradient *g, const double *numbers, int count)
{
    const size_t n = (size_t)g->a.v.n, size = (size_t)count * sizeof *numbers;
    void *array = g->state;
    const int grown = grow(&array, &g->state_room, g->states, sizeof *g->state);
    g->state = array;
    dae_kept_state *kept = g->state + g->states;
    if (grown)
        *kept = (dae_kept_state){.step = g->steps, .known = count > 0};
    if (!grown || !DAE_PARTS(kept, DAE_PART(dae_kept_state, u, n + 1), DAE_PART(dae_kept_state, numbers, count)))
        return no_memory(g);
    memcpy(kept->u, g->solver->u_old, n * sizeof *kept->u);
    memcpy(kept->numbers, numbers ? numbers : kept->u, size);
    g->states++;
    return DAE_OK;
}

/* States from step number `step` on are forgotten. */
static void forget_states(dae_gradient *g, int step)
{
    while (g->states && g->state[g->states - 1].step >= step)
        free(g->state[--g->states].u);
}

/* Where there are as many states as may be kept, every second one goes. */
static void thin(dae_gradient *g)
{
    int left = 0;
    if (!g->most || g->states < g->most)
        return;
    g->stride *= 2;
    for (int i = 0; i < g->states; i++)
        if (g->state[i].step % g->stride)
            free(g->state[i].u);
        else
            g->state[left++] = g->state[i];
    g->states = left;
}

void dae_tape_begin(dae_gradient *g)
{
    forget_states(g, 0);
    for (int k = 0; k < g->costs; k++)
        free(g->cost[k].u);
    g->steps = g->costs = g->numbers = 0;
    g->stride = 1;
}

void dae_tape_free(dae_gradient *g)
{
    dae_tape_begin(g);
    free(g->state);
    free(g->step);
    free(g->cost);
}

static double end_of(const dae_gradient *g, int steps) { return steps ? g->step[steps - 1].t : g->t0; }

/* The last step is undone: the costs at its end come from a step aside. */
static void undo(dae_gradient *g)
{
    const dae_kept_step *last = &g->step[--g->steps];
    for (int k = g->costs - 1; k >= 0 && g->cost[k].step > g->steps; k--) {
        g->cost[k].step = g->steps;
        g->cost[k].aside = *last;
        g->cost[k].is_aside = 1;
    }
}

/* The step just accepted, which begins where the last one ended, or where it began */
static dae_status keep(dae_gradient *g)
{
    dae_solver *s = g->solver;
    const dae_driver *d = driver(s);
    if (s->t_old != end_of(g, g->steps) && g->steps && s->t_old == end_of(g, g->steps - 1))
        undo(g);
    if (s->t_old != end_of(g, g->steps))
        return dae_fail(&g->a.v.report, DAE_UNSUPPORTED, "t = %.9g: a jump of algebraic unknowns has no derivatives "
                        "here", s->t_old);
    void *array = g->step;
    const int grown = grow(&array, &g->room, g->steps, sizeof *g->step);
    g->step = array;
    if (!grown)
        return no_memory(g);
    forget_states(g, g->steps);
    const double *numbers = NULL;
    int count = 0;
    const int shape = s->method->shape ? s->method->shape(s, &numbers, &count) : 0;
    g->numbers = count > g->numbers ? count : g->numbers;
    if (g->steps % g->stride == 0)
        thin(g);
    const dae_status status = g->steps % g->stride == 0 ? keep_state(g, numbers, count) : DAE_OK;
    g->step[g->steps++] = (dae_kept_step){.t = s->t, .size = s->adaptive ? d->proposed : s->options.step,
                                          .cut = d->was_cut || d->was_cut_before, .shape = shape};
    memcpy(g->own, s->u, (size_t)s->n * sizeof *g->own);
    return status;
}

void dae_tape_keep(void *gradient)
{
    dae_gradient *g = gradient;
    if (g->status)
        return;
    g->status = dae_gradient_follows(g);
    if (!g->status)
        g->status = keep(g);
}

dae_kept_cost *dae_tape_cost(dae_gradient *g)
{
    void *array = g->cost;
    const int grown = grow(&array, &g->cost_room, g->costs, sizeof *g->cost);
    g->cost = array;
    if (!grown)
        return no_memory(g), NULL;
    dae_kept_cost *cost = g->cost + g->costs;
    *cost = (dae_kept_cost){.step = g->steps};
    if (!DAE_PARTS(cost, DAE_PART(dae_kept_cost, u, g->a.v.n + 1), DAE_PART(dae_kept_cost, p, g->a.v.count)))
        return no_memory(g), NULL;
    g->costs++;
    return cost;
}
