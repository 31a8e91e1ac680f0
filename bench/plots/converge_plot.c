/* converge_plot.c - the picture of convergence studies: error against step or cost, log-log
 *
 * A few curves have a panel each. Many are a grid: a column for each formulation, a row for each problem, value and
 * method, fixed steps before tolerances.
 */
#include "plots/plots.h"

#include "measure/time_unit.h"
#include "plots/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PANELS = 6, MOST_FORMS = MAX_CHOICES };

/* One problem, one value of what is varied, one method. */
typedef struct {
    const converge_result *r;
    const char *subject;
    const dae_method *method;
    double value;
} row;

typedef struct {
    const converge_result **result;     /* all of the same formulations */
    const char **subject;       /* [results] */
    int results;
    int forms;
    const dae_formulation *form[MOST_FORMS];
    int rows;
    row *row;
    plot_sheet *sheet;
} pictures;

/* ---- one panel ---- */

/* The errors of one class; failed levels are left out as NaN. */
static void error_curve(plot_sheet *s, const converge_curve *c, const char *label, dae_class k)
{
    double *x = sheet_numbers(s, c->levels), *y = sheet_numbers(s, c->levels);
    for (int l = 0; x && y && l < c->levels; l++) {
        const run_result *r = &c->runs[l];
        x[l] = c->subject.tolerances ? (double)r->count.rhs : r->step;
        y[l] = r->status ? NAN : r->error[k];
    }
    sheet_curve(s, (plot_curve){label, PLOT_LINE, c->levels, x, y, NULL});
}

/* e = e_0 (h/h_0)^p through half the first error of a class of declared order p. */
static void guide(plot_sheet *s, const converge_curve *c, dae_class k, int in_grid)
{
    const double order = c->order[k].declared;
    const run_result *first = &c->runs[0], *last = &c->runs[c->levels - 1];
    if (!(order > 0) || first->status || !(first->error[k] > 0))
        return;
    for (dae_class other = 0; other < k; other++)
        if (c->order[other].declared == order && first->error[other] > 0)
            return;                                     /* that slope is drawn */
    double *x = sheet_numbers(s, 2), *y = sheet_numbers(s, 2);
    if (!x || !y)
        return;
    x[0] = first->step;
    x[1] = last->step;
    y[0] = first->error[k] / 2;
    y[1] = y[0] * pow(last->step / first->step, order);
    sheet_curve(s, (plot_curve){in_grid ? "declared slope" : sheet_text(s, "slope %g", order), PLOT_GUIDE, 2, x, y,
                                NULL});
}

/* Crosses at the steps of levels that failed, and the first reason. */
static void failures(plot_sheet *s, const converge_curve *c, const char *label)
{
    double *x = sheet_numbers(s, c->levels), *y = sheet_numbers(s, c->levels);
    int failed = 0;
    for (int l = 0; x && y && l < c->levels; l++) {
        const run_result *r = &c->runs[l];
        if (!r->status || r->status == DAE_UNSUPPORTED)
            continue;
        x[l] = c->subject.tolerances ? (double)r->count.rhs : r->step;
        if (!failed++)
            sheet_note(s, "× %s, %s: %s", dae_formulation_describe(c->subject.form).name, c->info.name, r->message);
    }
    if (failed)
        sheet_curve(s, (plot_curve){label, PLOT_CROSS, c->levels, x, y, NULL});
}

static int applies(const converge_curve *c)
{
    for (int l = 0; l < c->levels; l++)
        if (c->runs[l].status != DAE_UNSUPPORTED)
            return 1;
    return 0;
}

static const char *varied_title(plot_sheet *s, const converge_result *r, double value, const char *of)
{
    char varied[STUDY_NAME];
    return r->spec.values ? sheet_text(s, "%s, %s = %g", of, study_varied_name(&r->spec, varied), value) : of;
}

static void draw_curve(plot_sheet *s, const converge_result *r, const converge_curve *c, const char *subject,
                       int in_grid)
{
    const run_setting *o = &r->spec.run;
    const char *form = dae_formulation_describe(c->subject.form).name, *label = "";
    char title_of_step[TIME_TITLE];
    const char *step = time_title(o->problem, "step", title_of_step);
    const char *title = subject_with(s, subject, sheet_text(s, "%s, %s", form, c->info.name));
    sheet_panel(s, (plot_panel){.title = varied_title(s, r, c->value, title), .log_x = 1, .log_y = 1,
                                .xlabel = c->subject.tolerances ? "evaluations of F" : sheet_text(s, "%s", step),
                                .ylabel = "error", .empty = applies(c) ? "every run failed" : "does not apply"});
    for (dae_class k = DAE_CLASSES; k-- > 0;)
        if (run_shows(o->problem, k) && !isnan(c->order[k].error))
            label = sheet_class(s, o, k);
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(o->problem, k) && !isnan(c->order[k].error))
            error_curve(s, c, sheet_class(s, o, k), k);
    failures(s, c, label);
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(o->problem, k))
            guide(s, c, k, in_grid);
}

/* ---- panels one after another ---- */

static const char *title_of(pictures *p)
{
    const converge_result *first = p->result[0];
    const char *name = *p->subject[0] ? p->subject[0] : first->spec.run.problem->name;
    return p->results == 1 ? sheet_text(p->sheet, "%s: error at t = %g s", name, first->s[0].t_end)
                           : "error at the end of the interval";
}

static void in_a_row(pictures *p)
{
    int count = 0;
    for (int i = 0; i < p->results; i++)
        for (int k = 0; k < p->result[i]->count; k++)
            count += applies(&p->result[i]->curves[k]);
    const int all = count == 0;                         /* then it is said of each */
    sheet_figure(p->sheet, title_of(p), count == 4 ? 2 : count > 0 && count < 3 ? count : 3);
    for (int i = 0; i < p->results; i++)
        for (int k = 0; k < p->result[i]->count; k++)
            if (all || applies(&p->result[i]->curves[k]))
                draw_curve(p->sheet, p->result[i], &p->result[i]->curves[k], p->results > 1 ? p->subject[i] : "", 0);
}

