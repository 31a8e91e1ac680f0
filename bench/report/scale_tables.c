/* scale_tables.c - a scaling study as tables and as JSON */
#include "report/scale_report.h"

#include "report/run_output.h"

#include <math.h>

/* ---- tables */

/* people: 1 they see it; files see all. unit: what people see it in. */
static const struct { const char *name, *title, *format; int people; double unit; } columns[] = {
    {"unknowns", "n", "%.0f", 1, 1}, {"step", "h", "%.4g", 0, 1}, {"rtol", "rtol", "%.1e", 0, 1},
    {"seconds_step", "step", "%.3e", 1, 1}, {"step_lower", "lower", "%.3e", 0, 1},
    {"step_upper", "upper", "%.3e", 0, 1}, {"step_runs", "runs", "%.0f", 0, 1},
    {"seconds_solve", "solve", "%.3e", 1, 1}, {"solve_lower", "lower", "%.3e", 0, 1},
    {"solve_upper", "upper", "%.3e", 0, 1}, {"solve_runs", "runs", "%.0f", 0, 1},
    {"seconds_setup", "setup", "%.3e", 1, 1}, {"steps", "steps", "%.0f", 1, 1},
    {"rejected", "rejected", "%.0f", 0, 1}, {"rhs", "F", "%.0f", 1, 1},
    {"jacobians", "J", "%.0f", 1, 1}, {"factorizations", "LU", "%.0f", 1, 1},
    {"solves", "solves", "%.0f", 0, 1}, {"newton_failures", "Newton failures", "%.0f", 0, 1},
    {"explicit_steps", "explicit", "%.0f", 0, 1}, {"switches", "switches", "%.0f", 0, 1},
    {"nonzeros", "nonzeros", "%.0f", 1, 1}, {"fill", "fill", "%.0f", 1, 1},
    {"bytes_memory", "memory", "%.3f", 1, 1e6}, {"bytes_peak", "peak", "%.1f", 1, 1e6},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static int needs_reasons(const report_view *o, const scale_pair *pairs, int count)
{
    if (!o->people)
        return 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < pairs[i].points; k++)
            if (*pairs[i].point[k].reason)
                return 1;
    return 0;
}

/* A solve that ended has counts; others are missing, not 0. */
static double counted(const scale_point *p, long count)
{
    return p->solve_runs > 0 ? (double)count : NAN;
}

/* Nonzeros and fill are missing where there are none. */
static double entries(const scale_point *p, long count)
{
    return count > 0 ? counted(p, count) : NAN;
}

static double positive(int count)
{
    return count > 0 ? (double)count : NAN;
}

static void add_numbers(grid *g, const report_view *o, const scale_pair *pair,
                        const scale_point *p)
{
    const dae_statistics *n = &p->count;
    const double values[COLUMNS] = {
        positive(p->n), pair->step, pair->rtol,
        scale_value(o->spec, p, SCALE_STEP), p->step.lower, p->step.upper, positive(p->step_runs),
        scale_value(o->spec, p, SCALE_SOLVE), p->solve.lower, p->solve.upper, positive(p->solve_runs),
        p->setup, counted(p, n->steps), counted(p, n->rejected), counted(p, n->rhs),
        counted(p, n->jacobians), counted(p, n->factorizations), counted(p, n->solves),
        counted(p, n->newton_failures), counted(p, n->explicit_steps), counted(p, n->switches),
        entries(p, n->nonzeros), entries(p, n->fill), p->held, p->peak};
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].people || !o->people)
            grid_number(g, o->people ? values[i] / columns[i].unit : values[i]);
}

static void add_point(grid *g, const report_view *o, const scale_pair *pair, const scale_point *p,
                      int reasons)
{
    grid_text(g, dae_formulation_describe(pair->form).name);
    grid_text(g, pair->info.name);
    grid_number(g, p->value);
    grid_text(g, outcome_name(p->outcome, p->failure));
    add_numbers(g, o, pair, p);
    if (reasons)
        grid_text(g, p->reason);
}

