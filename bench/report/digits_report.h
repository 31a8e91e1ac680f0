/* digits_report.h - the correct digits (mescd) of many problems in one table */
#ifndef DAELAB_DIGITS_REPORT_H
#define DAELAB_DIGITS_REPORT_H

#include "report/heading.h"
#include "study/work.h"

/* A row for each problem, formulation and tolerance, a column for each method of the specification. A cell that
 * is no number is the status of its run, "no reference", or why there is no run. */
table *digits_grid(const study_specification *o);

/* The rows of a result, and the reasons of what failed in it as remarks. */
void digits_add(table *g, document *doc, const work_result *r);

/* A row without runs: of a problem whose study could not begin. */
void digits_add_failed(table *g, document *doc, const study_specification *o, const dae_report *why);

/* Below the table: what its numbers are. */
void digits_note(document *doc, const study_specification *o);

#endif
