/* scale_report.h - cost against size as tables */
#ifndef DAELAB_SCALE_REPORT_H
#define DAELAB_SCALE_REPORT_H

#include "report/heading.h"
#include "study/scale.h"

/* The result in tables and notes; NULL where memory is short. */
document *scale_report(const scale_result *r);

/* Parts of the report. */
table *scale_point_grid(const study_specification *o, const scale_pair *pairs, int count);
table *scale_fit_grid(const study_specification *o, const scale_pair *pairs, int count);

#endif
