/* drift_plot.c - the picture of a drift study: residuals, energy and invariants against time */
#include "plots/plots.h"

#include "picture/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Has some run values of series k? */
static int is_seen(const drift_result *d, int k)
{
    for (int i = 0; i < d->count; i++)
        for (int j = 0; j < d->runs[i].monitor.count; j++)
            if (isfinite(d->runs[i].monitor.value[k][j]))
                return 1;
    return 0;
}

dae_status drift_plot(const drift_result *d, const char *path, dae_report *why)
{
    char title[128];
    const drift_run *runs = d->runs;
    const int count = d->count, series = drift_series(&d->spec);
    int shown = 0, seen = 0;
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
    for (int k = 0; k < series; k++)
        seen += is_seen(d, k);
    for (int k = 0; k < series; k++) {
        if (seen && !is_seen(d, k))
            continue;
        for (int i = 0; i < count; i++)
            curves[shown * count + i] = (plot_curve){label[i], PLOT_LINE, runs[i].monitor.count,
                                                 runs[i].monitor.t, runs[i].monitor.value[k]};
        panels[shown] = (plot_panel){drift_title(d->spec.run.problem, k), "t", drift_names[k], 0, 1, count,
                                     curves + shown * count};
        shown++;
    }
    snprintf(title, sizeof title, "%s: drift from the constraints and the energy balance",
             d->spec.run.problem->name);
    const dae_status status = plot_write(path, title, panels, shown, 2, why);
    free(curves);
    free(label);
    return status;
}
