/* plots.h - the results of studies as pictures, drawn into path (.svg or .png) by gnuplot
 *
 * Each answers DAE_FILE where gnuplot is missing or fails or the file cannot be written, and
 * DAE_NO_MEMORY.
 */
#ifndef DAELAB_PLOTS_H
#define DAELAB_PLOTS_H

#include "study/converge.h"
#include "study/drift.h"
#include "study/scale.h"
#include "study/solve.h"
#include "study/work.h"

/* One panel for each curve, error against step, or against evaluations of F where steps adapt. */
dae_status converge_plot(const converge_result *r, const char *path, dae_report *report);

/* One panel for each level of the constraints, for the energy and the invariants; a curve for each
 * run. */
dae_status drift_plot(const drift_result *r, const char *path, dae_report *report);

/* One panel for each formulation, error against time. */
dae_status work_plot(const work_result *r, const char *path, dae_report *report);

/* Three panels: a step, a solve, memory; a curve for each pair. */
dae_status scale_plot(const scale_result *r, const char *path, dae_report *report);

/* The classes of variables against time, and the path where the problem is drawn; the specification
 * asked for a picture. */
dae_status solve_plot(const solve_result *r, const char *path, dae_report *report);

#endif
