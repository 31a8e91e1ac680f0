/* plots.h - the results of studies as pictures (picture/plot.h)
 *
 * Each answers what plot_write does, and DAE_NO_MEMORY.
 */
#ifndef DAELAB_PLOTS_H
#define DAELAB_PLOTS_H

#include "picture/plot.h"
#include "plan/plan.h"

/* Studies of one kind, of any problems and settings, in one picture. Those that could not begin are left
 * out. */
dae_status plots_write(const study_item *const *items, int count, plot_file *to, dae_report *report);

/* A panel for each problem, formulation and method, a curve for each class: error against step, or against evaluations
 * of F where steps adapt. Many of them are a grid of formulations and methods on common axes. */
dae_status converge_plot(const converge_result *r, plot_file *to, dae_report *report);
dae_status converge_plots(const converge_result *const *r, int count, plot_file *to, dae_report *report);

/* For each problem a panel for each level of the constraints, for the energy and the invariants; a curve for each
 * run. */
dae_status drift_plot(const drift_result *r, plot_file *to, dae_report *report);
dae_status drift_plots(const drift_result *const *r, int count, plot_file *to, dae_report *report);

/* A panel for each problem and formulation, a curve for each method: error against time. */
dae_status work_plot(const work_result *r, plot_file *to, dae_report *report);
dae_status work_plots(const work_result *const *r, int count, plot_file *to, dae_report *report);

/* For each problem three panels: a step, a solve, memory; a curve for each pair. */
dae_status scale_plot(const scale_result *r, plot_file *to, dae_report *report);
dae_status scale_plots(const scale_result *const *r, int count, plot_file *to, dae_report *report);

/* For each problem the classes of variables against time, and the path where it is drawn; the specification
 * asked for a picture. */
dae_status solve_plot(const solve_result *r, plot_file *to, dae_report *report);
dae_status solve_plots(const solve_result *const *r, int count, plot_file *to, dae_report *report);

#endif
