/* stencil.h - the reference of du/dp: differences of references at neighbours of p */
#ifndef DAELAB_STENCIL_H
#define DAELAB_STENCIL_H

#include "run/run.h"

/* s->along, of a study that has begun, with a reference; or s->along_why there is none, which is no failure. Negative
 * where the study was stopped before. */
dae_status stencil_begin(study *s, double limit, dae_report *report);
void stencil_end(study *s);

enum { STENCIL_POINTS = 6 };

/* Errors of |p| du/dp are differences of errors at neighbours of p. A larger d changes them by a part d^4 of them, and
 * leaves less rounding: so s->errors is made with a d of its own.
 *
 * A neighbour of p: the setting and the start of runs there, and how much their states are of |p| du/dp, and of what is
 * not known of it. */
typedef struct {
    run_setting setting;
    double *parameters;         /* those of the setting; to be freed */
    const dae_quad *from;       /* a state of the first formulation */
    dae_quad in, in_wrong;
} stencil_point;

/* Number point of the neighbours that s->errors.along[i] is made of. */
stencil_point stencil_at(const study *s, int i, int point);

/* to += factor x, so many rows. */
void stencil_add(dae_reference *to, const dae_reference *x, int rows, dae_quad factor);

/* Of the shape of x, all 0. */
dae_reference stencil_zero(const dae_reference *x, int rows);

#endif
