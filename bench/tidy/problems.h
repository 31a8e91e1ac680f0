/* problems.h - what the problems of a plan are, for the provenance */
#ifndef DAELAB_TIDY_PROBLEMS_H
#define DAELAB_TIDY_PROBLEMS_H

#include "tidy/dataset.h"
#include "plan/plan.h"

/* What made the results, with the problems: hashes of equations, object code and files; names, units and classes of
 * variables. 0 where memory is short. */
int tidy_provenance(dataset *d, const study_plan *plan);

#endif
