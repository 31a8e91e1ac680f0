/* converge_plot.c - the picture of a convergence study: error against step or cost, log-log */
#include "plots/plots.h"

#include "picture/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = 2 * DAE_CLASSES };

typedef struct {
    char title[64];
    plot_curve curve[CURVES];
    double x[CURVES][MAX_LEVELS], y[CURVES][MAX_LEVELS];
    char label[CURVES][24];
    int curves;
} panel_data;

/* The errors of one class; failed levels are left out as NaN. */
static void error_curve(panel_data *p, const converge_curve *c, dae_class k)
{
    const int i = p->curves++, count = c->levels;
    for (int l = 0; l < count; l++) {
        const run_result *r = &c->runs[l];
        p->x[i][l] = c->subject.tolerances ? (double)r->count.rhs : r->step;
        p->y[i][l] = r->status ? NAN : r->error[k];
    }
    p->curve[i] = (plot_curve){run_class_names[k], PLOT_LINE, count, p->x[i], p->y[i]};
}

/* e = e_0 (h/h_0)^p through half the first error of a class of declared order p. */
static void guide(panel_data *p, const converge_curve *c, dae_class k)
{
    const double order = c->order[k].declared;
    const run_result *first = &c->runs[0], *last = &c->runs[c->levels - 1];
    if (!(order > 0) || first->status || !(first->error[k] > 0) || p->curves == CURVES)
        return;
    for (dae_class other = 0; other < k; other++)
        if (c->order[other].declared == order && first->error[other] > 0)
            return;                                     /* that slope is drawn */
    const int i = p->curves++;
    p->x[i][0] = first->step;
    p->x[i][1] = last->step;
    p->y[i][0] = first->error[k] / 2;
    p->y[i][1] = p->y[i][0] * pow(last->step / first->step, order);
    snprintf(p->label[i], sizeof p->label[i], "slope %g", order);
    p->curve[i] = (plot_curve){p->label[i], PLOT_GUIDE, 2, p->x[i], p->y[i]};
}

static void fill(const study_specification *s, panel_data *p, plot_panel *panel, const converge_curve *c)
{
    snprintf(p->title, sizeof p->title, "%s, %s", dae_formulation_describe(c->subject.form).name,
             c->info.name);
    if (s->values) {
        char varied[STUDY_NAME];
        const size_t end = strlen(p->title);
        snprintf(p->title + end, sizeof p->title - end, ", %s = %g",
                 study_varied_name(s, varied), c->value);
    }
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(s->run.problem, k) && !isnan(c->order[k].error))
            error_curve(p, c, k);
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(s->run.problem, k))
            guide(p, c, k);
    *panel = (plot_panel){p->title, c->subject.tolerances ? "evaluations of F" : "step", "error", 1,
                          1, p->curves, p->curve};
}

dae_status converge_plot(const converge_result *r, const char *path, dae_report *report)
{
    const int count = r->count;
    char title[128];
    panel_data *data = calloc((size_t)count, sizeof *data);
    plot_panel *panels = calloc((size_t)count, sizeof *panels);
    dae_status status = DAE_NO_MEMORY;
    snprintf(title, sizeof title, "%s: error at t = %g", r->spec.run.problem->name, r->s[0].t_end);
    if (data && panels) {
        for (int i = 0; i < count; i++)
            fill(&r->spec, &data[i], &panels[i], &r->curves[i]);
        status = plot_write(path, title, panels, count, count < 3 ? count : 3, report);
    } else {
        dae_fail(report, status, "no memory for the plot");
    }
    free(data);
    free(panels);
    return status;
}
