/* tidy.h - the results of studies as tidy tables: docs/results.md lists them
 *
 * Each table is a file, which takes from the result of one item what it is about. All rows begin with the same
 * columns, tidy_begin_row, and runs have the same numbers in all tables.
 */
#ifndef DAELAB_TIDY_H
#define DAELAB_TIDY_H

#include "tidy/dataset.h"
#include "study/plan.h"

/* All that was measured of a plan. */
dataset *tidy_dataset(const study_plan *plan);

/* The table of this name as one item has it, in which a rule stands above each curve; to be freed, without rows where
 * it has none. */
table *tidy_rows(const study_item *item, const char *name);

/* Which runs each study has, titles of its drifts, the axes of its picture: [{"part", "problem", "first", "count",
 * "drifts", "axes"}] */
json_t *tidy_items(const study_plan *plan);

/* What pictures show of a plan beyond its tables: {"items": of tidy_items,
 *  "tables": {"trajectory": all rows of solutions with the ways of bodies, "unknowns": their columns, "shapes": walls
 *  at the end, links at the start and at the end}} */
json_t *tidy_drawn(const study_plan *plan);

/* A ladder of runs by one formulation and method, of a study of converge or work; what it points to is the result's. */
typedef struct {
    const run_setting *setting;
    const study *study;
    const dae_formulation *form;
    const dae_method *method;
    const char *name;           /* of the method */
    int tolerances;             /* the levels are tolerances, not steps */
    int levels;
    const run_result *runs;     /* [levels] of converge; of work points */
    const work_point *points;
    const order_result *order;  /* [ORDER_CLASSES]; of work verdict NULL: none */
} tidy_curve;
int tidy_curves(const study_item *item);
tidy_curve tidy_curve_at(const study_item *item, int i);
const run_result *tidy_curve_result(const tidy_curve *c, int level);

/* The names of all tables that there may be; how many. */
int tidy_table_names(const char *names[MAX_TABLES]);

/* The table that a command is about: "runs", "work", ... */
const char *tidy_main_table(study_kind kind);

#endif
