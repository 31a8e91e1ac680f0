/* check_report.h - what a check of a model has looked at and found, as a document */
#ifndef DAELAB_CHECK_REPORT_H
#define DAELAB_CHECK_REPORT_H

#include "report/document.h"
#include "study/check.h"
#include "study/specification.h"

/* One problem, a line for each function; NULL: no memory. */
document *check_report(const check_result *r);

/* A line for each problem. */
document *check_summary(const check_result *results, int count);

#endif
