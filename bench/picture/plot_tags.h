/* plot_tags.h - which words beside points are written: those that do not lie on others */
#ifndef DAELAB_PLOT_TAGS_H
#define DAELAB_PLOT_TAGS_H

#include "picture/plot_layout.h"

/* The size of a tag in letters. */
#define PLOT_TAG 0.75

/* Does the tag of a point stand to its left, as there is no room at its right? */
int plot_tag_left(const plot_place *at, double em, const plot_curve *c, int i);

/* Is the tag of point i of curve k of a panel written, in letters of em? */
int plot_tagged(const plot_place *at, double em, int k, int i);

#endif
