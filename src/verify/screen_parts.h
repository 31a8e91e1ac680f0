/* screen_parts.h - what the parts of a look at a model have in common */
#ifndef DAE_SCREEN_PARTS_H
#define DAE_SCREEN_PARTS_H

#include "subject.h"

#include <stdint.h>

typedef struct {
    dae_subject *s;
    const dae_mechanical *e;
    const double *p;
    int nq, nl, holonomic, ns, most;
    double t;
    uint64_t random;
    int suspect;                /* 1: some numbers differ */
    double *w, *b, *x, *y, *z;  /* [most] directions, and results */
    double *q, *v, *a, *lambda; /* a state */
    dae_dual *dq, *dv, *da, *out;       /* [most] */
    double *memory;
    dae_dual *duals;
} screen;

/* x and y differ by more than a small part of both, and of size: suspect := 1 */
void dae_screen_compare(screen *c, double x, double y, double size);

/* Each function in all of its passes; 0 where memory is short. */
int dae_screen_passes(screen *c);

#endif
