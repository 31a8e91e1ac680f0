/* bench_problems.h - daelab bench of one problem, and of several */
#ifndef DAELAB_BENCH_PROBLEMS_H
#define DAELAB_BENCH_PROBLEMS_H

#include "cli/options.h"
#include "report/work_report.h"

/* Defaults of the options' one problem; an exit status, having complained of what does not fit. */
int bench_prepare(cli_options *options);

/* Run its curves: its result in *doc, NULL where it could not begin, and its rows in the summary
 * (or NULL). An exit status, having complained. */
int bench_problem(const cli_options *prepared, grid *summary, document **doc);

/* What is the same for all problems of a list: alpha and beta are NaN where each problem has its own. */
study_specification bench_common(const cli_options *given, const study_specification *of_first);

/* Prepare and run each problem of the list that is the options' subject, as parts of one result. */
int bench_problems(const cli_options *given, document **doc);

#endif