grid *scale_point_grid(const report_view *o, const scale_pair *pairs, int count)
{
    char varied[STUDY_NAME];
    const char *name = study_varied_name(o->spec, varied);
    const int reasons = needs_reasons(o, pairs, count);
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, name, name, "%.7g");
    grid_column(g, "status", "status", NULL);
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].people || !o->people)
            grid_column(g, columns[i].name, columns[i].title, columns[i].format);
    if (reasons)
        grid_column(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (int k = 0; k < pairs[i].points; k++)
            add_point(g, o, &pairs[i], &pairs[i].point[k], reasons);
    }
    return g;
}

static void fit_columns(grid *g, const report_view *o, scale_quantity q)
{
    char name[48];
    snprintf(name, sizeof name, "exponent_%s", scale_names[q]);
    grid_column(g, name, scale_names[q], "%.2f");
    snprintf(name, sizeof name, "last_%s", scale_names[q]);
    grid_column(g, name, "last", "%.2f");
    snprintf(name, sizeof name, "points_%s", scale_names[q]);
    if (!o->people)
        grid_column(g, name, "points", "%.0f");
}

grid *scale_fit_grid(const report_view *o, const scale_pair *pairs, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++)
        fit_columns(g, o, q);
    for (int i = 0; i < count; i++) {
        grid_text(g, dae_formulation_describe(pairs[i].form).name);
        grid_text(g, pairs[i].info.name);
        for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
            const scale_fit fit = scale_pair_fit(o->spec, &pairs[i], q);
            grid_number(g, fit.exponent);
            grid_number(g, fit.last);
            if (!o->people)
                grid_number(g, fit.points);
        }
    }
    return g;
}

/* ---- JSON */

static json_t *spread_json(const work_spread *w, int runs)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "median", json_number(w->median), "lower",
                     json_number(w->lower), "upper", json_number(w->upper), "smallest",
                     json_number(w->smallest), "largest", json_number(w->largest), "runs", runs);
}

static json_t *point_json(const scale_point *p)
{
    json_t *point = json_pack(
        "{s:f, s:i, s:s, s:o, s:o, s:o, s:o, s:{s:o, s:o}}",
        "value", p->value, "unknowns", p->n, "status", outcome_name(p->outcome, p->failure),
        "step", spread_json(&p->step, p->step_runs), "solve",
        spread_json(&p->solve, p->solve_runs), "setup", json_number(p->setup), "cost",
        run_counts_json(p->solve_runs > 0 ? &p->count : NULL), "memory", "held", json_number(p->held), "peak", json_number(p->peak));
    if (point && *p->reason)
        json_object_set_new(point, "reason", json_string(p->reason));
    return point;
}

static json_t *fits_json(const report_view *o, const scale_pair *pair)
{
    json_t *fits = json_object();
    for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
        const scale_fit fit = scale_pair_fit(o->spec, pair, q);
        json_object_set_new(fits, scale_names[q],
                            json_pack("{s:o, s:o, s:i}", "exponent", json_number(fit.exponent),
                                      "last", json_number(fit.last), "points", fit.points));
    }
    return fits;
}

json_t *scale_pair_json(const report_view *o, const scale_pair *pair)
{
    json_t *points = json_array();
    for (int i = 0; i < pair->points; i++)
        json_array_append_new(points, point_json(&pair->point[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o}", "form",
                     dae_formulation_describe(pair->form).name, "method", pair->info.name,
                     "jacobian", run_jacobian_name(pair->point[0].jacobian), "linear",
                     run_linear_name(pair->point[0].linear), "step", json_number(pair->step),
                     "rtol", json_number(pair->rtol), "step_time",
                     pair->info.fixed ? "fixed" : "mean of a solve", "points", points,
                     "exponents", fits_json(o, pair));
}
