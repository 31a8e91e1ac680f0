/* plots.c - studies of one kind in one picture */
#include "plots/plots.h"

#include <stdlib.h>

static dae_status write_kind(study_kind kind, const void *const *results, int count, plot_file *to,
                             dae_report *report)
{
    switch (kind) {
    case STUDY_SOLVE: return solve_plots((const solve_result *const *)results, count, to, report);
    case STUDY_CONVERGE: return converge_plots((const converge_result *const *)results, count, to, report);
    case STUDY_DRIFT: return drift_plots((const drift_result *const *)results, count, to, report);
    case STUDY_WORK: return work_plots((const work_result *const *)results, count, to, report);
    default: return scale_plots((const scale_result *const *)results, count, to, report);
    }
}

dae_status plots_write(const study_item *const *items, int count, plot_file *to, dae_report *report)
{
    const void **results = calloc((size_t)count + 1, sizeof *results);
    int there = 0;
    if (!results)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the plot");
    for (int i = 0; i < count; i++)
        if (items[i]->run && items[i]->status >= 0 && items[i]->kind == items[0]->kind)
            results[there++] = &items[i]->result;       /* a union: its members begin where it does */
    const dae_status status = there ? write_kind(items[0]->kind, results, there, to, report)
                              : dae_fail(report, DAE_BAD_ARGUMENT, "%s: there is nothing to draw", to->path);
    free(results);
    return status;
}

dae_status converge_plot(const converge_result *r, plot_file *to, dae_report *report)
{
    return converge_plots(&r, 1, to, report);
}

dae_status drift_plot(const drift_result *r, plot_file *to, dae_report *report)
{
    return drift_plots(&r, 1, to, report);
}

dae_status work_plot(const work_result *r, plot_file *to, dae_report *report)
{
    return work_plots(&r, 1, to, report);
}

dae_status scale_plot(const scale_result *r, plot_file *to, dae_report *report)
{
    return scale_plots(&r, 1, to, report);
}

dae_status solve_plot(const solve_result *r, plot_file *to, dae_report *report)
{
    return solve_plots(&r, 1, to, report);
}
