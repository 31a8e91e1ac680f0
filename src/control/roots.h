/* roots.h - passages through zero of several functions of t within one step */
#ifndef DAE_ROOTS_H
#define DAE_ROOTS_H

#include "daelab/daelab.h"

typedef struct {
    int which;                  /* function g_i */
    int direction;              /* -1 fell, 1 rose */
    double t;
} dae_root;

/* The functions, what is known of them, and memory for the search. */
typedef struct {
    int count;
    const dae_direction *direction;     /* [count] which passages are wanted */
    /* g[count] at t in the step; each must be finite */
    dae_status (*values)(void *context, double t, double *g);
    void *context;
    double *noise;              /* [count] |g_i| up to this is zero; the caller sets it */
    int *side;                  /* [count] sign of g_i at the begin of a search, and after it at its
                                   end: -1, 1; 0: at zero, and has not left it yet */
    dae_root *root;             /* [room] in the order of their times, after a search */
    int roots, room;
    double *memory;             /* samples */
    void *work;
} dae_roots;

dae_status dae_roots_create(dae_roots *roots, int count);   /* sets count and allocates */
void dae_roots_free(dae_roots *roots);

/* All wanted passages in (a, b] as far as samples show them, earliest first, each t within a few units
 * in the last place of it, or of the smallest that g resolves. A function whose side is 0 leaves
 * zero without passing it. What it is at b decides the next search: where |g_i(b)| is noise and
 * g_i goes on across, the passage is found at the begin of the next search, or, with closed, at b.
 * Fails as values does, or with DAE_NO_MEMORY. */
dae_status dae_roots_find(dae_roots *roots, double a, double b, int closed);

#endif
