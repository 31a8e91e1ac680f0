/* drift_plot.c - the picture of drift studies: residuals, energy and invariants against time */
#include "plots/plots.h"

#include "measure/time_unit.h"
#include "picture/plot_axis.h"
#include "plots/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has some run values of series k? */
static int is_seen(const drift_result *d, int k)
{
    for (int i = 0; i < d->count; i++)
        for (int j = 0; j < d->runs[i].monitor.count; j++)
            if (isfinite(d->runs[i].monitor.value[k][j]))
                return 1;
    return 0;
}

/* A running maximum, from the first value that there is. */
static double *running(plot_sheet *s, const double *y, int count)
{
    double *most = sheet_numbers(s, count), last = NAN;
    for (int i = 0; most && i < count; i++)
        most[i] = isnan(y[i]) ? NAN : (last = fmax(last, y[i]));
    return most;
}

/* The last point of a curve of a run that failed; above the picture where it has left that. */
static void failure(plot_sheet *s, const char *label, const monitor *m, const double *y)
{
    double *x = sheet_numbers(s, 1), *top = sheet_numbers(s, 1);
    for (int i = 0; x && top && i < m->count; i++)
        if (isfinite(m->t[i])) {
            x[0] = m->t[i];
            top[0] = plot_drawable(y[i], 1) ? y[i] : NAN;
        }
    if (x && isfinite(x[0]))
        sheet_curve(s, (plot_curve){label, PLOT_CROSS, 1, x, top, NULL});
}

/* Runs that fail may grow until numbers end, and leave no room for others: so far they are shown above the least
 * value. */
static const double reach = 1e30;

static double ceiling(const drift_result *d, int k)
{
    double least = INFINITY;
    for (int i = 0; i < d->count; i++)
        for (int j = 0; j < d->runs[i].monitor.count; j++)
            if (plot_drawable(d->runs[i].monitor.value[k][j], 1))
                least = fmin(least, d->runs[i].monitor.value[k][j]);
    return reach * least;
}

static void draw_panel(plot_sheet *s, const drift_result *d, const char *const *label, const dae_formulation *form,
                       int k)
{
    const double above = ceiling(d, k);
    const dae_problem *problem = d->spec.run.problem;
    char time[TIME_TITLE];
    sheet_panel(s, (plot_panel){.title = drift_title(problem, k),
                                .xlabel = sheet_text(s, "%s", time_title(problem, "t", time)),
                                .ylabel = "largest so far", .log_y = 1});
    for (int i = 0; i < d->count; i++) {
        const monitor *m = &d->runs[i].monitor;
        if (!m->count || (form && d->runs[i].form != form))
            continue;
        double *y = running(s, m->value[k], m->count);
        for (int j = 0; y && j < m->count; j++)
            y[j] = y[j] > above ? NAN : y[j];
        sheet_curve(s, (plot_curve){label[i], PLOT_LINE, m->count, m->t, y, NULL});
        if (y && d->runs[i].run.status)
            failure(s, label[i], m, y);
    }
}

/* Of more runs than can be told apart the formulations have a page each, where the method is label enough. */
enum { MANY = 24 };

static const char **labels_of(plot_sheet *s, const drift_result *d, int apart)
{
    const char **label = sheet_words(s, d->count);
    char text[DRIFT_LABEL];
    for (int i = 0; label && i < d->count; i++) {
        const size_t form = strlen(dae_formulation_describe(d->runs[i].form).name);
        drift_label(&d->runs[i], text);
        label[i] = sheet_text(s, "%s", apart ? text + form + 1 : text);
    }
    return label;
}

/* One page: of one formulation, or all (NULL). */
static void draw_page(plot_sheet *s, const drift_result *d, const char *subject, const char *const *label,
                      const dae_formulation *form)
{
    const int series = drift_series(&d->spec);
    int seen = 0;
    for (int k = 0; k < series; k++)
        seen += is_seen(d, k);
    sheet_figure(s, sheet_text(s, "%s%s%s: drift from the constraints and the energy balance", subject,
                               form ? ", " : "", form ? dae_formulation_describe(form).name : ""), 2);
    for (int k = 0; k < series; k++)
        if (!seen || is_seen(d, k))
            draw_panel(s, d, label, form, k);
    for (int i = 0; i < d->count; i++)
        if (d->runs[i].run.status && d->runs[i].run.status != DAE_UNSUPPORTED && (!form || d->runs[i].form == form))
            sheet_note(s, "× %s: %s", label[i], d->runs[i].run.message);
}

static void draw(plot_sheet *s, const drift_result *d, const char *subject)
{
    const study_specification *o = &d->spec;
    const int apart = d->count > MANY && o->forms > 1;
    const char **label = labels_of(s, d, apart), *name = *subject ? subject : o->run.problem->name;
    for (int f = 0; label && f < (apart ? o->forms : 1); f++)
        draw_page(s, d, name, label, apart ? o->form[f] : NULL);
}

dae_status drift_plots(const drift_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    const study_specification **of = sheet_room(&s, (size_t)count * sizeof *of);
    for (int i = 0; of && i < count; i++)
        of[i] = &r[i]->spec;
    for (int i = 0; of && i < count; i++)
        draw(&s, r[i], subject_of(&s, of, count, i));
    return sheet_write(&s, to, report);
}
