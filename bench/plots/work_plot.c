/* work_plot.c - the picture of work-precision studies: error against time, log-log */
#include "plots/plots.h"

#include "plots/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tolerance of a point, at every third decade and at both ends: "1e-6". */
static const char *tag(plot_sheet *s, const work_curve *c, int i)
{
    const double rtol = c->point[i].run.rtol, decade = log10(rtol), whole = round(decade);
    const int round_number = fabs(decade - whole) < 1e-6, third = round_number && fabs(remainder(whole, 3)) < 0.5;
    return !c->adaptive || !(rtol > 0) || (!third && i > 0 && i + 1 < c->levels) ? NULL
           : round_number ? sheet_text(s, "1e%.0f", whole) : sheet_text(s, "%.1e", rtol);
}

/* One curve's points; those that failed are left out as NaN. */
static void draw_curve(plot_sheet *s, const study_specification *o, const work_curve *c)
{
    double *seconds = sheet_numbers(s, c->levels), *error = sheet_numbers(s, c->levels);
    const char **tags = sheet_words(s, c->levels);
    for (int i = 0; seconds && error && tags && i < c->levels; i++) {
        const work_point *p = &c->point[i];
        seconds[i] = work_seconds(o, p);
        error[i] = p->run.status ? NAN : p->run.error[o->of];
        tags[i] = tag(s, c, i);
        if (p->run.status && p->run.status != DAE_UNSUPPORTED)
            sheet_note(s, "%s, %s, %s %g: %s", dae_formulation_describe(c->form).name, c->info.name,
                       c->adaptive ? "rtol" : "step", c->adaptive ? p->run.rtol : p->run.step, p->run.message);
    }
    sheet_curve(s, (plot_curve){c->info.name, PLOT_LINE, c->levels, seconds, error, tags});
}

static void draw_form(plot_sheet *s, const work_result *r, const dae_formulation *form, int with_problem)
{
    const study_specification *o = &r->spec;
    const char *name = dae_formulation_describe(form).name;
    sheet_panel(s, (plot_panel){.title = with_problem ? sheet_text(s, "%s, %s", o->run.problem->name, name) : name,
                                .xlabel = "time [s]", .ylabel = sheet_text(s, "error, %s", sheet_class(s, &o->run, o->of)),
                                .log_x = 1, .log_y = 1});
    for (int i = 0; i < r->count; i++)
        if (r->curves[i].form == form)
            draw_curve(s, o, &r->curves[i]);
}

dae_status work_plots(const work_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    int panels = 0;
    for (int i = 0; i < count; i++)
        panels += r[i]->spec.forms;
    sheet_figure(&s, count > 1 ? "work and precision at the end of the interval"
                     : sheet_text(&s, "%s: work and precision at t = %g s", r[0]->spec.run.problem->name, r[0]->s.t_end),
                 panels < 3 ? panels : 3);
    for (int i = 0; i < count; i++)
        for (int f = 0; f < r[i]->spec.forms; f++)
            draw_form(&s, r[i], r[i]->spec.form[f], count > 1);
    return sheet_write(&s, to, report);
}
