/* growth.h - the laws by which drifts grow */
#ifndef DAELAB_PUBLISH_GROWTH_H
#define DAELAB_PUBLISH_GROWTH_H

#include "publish/study_view.h"

/* A sentence for each problem; a table for each, runs by quantities. */
void say_growth(const study_view *v);
void growth_tables(const study_view *v);

#endif
