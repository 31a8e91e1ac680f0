/* work_plot.c - the picture of work-precision studies: error against time, or any pair of axes */
#include "plots/plots.h"

#include "plots/subject.h"
#include "plots/work_axis.h"

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
static void draw_curve(plot_sheet *s, const study_specification *o, const work_curve *c, const work_axis axis[2])
{
    double *x = sheet_numbers(s, c->levels), *y = sheet_numbers(s, c->levels);
    const char **tags = sheet_words(s, c->levels);
    for (int i = 0; x && y && tags && i < c->levels; i++) {
        const work_point *p = &c->point[i];
        x[i] = work_axis_value(o, &axis[0], p);
        y[i] = work_axis_value(o, &axis[1], p);
        tags[i] = tag(s, c, i);
        if (p->run.status && p->run.status != DAE_UNSUPPORTED)
            sheet_note(s, "%s, %s, %s %g: %s", dae_formulation_describe(c->form).name, c->info.name,
                       c->adaptive ? "rtol" : "step", c->adaptive ? p->run.rtol : p->run.step, p->run.message);
    }
    sheet_curve(s, (plot_curve){c->info.name, PLOT_LINE, c->levels, x, y, tags});
}

static void draw_form(plot_sheet *s, const work_result *r, const dae_formulation *form, const char *subject)
{
    const study_specification *o = &r->spec;
    const char *name = dae_formulation_describe(form).name;
    const work_axis axis[2] = {work_axis_of(s, o, 0), work_axis_of(s, o, 1)};
    sheet_panel(s, (plot_panel){.title = subject_with(s, subject, name),
                                .xlabel = axis[0].label, .ylabel = axis[1].label, .log_x = axis[0].log,
                                .log_y = axis[1].log});
    for (int i = 0; i < r->count; i++)
        if (r->curves[i].form == form)
            draw_curve(s, o, &r->curves[i], axis);
}

static int adaptive(const work_result *r)
{
    for (int i = 0; i < r->count; i++)
        if (r->curves[i].adaptive)
            return 1;
    return 0;
}

/* A row for each problem, where all have as many formulations as fit side by side. */
static int columns_of(const work_result *const *r, int count)
{
    int panels = 0, alike = r[0]->spec.forms;
    for (int i = 0; i < count; i++) {
        panels += r[i]->spec.forms;
        alike = r[i]->spec.forms == alike ? alike : 0;
    }
    return alike == 2 || panels >= 3 ? (alike == 2 ? 2 : 3) : panels;
}

dae_status work_plots(const work_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    int tolerances = 0;
    for (int i = 0; i < count; i++)
        tolerances |= adaptive(r[i]);
    sheet_figure(&s, count > 1 ? "work and precision at the end of the interval"
                     : sheet_text(&s, "%s: work and precision at t = %g s", r[0]->spec.run.problem->name,
                                  r[0]->s.t_end),
                 columns_of(r, count));
    if (tolerances)
        sheet_note(&s, "the small numbers are relative tolerances");
    const study_specification **of = sheet_room(&s, (size_t)count * sizeof *of);
    for (int i = 0; of && i < count; i++)
        of[i] = &r[i]->spec;
    for (int i = 0; of && i < count; i++)
        for (int f = 0; f < r[i]->spec.forms; f++)
            draw_form(&s, r[i], r[i]->spec.form[f], subject_of(&s, of, count, i));
    return sheet_write(&s, to, report);
}
