/* problems.h - the problems of table.def, ending with NULL */
#ifndef DAE_PROBLEMS_H
#define DAE_PROBLEMS_H

#include <daelab/problem.h>

extern const dae_problem *const dae_problems[];

#endif
