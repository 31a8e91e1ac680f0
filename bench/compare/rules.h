/* rules.h - which columns of a table say which run a row is of, and what of it is compared */
#ifndef DAELAB_COMPARE_RULES_H
#define DAELAB_COMPARE_RULES_H

#include "compare/compare.h"

/* Does the column say which run, class, size, ... a row of this table is of? */
int rule_is_key(const char *of_table, const char *column);

/* Of the columns of rule_is_key: is it one by which the runs of one curve differ? Is it one that the program may have
 * chosen itself, another version otherwise? */
int rule_is_level(const char *column);
int rule_is_choice(const char *column);

/* Is the column compared, as what? */
int rule_compares(const char *of_table, const char *column, quantity_kind *quantity);

/* The columns with the quartiles of a time, and the number of rounds or else repeats that they are of; 0 where it has
 * none. */
typedef struct { const char *median, *lower, *upper, *rounds, *repeats; } time_columns;
int rule_time(const char *of_table, const char *column, time_columns *of);

#endif
