/* groups.h - the rows of a tidy table that are one curve */
#ifndef DAELAB_GROUPS_H
#define DAELAB_GROUPS_H

#include "output/table.h"
#include "page/arena.h"

/* Rows of one problem in one formulation by one method with one value of each setting, in their order. */
typedef struct {
    const char *part, *problem, *form, *method;
    const char *label;          /* the method, with the settings in which groups of the same formulation and
                                   method differ: "cros project=position" */
    int by_rtol;                /* its levels are tolerances, not steps */
    int like;                   /* a row that has its settings */
    int count, *row;
} row_group;

typedef struct {
    const table *table;
    int count;
    row_group *group;           /* in the order of their first rows */
} row_groups;

/* levels: rows of several steps, tolerances or values (a column `value`) are one group; otherwise each has its
 * own. t NULL: none. */
row_groups groups_of(const table *t, int levels, arena *memory);

/* Is it of the part and the problem of another? */
int group_beside(const row_group *a, const row_group *b);

/* The first group of each part and problem: the index of the next one from `from` on, or count. */
int groups_next(const row_groups *g, int from);

/* The group of other groups that has this one's part, problem, formulation and label; NULL: none. */
const row_group *groups_match(const row_groups *among, const row_group *g);

/* Two texts, or none. */
int same_text(const char *a, const char *b);

/* Cells by name; NULL, or "" for text_or_empty, and NaN where there is none. */
const char *row_text(const table *t, int row, const char *column);
const char *row_text_or_empty(const table *t, int row, const char *column);
double row_number(const table *t, int row, const char *column);

/* Has the run of this row failed? Where it has, why. */
int row_failed(const table *t, int row);

#endif
