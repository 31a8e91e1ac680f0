/* drift_report.h - drift as tables */
#ifndef DAELAB_DRIFT_REPORT_H
#define DAELAB_DRIFT_REPORT_H

#include "report/heading.h"
#include "study/drift.h"

/* The result in tables and notes; NULL where memory is short. */
document *drift_report(const drift_result *r);

#endif
