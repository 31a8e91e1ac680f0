#include "cache/objects.h"

#include <stdint.h>
#include <string.h>

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
        (object_function *)method->interpolate, (object_function *)method->destroy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        object_add(f, all[i]);
}

enum { MOST_NEEDED = 256 };

/* Names of objects that others were linked with, each once. */
typedef struct {
    const char *name[MOST_NEEDED];
    int count, too_many;
} needed_objects;

static void need(needed_objects *n, const char *name)
{
    for (int k = 0; k < n->count; k++)
        if (strcmp(n->name[k], name) == 0)
            return;
    if (n->count < MOST_NEEDED)
        n->name[n->count++] = name;
    else
        n->too_many = 1;
}

static void need_all(needed_objects *n, const platform_object *object)
{
    const char *name;
    for (int k = 0; *object->name && (name = platform_needs(object, k)) != NULL; k++)
        need(n, name);
}

typedef struct {
    const object_functions *functions;
    char found[MOST_FUNCTIONS];
    object_visit *visit;
    void *context;
    needed_objects needed;
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
    if (holds_any) {
        need_all(&s->needed, object);
        s->visit(object, s->context);
    }
    return 0;
}

typedef struct { search *search; const char *name; } named_object;

static int look_at_named(const platform_object *object, void *context)
{
    const named_object *n = context;
    const char *slash = strrchr(object->name, '/');
    if (strcmp(slash ? slash + 1 : object->name, n->name) != 0)
        return 0;
    need_all(&n->search->needed, object);
    n->search->visit(object, n->search->context);
    return 1;
}

int objects_holding(const object_functions *f, object_visit *visit, void *context)
{
    search s = {.functions = f, .visit = visit, .context = context};
    platform_objects(look, &s);
    for (int k = 0; k < f->count; k++)
        if (!s.found[k])
            return 0;
    for (int k = 0; k < s.needed.count; k++)            /* grows meanwhile */
        platform_objects(look_at_named, &(named_object){&s, s.needed.name[k]});
    return !s.needed.too_many;
}
