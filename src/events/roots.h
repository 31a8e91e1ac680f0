/* roots.h - zeros with change of sign of several functions g_i(t) within one step */
#ifndef DAE_ROOTS_H
#define DAE_ROOTS_H

#include "base/no_fast_math.h"
#include "daelab/description.h"
#include "daelab/status.h"

typedef struct {
    int which;                  /* function g_i */
    int direction;              /* -1 fell, 1 rose */
    double t;
    double level;               /* what g_i passes at t: 0, or its noise where it leaves an interval of zeros */
} dae_root;

/* The functions, their signs and rounding errors, and memory for the search. */
typedef struct {
    int count;
    const dae_direction *direction;     /* [count] which passages are wanted */
    /* g[count] at t in the step; each must be finite */
    dae_status (*values)(void *context, double t, double *g);
    /* noise[count] of g at t in the step, where that is more than the next; or NULL */
    dae_status (*noises)(void *context, double t, double *noise);
    void *context;
    double *noise;              /* [count] |g_i| up to this is zero; the caller sets it */
    int *side;                  /* [count] sign of g_i at the begin of a search, and after it at its
                                   end: -1, 1; 0: at zero, and has not left it yet */
    dae_root *root;             /* [room] in the order of their times, after a search */
    int roots, room;
    void *work;
} dae_roots;

/* Sets count and allocates noise and side (zeros) and room for 32 roots of each function;
 * direction, values and context are the caller's to set. After DAE_NO_MEMORY it is to be freed. */
dae_status dae_roots_create(dae_roots *roots, int count);
void dae_roots_free(dae_roots *roots);

/* For the next search: function i, whose side is 0, has left zero at t with the value g. Its side becomes the
 * sign of g, and only roots after t count. */
void dae_roots_begin(dae_roots *roots, int i, double t, double g);

/* All wanted passages in [a, b] as far as samples show them, earliest first and at the same t in
 * the order of i, each t within a few units in the last place of it, or of the smallest that g
 * resolves: where g_i is 0 or has just passed it; of an interval of zeros the end, where g_i is first beyond
 * noise. A function whose side is 0 leaves zero without passing it.
 *
 * A passage needs |g_i| > noise on both sides: one that touches zero, or crosses it by no more than
 * noise, does not pass it. What it is at b decides the next search: where |g_i(b)| is noise, side
 * stays what it was, and if g_i goes on across, the passage is found at the begin of the next
 * search (at a, where g_i(a) as computed is already across), or, with closed, at b, when its slope
 * there leads across (side is then that beyond). A passage in an unwanted direction turns side.
 *
 * Two passages close to each other are found where the search sees the curvature between them, be
 * they as close as noise allows; a bend much narrower than a quarter of the step may be overlooked.
 *
 * Fails as values does, with DAE_NOT_FINITE where a g_i is, or with DAE_NO_MEMORY where more roots
 * than room cannot be stored (no allocation before that). root and side are then of no use. */
dae_status dae_roots_find(dae_roots *roots, double a, double b, int closed);

#endif
