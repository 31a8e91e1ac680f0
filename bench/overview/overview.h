/* overview.h - the results of several studies as one document */
#ifndef DAELAB_OVERVIEW_H
#define DAELAB_OVERVIEW_H

#include "report/document.h"
#include "plan/plan.h"

/* Of one item its report; of several the report of each, and of benches with one setting a table of all
 * problems; of a file its parts. NULL where memory is short. */
document *overview(const study_plan *plan);

/* Part of it: the correct digits of all problems of a part with one combination of its settings. */
document *overview_digits(const study_plan *plan, const study_part *part, int setting);

/* What the options of several items have in common. */
study_specification overview_common(const study_plan *plan, const study_part *part);

#endif
