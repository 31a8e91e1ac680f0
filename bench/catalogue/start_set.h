/* start_set.h - a problem that starts elsewhere: some of its unknowns begin at values that were given */
#ifndef DAELAB_START_SET_H
#define DAELAB_START_SET_H

#include <daelab/problem.h>

enum { MOST_SET = 64 };

/* Unknown `at` of (q, v, lambda) or u begins at value. */
typedef struct { int at; double value; } set_value;

/* A copy of the problem that begins there, the same one each time; words name the values, "x(t0)=0.1 vx(t0)=0". NULL
 * where there are more copies than a program has room for. */
const dae_problem *start_set(const dae_problem *problem, const set_value *values, int count, const char *words);

/* Of such a copy the problem that it was made of, and these words; of any other problem itself, and "". */
const dae_problem *start_set_origin(const dae_problem *problem);
const char *start_set_words(const dae_problem *problem);

/* The values themselves, as long as the program runs; how many. */
int start_set_values(const dae_problem *problem, const set_value **values);

#endif
