/* table.c - table.def as an array */
#include "problems.h"

#include <stddef.h>

#define DAE_PROBLEM(record) extern const dae_problem record;
#include "table.def"
#undef DAE_PROBLEM

const dae_problem *const dae_problems[] = {
#define DAE_PROBLEM(record) &record,
#include "table.def"
#undef DAE_PROBLEM
    NULL
};
