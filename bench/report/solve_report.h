/* solve_report.h - one solution as tables */
#ifndef DAELAB_SOLVE_REPORT_H
#define DAELAB_SOLVE_REPORT_H

#include "report/heading.h"
#include "study/solve.h"

/* The result in words and tables; NULL where memory is short. */
document *solve_report(const solve_result *r);

/* Parts of the report: the events, their table, and notes on them and on how the
 * run ended; by how much each column differs from that of the finer run. */
void solve_report_events(document *doc, const solve_result *r);
void solve_report_estimate(document *doc, const solve_result *r);

#endif
