/* scale_plot.c - the picture of a scaling study: a step, a solve, memory against size, log-log */
#include "plots/plots.h"

#include "picture/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = 3 };

typedef struct {
    char label[48];
    double x[MAX_VALUES], y[PANELS][MAX_VALUES];
} curve_data;

static const struct { scale_quantity q; const char *title, *ylabel; double unit; }
    shown[PANELS] = {
        {SCALE_STEP, "one step", "time [s]", 1},
        {SCALE_SOLVE, "one solve", "time [s]", 1},
        {SCALE_HELD, "memory held after the solve", "memory [MB]", 1e6},
    };

/* One form: the method is label enough. */
static void fill(const study_specification *o, const scale_pair *pair, curve_data *d)
{
    if (o->forms > 1)
        snprintf(d->label, sizeof d->label, "%s %s", dae_formulation_describe(pair->form).name,
                 pair->info.name);
    else
        snprintf(d->label, sizeof d->label, "%s", pair->info.name);
    for (int k = 0; k < pair->points; k++) {
        d->x[k] = pair->point[k].value;
        for (int i = 0; i < PANELS; i++)
            d->y[i][k] = scale_value(o, &pair->point[k], shown[i].q) / shown[i].unit;
    }
}

/* y = y_0 x/x_0 below the curves: through half the least of what the largest sizes say. */
static void guide(const study_specification *o, int panel, const scale_pair *pairs, int count,
                  const curve_data *data, double *x, double *y)
{
    double constant = NAN;
    x[0] = o->value[0];
    x[1] = o->value[o->values - 1];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < pairs[i].points; k++) {
            const double c = data[i].y[panel][k] / data[i].x[k];
            if (c > 0)
                constant = fmin(constant, c);
        }
    y[0] = constant * x[0] / 2;
    y[1] = constant * x[1] / 2;
}

dae_status scale_plot(const scale_result *r, const char *path, dae_report *report)
{
    const study_specification *o = &r->spec;
    const scale_pair *pairs = r->pairs;
    const int count = r->count;
    const int curves = count + 1;
    char title[160], varied[STUDY_NAME];
    double x[PANELS][2], y[PANELS][2];
    plot_panel panels[PANELS];
    plot_curve *curve = calloc((size_t)(PANELS * curves), sizeof *curve);
    curve_data *data = calloc((size_t)curves, sizeof *data);
    dae_status status = DAE_NO_MEMORY;
    snprintf(title, sizeof title, "%s: cost against %s", o->run.problem->name,
             study_varied_name(o, varied));
    if (curve && data) {
        for (int i = 0; i < count; i++)
            fill(o, &pairs[i], &data[i]);
        for (int k = 0; k < PANELS; k++) {
            plot_curve *c = &curve[k * curves];
            for (int i = 0; i < count; i++)
                c[i] = (plot_curve){data[i].label, PLOT_LINE, pairs[i].points, data[i].x,
                                    data[i].y[k]};
            guide(o, k, pairs, count, data, x[k], y[k]);
            c[count] = (plot_curve){"slope 1", PLOT_GUIDE, 2, x[k], y[k]};
            panels[k] = (plot_panel){shown[k].title, study_varied_name(o, varied),
                                     shown[k].ylabel, 1, 1, curves, c};
        }
        status = plot_write(path, title, panels, PANELS, PANELS, report);
    } else {
        dae_fail(report, status, "no memory for the plot");
    }
    free(curve);
    free(data);
    return status;
}
