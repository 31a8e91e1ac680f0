/* converge_report.h - a convergence study as tables and JSON */
#ifndef DAELAB_CONVERGE_REPORT_H
#define DAELAB_CONVERGE_REPORT_H

#include "report/heading.h"
#include "study/converge.h"

/* The result in tables, JSON and notes, for people or for files; NULL where memory is short. */
document *converge_report(const converge_result *r, int people);

/* Parts of the report. */
grid *converge_level_grid(const report_view *view, const converge_curve *curves, int count);
json_t *converge_json(const report_view *view, const converge_curve *curve);

#endif
