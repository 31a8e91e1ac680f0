/* scale_report.h - cost against size as tables and JSON */
#ifndef DAELAB_SCALE_REPORT_H
#define DAELAB_SCALE_REPORT_H

#include "report/heading.h"
#include "study/scale.h"

/* The result in tables, JSON and notes, for people or for files; NULL where memory is short. */
document *scale_report(const scale_result *r, int people);

/* Parts of the report. */
grid *scale_point_grid(const report_view *view, const scale_pair *pairs, int count);
grid *scale_fit_grid(const report_view *view, const scale_pair *pairs, int count);
json_t *scale_pair_json(const report_view *view, const scale_pair *pair);

#endif
