/* enum_order.h - do the constants that name parameters in a source stand in the order of the table? */
#ifndef DAELAB_ENUM_ORDER_H
#define DAELAB_ENUM_ORDER_H

#include <daelab/check.h>
#include <daelab/problem.h>

/* 1 with what is found of the source at path, where all constants of one of its enums are names of parameters of the
 * problem, and one is in the place of another: p[M] then is not m. */
int enum_order(const char *path, const dae_problem *problem, dae_finding *found);

#endif
