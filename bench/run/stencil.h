/* stencil.h - the reference of du/dp: differences of references at neighbours of p */
#ifndef DAELAB_STENCIL_H
#define DAELAB_STENCIL_H

#include "run/run.h"

/* s->along, of a study that has begun, with a reference; or s->along_why there is none, which is no failure. Negative
 * where the study was stopped before. */
dae_status stencil_begin(study *s, double limit, dae_report *report);
void stencil_end(study *s);

#endif
