/* root_search.h - searching functions of t for passages through zero, for the tests of it */
#ifndef DAELAB_TEST_ROOT_SEARCH_H
#define DAELAB_TEST_ROOT_SEARCH_H

#include "support.h"

#include "events/roots.h"

enum { MOST = 8 };

typedef struct {
    double (*g[MOST])(const void *p, double t);
    const void *p;                      /* parameters of all */
    int calls, fail_at, not_finite_at;
    dae_roots roots;
    dae_direction direction[MOST];
} functions;

static dae_status values(void *context, double t, double *g)
{
    functions *f = context;
    f->calls++;
    if (f->calls == f->fail_at)
        return DAE_STOPPED;
    for (int i = 0; i < f->roots.count; i++)
        g[i] = f->calls == f->not_finite_at ? NAN : f->g[i](f->p, t);
    return DAE_OK;
}

static inline void make(functions *f, int count, double noise)
{
    assert_int_equal(DAE_OK, dae_roots_create(&f->roots, count));
    f->roots.direction = f->direction;
    f->roots.values = values;
    f->roots.context = f;
    for (int i = 0; i < count; i++)
        f->roots.noise[i] = noise;
}

/* The number of roots in [a, b], from the sides that are set. */
static inline int search_with(functions *f, double a, double b, int closed)
{
    f->calls = 0;
    assert_int_equal(DAE_OK, dae_roots_find(&f->roots, a, b, closed));
    for (int k = 1; k < f->roots.roots; k++)
        assert_true(f->roots.root[k - 1].t <= f->roots.root[k].t);
    return f->roots.roots;
}

static inline void begin_at(functions *f, double a)
{
    for (int i = 0; i < f->roots.count; i++) {
        const double g = f->g[i](f->p, a);
        f->roots.side[i] = (g > f->roots.noise[i]) - (g < -f->roots.noise[i]);
    }
}

typedef struct {
    int roots, calls, side;
    dae_root root[1024];
} found;

/* One function, every direction. */
static inline found search(double (*g)(const void *, double), const void *p, double noise, double a,
                    double b)
{
    functions f = {.g = {g}, .p = p};
    found x = {0};
    make(&f, 1, noise);
    begin_at(&f, a);
    x.roots = search_with(&f, a, b, 0);
    x.calls = f.calls;
    x.side = f.roots.side[0];
    assert_true(x.roots <= 1024);
    memcpy(x.root, f.roots.root, (size_t)x.roots * sizeof *x.root);
    dae_roots_free(&f.roots);
    return x;
}

static inline void expect(const found *x, int k, double t, int direction, double tolerance)
{
    assert_true(k < x->roots);
    assert_close(x->root[k].t, t, tolerance);
    assert_int_equal(direction, x->root[k].direction);
    assert_int_equal(0, x->root[k].which);
}

#endif
