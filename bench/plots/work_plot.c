/* work_plot.c - the picture of a work-precision study: error against time, log-log */
#include "plots/plots.h"

#include "picture/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One curve's points; those that failed are left out as NaN. */
static double *fill(const study_specification *o, const work_curve *c, plot_curve *curve, double *room)
{
    double *seconds = room, *error = room + c->levels;
    for (int i = 0; i < c->levels; i++) {
        seconds[i] = work_seconds(o, &c->point[i]);
        error[i] = c->point[i].run.status ? NAN : c->point[i].run.error[o->of];
    }
    *curve = (plot_curve){c->info.name, PLOT_LINE, c->levels, seconds, error};
    return error + c->levels;
}

dae_status work_plot(const work_result *r, const char *path, dae_report *report)
{
    const study_specification *o = &r->spec;
    const work_curve *curves = r->curves;
    const int count = r->count;
    char title[160], ylabel[64];
    size_t points = 1;
    for (int i = 0; i < count; i++)
        points += (size_t)curves[i].levels;
    plot_panel panels[MAX_CHOICES];
    plot_curve *curve = calloc(count > 0 ? (size_t)count : 1, sizeof *curve);
    double *values = malloc(2 * points * sizeof *values), *room = values;
    dae_status status = DAE_NO_MEMORY;
    snprintf(title, sizeof title, "%s: work and precision at t = %g", o->run.problem->name, r->s.t_end);
    snprintf(ylabel, sizeof ylabel, "error, %s", run_class_names[o->of]);
    if (curve && values) {
        for (int i = 0; i < count; i++)
            room = fill(o, &curves[i], &curve[i], room);
        for (int f = 0; f < o->forms; f++)
            panels[f] = (plot_panel){dae_formulation_describe(o->form[f]).name, "time [s]", ylabel,
                                     1, 1, o->methods, &curve[f * o->methods]};
        status = plot_write(path, title, panels, o->forms, o->forms < 3 ? o->forms : 3, report);
    } else {
        dae_fail(report, status, "no memory for the plot");
    }
    free(curve);
    free(values);
    return status;
}
