/* scale_plot.c - the picture of scaling studies: a step, a solve, memory against size, log-log */
#include "plots/plots.h"

#include "plots/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = 3 };

static const struct { scale_quantity q; const char *title, *ylabel; double unit; }
    shown[PANELS] = {
        {SCALE_STEP, "one step", "time [s]", 1},
        {SCALE_SOLVE, "one solve", "time [s]", 1},
        {SCALE_HELD, "memory held after the solve", "memory [MB]", 1e6},
    };

/* One form: the method is label enough. */
static const char *label_of(plot_sheet *s, const study_specification *o, const scale_pair *pair)
{
    return o->forms > 1 ? sheet_text(s, "%s %s", dae_formulation_describe(pair->form).name, pair->info.name)
                        : pair->info.name;
}

/* Answers the least y/x of the curve. */
static double draw_pair(plot_sheet *s, const study_specification *o, const scale_pair *pair, int panel)
{
    double *x = sheet_numbers(s, pair->points), *y = sheet_numbers(s, pair->points), least = NAN;
    for (int k = 0; x && y && k < pair->points; k++) {
        x[k] = pair->point[k].value;
        y[k] = scale_value(o, &pair->point[k], shown[panel].q) / shown[panel].unit;
        if (y[k] / x[k] > 0)
            least = fmin(least, y[k] / x[k]);
    }
    sheet_curve(s, (plot_curve){label_of(s, o, pair), PLOT_LINE, pair->points, x, y, NULL});
    return least;
}

/* y = C x below the curves: half the least of what the sizes say. */
static void guide(plot_sheet *s, const study_specification *o, double constant)
{
    double *x = sheet_numbers(s, 2), *y = sheet_numbers(s, 2);
    if (!x || !y)
        return;
    for (int k = 0; k < 2; k++) {
        x[k] = o->value[k ? o->values - 1 : 0];
        y[k] = constant * x[k] / 2;
    }
    sheet_curve(s, (plot_curve){"slope 1", PLOT_GUIDE, 2, x, y, NULL});
}

static void draw(plot_sheet *s, const scale_result *r, const char *subject)
{
    const study_specification *o = &r->spec;
    char varied[STUDY_NAME];
    const char *parameter = sheet_text(s, "%s", study_varied_name(o, varied));
    for (int k = 0; k < PANELS; k++) {
        double least = NAN;
        sheet_panel(s, (plot_panel){.title = subject_with(s, subject, shown[k].title), .xlabel = parameter,
                                    .ylabel = shown[k].ylabel, .log_x = 1, .log_y = 1});
        for (int i = 0; i < r->count; i++)
            least = fmin(least, draw_pair(s, o, &r->pairs[i], k));
        guide(s, o, least);
    }
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->pairs[i].points; k++)
            if (*r->pairs[i].point[k].reason)
                sheet_note(s, "%s, %s = %g: %s", label_of(s, o, &r->pairs[i]), parameter, r->pairs[i].point[k].value,
                           r->pairs[i].point[k].reason);
}

dae_status scale_plots(const scale_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    char varied[STUDY_NAME];
    sheet_figure(&s, count > 1 ? "cost against size"
                     : sheet_text(&s, "%s: cost against %s", r[0]->spec.run.problem->name,
                                  study_varied_name(&r[0]->spec, varied)), PANELS);
    const study_specification **of = sheet_room(&s, (size_t)count * sizeof *of);
    for (int i = 0; of && i < count; i++)
        of[i] = &r[i]->spec;
    for (int i = 0; of && i < count; i++)
        draw(&s, r[i], subject_of(&s, of, count, i));
    return sheet_write(&s, to, report);
}
