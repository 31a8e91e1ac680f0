/* match.h - rows of two tables that are of the same run */
#ifndef DAELAB_COMPARE_MATCH_H
#define DAELAB_COMPARE_MATCH_H

#include "output/table.h"

/* The columns of a row that say which run it is of, with their values, but for those that `without` (NULL: none) names:
 * equal texts are equal runs. To be freed; NULL where memory is short. */
char *match_key(const char *name, const table *t, int row, int (*without)(const char *column));

/* partner[rows of after] := the row of before that is of the same run, by all columns that say which it is, those with
 * the same settings in their order; of those that are left, by all but what the programs chose themselves; -1 where
 * there is none. left[rows of before] := 1 for those that have no partner.
 * Both to be freed. 0 where memory is short. */
int match_rows(const char *name, const table *before, const table *after, int **partner, char **left);

#endif
