/* curves.h - figures from groups of rows: a panel for each formulation, a curve for each method */
#ifndef DAELAB_CURVES_H
#define DAELAB_CURVES_H

#include "page/page.h"
#include "gather/groups.h"

/* A column as a quantity; of those with the same column the first that has a unit counts. */
typedef struct {
    const char *column, *label;
    int log;
    unsigned sides;
    int level;                  /* also of runs that failed */
} curve_quantity;

typedef struct {
    const char *title, *caption, *command;
    int quantities, rows;
    const curve_quantity *quantity;
    const figure_row *row;
    int guides, chooses, steps;
    int tell_level;             /* the step or tolerance of each point, under the cursor */
} curve_plan;

enum { CURVES_MOST = 10 };      /* in a panel: more are drawn in several figures, each with axes of its own */

/* Figures of the groups chosen[count], which are of one part and problem. Nothing where no row of the plan
 * has a point. */
void curves_add(page *p, const row_groups *g, const int *chosen, int count, const curve_plan *plan);

#endif
