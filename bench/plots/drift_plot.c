/* drift_plot.c - the picture of a drift study: residuals, energy and invariants against time */
#include "plots/plots.h"

#include "picture/plot.h"

#include <stdio.h>
#include <stdlib.h>

dae_status drift_plot(const drift_result *d, const char *path, dae_report *why)
{
    char title[128];
    const drift_run *runs = d->runs;
    const int count = d->count, shown = drift_series(&d->spec);
    plot_panel panels[SERIES];
    plot_curve *curves = calloc((size_t)(count * SERIES), sizeof *curves);
    char (*label)[DRIFT_LABEL] = calloc((size_t)count, sizeof *label);
    if (!curves || !label) {
        free(curves);
        free(label);
        return dae_fail(why, DAE_NO_MEMORY, "no memory for the plot");
    }
    for (int i = 0; i < count; i++)
        drift_label(&runs[i], label[i]);
    for (int k = 0; k < shown; k++) {
        for (int i = 0; i < count; i++)
            curves[k * count + i] = (plot_curve){label[i], PLOT_LINE, runs[i].monitor.count,
                                                 runs[i].monitor.t, runs[i].monitor.value[k]};
        panels[k] = (plot_panel){drift_titles[k], "t", drift_names[k], 0, 1, count,
                                 curves + k * count};
    }
    snprintf(title, sizeof title, "%s: drift from the constraints and the energy balance",
             d->spec.run.problem->name);
    const dae_status status = plot_write(path, title, panels, shown, 2, why);
    free(curves);
    free(label);
    return status;
}