/* ---- a grid ---- */

static int place_of_form(pictures *p, const dae_formulation *form)
{
    for (int i = 0; i < p->forms; i++)
        if (p->form[i] == form)
            return i;
    if (p->forms < MOST_FORMS)
        p->form[p->forms++] = form;
    return p->forms - 1;
}

static int is_of(const row *w, const converge_result *r, const converge_curve *c)
{
    return w->r == r && w->method == c->subject.method && (w->value == c->value || !r->spec.values);
}

/* Forms and rows in the order in which they come; a method that goes with no form has no row. */
static int collect(pictures *p)
{
    int count = 0;
    for (int i = 0; i < p->results; i++)
        count += p->result[i]->count;
    p->row = calloc((size_t)count + 1, sizeof *p->row);
    for (int i = 0; p->row && i < p->results; i++)
        for (int k = 0; k < p->result[i]->count; k++) {
            const converge_curve *c = &p->result[i]->curves[k];
            int known = !applies(c);
            place_of_form(p, c->subject.form);
            for (int j = 0; j < p->rows; j++)
                known |= is_of(&p->row[j], p->result[i], c);
            if (!known)
                p->row[p->rows++] = (row){p->result[i], p->subject[i], c->subject.method, c->value};
        }
    return p->row != NULL;
}

static const converge_curve *find(const row *w, const dae_formulation *form)
{
    for (int k = 0; k < w->r->count; k++)
        if (is_of(w, w->r, &w->r->curves[k]) && w->r->curves[k].subject.form == form)
            return &w->r->curves[k];
    return NULL;
}

static const char *row_title(pictures *p, const row *w)
{
    const char *method = dae_method_describe(w->method).name;
    return varied_title(p->sheet, w->r, w->value,
                        p->results == 1 ? method : subject_with(p->sheet, w->subject, method));
}

static int by_tolerance(const row *w) { return run_chooses_steps(&w->r->spec.run, w->method); }

/* The rows whose levels are tolerances, or steps; a level of a method is the one or the other in all forms. */
static void grid(pictures *p, int tolerances)
{
    const char **titles = sheet_words(p->sheet, p->rows), **forms = sheet_words(p->sheet, p->forms);
    int rows = 0;
    if (!titles || !forms)
        return;
    for (int i = 0; i < p->rows; i++)
        if (by_tolerance(&p->row[i]) == tolerances)
            titles[rows++] = row_title(p, &p->row[i]);
    if (!rows)
        return;
    for (int f = 0; f < p->forms; f++)
        forms[f] = dae_formulation_describe(p->form[f]).name;
    sheet_figure(p->sheet, title_of(p), p->forms);
    sheet_grid(p->sheet, titles, forms);
    for (int i = 0; i < p->rows; i++)
        for (int f = 0; by_tolerance(&p->row[i]) == tolerances && f < p->forms; f++) {
            const converge_curve *c = find(&p->row[i], p->form[f]);
            if (c)
                draw_curve(p->sheet, p->row[i].r, c, "", 1);
            else
                sheet_panel(p->sheet, (plot_panel){.log_x = 1, .log_y = 1, .empty = ""});
        }
}

/* ---- all of them ---- */

static int same_forms(const study_specification *a, const study_specification *b)
{
    int same = a->forms == b->forms;
    for (int f = 0; same && f < a->forms; f++)
        same = a->form[f] == b->form[f];
    return same;
}

static void draw(pictures *p)
{
    if (p->forms > 1 && p->rows > 1 && p->forms * p->rows > FEW_PANELS) {
        grid(p, 0);
        grid(p, 1);
    } else {
        in_a_row(p);
    }
}

/* Those of the formulations of result i, from there on; those that are drawn are struck out. */
static int draw_alike(plot_sheet *s, const converge_result **r, const char **subject, int count, int i)
{
    pictures p = {.result = sheet_room(s, (size_t)count * sizeof *p.result), .sheet = s,
                  .subject = sheet_words(s, count)};
    const study_specification *like = &r[i]->spec;
    for (int k = i; p.result && p.subject && k < count; k++)
        if (r[k] && same_forms(&r[k]->spec, like)) {
            p.subject[p.results] = subject[k];
            p.result[p.results++] = r[k];
            r[k] = NULL;
        }
    const int good = p.results && collect(&p);
    if (good)
        draw(&p);
    free(p.row);
    return good;
}

static int panels_of(const converge_result *const *r, int count)
{
    int panels = 0;
    for (int i = 0; i < count; i++)
        panels += r[i]->count;
    return panels;
}

dae_status converge_plots(const converge_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    const study_specification **of = sheet_room(&s, (size_t)count * sizeof *of);
    const converge_result **left = sheet_room(&s, (size_t)count * sizeof *left);
    const char **subject = sheet_words(&s, count);
    for (int i = 0; of && left && subject && i < count; i++) {
        of[i] = &r[i]->spec;
        left[i] = r[i];
    }
    for (int i = 0; of && left && subject && i < count; i++)
        subject[i] = subject_of(&s, of, count, i);
    if (!s.failed && panels_of(r, count) <= FEW_PANELS)
        in_a_row(&(pictures){.result = left, .results = count, .subject = subject, .sheet = &s});
    else
        for (int i = 0; !s.failed && i < count; i++)
            s.failed |= left[i] && !draw_alike(&s, left, subject, count, i);
    return sheet_write(&s, to, report);
}
