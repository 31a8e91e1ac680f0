/* converge_report.h - a convergence study as tables */
#ifndef DAELAB_CONVERGE_REPORT_H
#define DAELAB_CONVERGE_REPORT_H

#include "report/heading.h"
#include "study/converge.h"

/* The result in tables and notes; NULL where memory is short. */
document *converge_report(const converge_result *r);

/* Part of it. */
table *converge_level_grid(const study_specification *o, const converge_curve *curves, int count);

#endif
