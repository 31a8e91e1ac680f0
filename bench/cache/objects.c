#include "cache/objects.h"

#include <stdint.h>

void object_add(object_functions *f, object_function *at)
{
    if (at && f->count < MOST_FUNCTIONS)
        f->at[f->count++] = at;
}

#define ADD(map) (object_add(f, (object_function *)(map).f), object_add(f, (object_function *)(map).quad))

static void add_mechanical(object_functions *f, const dae_mechanical *m)
{
    ADD(m->inertia), ADD(m->force), ADD(m->constraint), ADD(m->rate), ADD(m->acceleration);
    ADD(m->reaction), ADD(m->energy);
    ADD(m->minimal.acceleration), ADD(m->minimal.embed), ADD(m->minimal.chart);
    object_add(f, (object_function *)m->partials);
}

void object_add_model(object_functions *f, const dae_problem *problem)
{
    const dae_first_order *first = &problem->first_order;
    add_mechanical(f, &problem->mechanical);
    ADD(first->mass), ADD(first->rhs), ADD(first->reduced), ADD(first->exact);
    ADD(problem->invariants.value);
    object_add(f, (object_function *)first->jacobian);
    ADD(problem->start);
}

void object_add_method(object_functions *f, const dae_method *method)
{
    object_function *const all[] = {
        (object_function *)method->supports, (object_function *)method->create, (object_function *)method->start,
        (object_function *)method->follow, (object_function *)method->step, (object_function *)method->accepted,
        (object_function *)method->moved, (object_function *)method->refine,
        (object_function *)method->interpolate, (object_function *)method->watch,
        (object_function *)method->destroy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        object_add(f, all[i]);
}

typedef struct {
    const object_functions *functions;
    char found[MOST_FUNCTIONS];
    object_visit *visit;
    void *context;
} search;

static int holds(const platform_segment *segment, uintptr_t at)
{
    const uintptr_t begin = (uintptr_t)segment->begin;
    return segment->loaded && at >= begin && at - begin < segment->size;
}

static int look(const platform_object *object, void *context)
{
    search *s = context;
    platform_segment segment;
    int holds_any = 0;
    for (int k = 0; k < s->functions->count; k++)
        for (int i = 0; !s->found[k] && platform_segment_of(object, i, &segment); i++)
            if (holds(&segment, (uintptr_t)s->functions->at[k]))
                holds_any = s->found[k] = 1;
    if (holds_any)
        s->visit(object, s->context);
    return 0;
}

int objects_holding(const object_functions *f, object_visit *visit, void *context)
{
    search s = {.functions = f, .visit = visit, .context = context};
    platform_objects(look, &s);
    for (int k = 0; k < f->count; k++)
        if (!s.found[k])
            return 0;
    return 1;
}
