/* fastest.h - of runs that were timed the fastest that are as accurate as one asks */
#ifndef DAELAB_FASTEST_H
#define DAELAB_FASTEST_H

#include "publish/study_view.h"

/* A sentence for each problem; a table of all accuracies that were reached, where any were. */
void say_fastest(const study_view *v);
void fastest_table(const study_view *v);

#endif
