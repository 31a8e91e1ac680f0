/* work_report.h - work and precision as tables and JSON */
#ifndef DAELAB_WORK_REPORT_H
#define DAELAB_WORK_REPORT_H

#include "report/heading.h"
#include "study/work.h"

/* The result in tables, JSON and notes, for people or for files; NULL where memory is short. */
document *work_report(const work_result *r, int people);

/* Parts of the report. */
grid *work_point_grid(const report_view *view, const work_curve *curves, int count);
grid *work_at_grid(const report_view *view, const work_curve *curves, int count);
json_t *work_curve_json(const report_view *view, const work_curve *c);
json_t *work_at_json(const report_view *view, const work_curve *curves, int count);

/* Of several problems: one row for each point of the curves of each. */
grid *work_summary_new(void);
void work_summary_add(grid *summary, const work_result *r);

#endif
