/* drawn.h - what pictures show of a plan beyond its tables */
#ifndef DAELAB_DRAWN_H
#define DAELAB_DRAWN_H

#include "plan/plan.h"

/* {"items": which runs each study has, titles of its drifts, the axes of its picture,
 *  "tables": {"trajectory": all rows of solutions with the ways of bodies, "unknowns": their columns, "shapes": walls
 *  at the end, links at the start and at the end}}. NULL where memory is short. */
json_t *tidy_drawn(const study_plan *plan);

#endif
