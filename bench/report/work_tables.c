/* work_tables.c - a work-precision study as tables and as JSON */
#include "report/work_report.h"

#include "report/orders.h"
#include "report/run_output.h"

#include <math.h>

/* ---- tables */

/* A column of reasons stands in files always, before people where something failed. */
static int needs_reasons(const report_view *o, const work_curve *curves, int count)
{
    if (!o->people)
        return 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++)
            if (*work_reason(&curves[i].point[k]))
                return 1;
    return 0;
}

/* people: 1 they see it, 2 where a method switched. */
static const struct { const char *name, *title, *format; int people; } columns[] = {
    {"scd", "scd", "%.2f", 1}, {"mescd", "mescd", "%.2f", 1},
    {"steps", "steps", "%.0f", 1}, {"rejected", "rejected", "%.0f", 0},
    {"rhs", "F", "%.0f", 1}, {"jacobians", "J", "%.0f", 0},
    {"factorizations", "LU", "%.0f", 1}, {"solves", "solves", "%.0f", 0},
    {"newton_failures", "Newton failures", "%.0f", 0},
    {"explicit_steps", "explicit", "%.0f", 2}, {"switches", "switches", "%.0f", 2},
    {"wall_median", "time [s]", "%.3e", 1}, {"wall_lower", "lower", "%.3e", 1},
    {"wall_upper", "upper", "%.3e", 1}, {"wall_smallest", "smallest", "%.3e", 0},
    {"wall_largest", "largest", "%.3e", 0}, {"cpu", "CPU [s]", "%.3e", 1},
    {"runs", "runs", "%.0f", 1}, {"rounds", "rounds", "%.0f", 0},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* How much of the columns is shown: 0 all, to files; 1 to people; 2 where a method switched. */
static int columns_for(const report_view *o, const work_curve *curves, int count)
{
    int switched = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++)
            switched = switched || run_switches(&curves[i].point[k].run);
    return !o->people ? 0 : switched ? 2 : 1;
}

static int shows(int i, int how)
{
    return how == 0 || (columns[i].people > 0 && columns[i].people <= how);
}

static void add_point(grid *g, const report_view *o, const work_curve *c, const work_point *p,
                      int how)
{
    const dae_statistics *n = &p->run.count;
    const double values[COLUMNS] = {
        p->scd, p->mescd, (double)n->steps, (double)n->rejected, (double)n->rhs,
        (double)n->jacobians, (double)n->factorizations, (double)n->solves,
        (double)n->newton_failures, (double)n->explicit_steps, (double)n->switches,
        p->wall.median, p->wall.lower, p->wall.upper, p->wall.smallest,
        p->wall.largest, p->cpu, (double)p->runs, (double)p->rounds};
    run_cells(g, c->form, c->method, &p->run);
    run_error_cells(g, o->spec->run.problem, &p->run);
    for (int i = 0; i < COLUMNS; i++)
        if (shows(i, how))
            grid_number(g, values[i]);
}

grid *work_point_grid(const report_view *o, const work_curve *curves, int count)
{
    const int reasons = needs_reasons(o, curves, count), how = columns_for(o, curves, count);
    grid *g = grid_new();
    if (!g)
        return NULL;
    run_columns(g);
    run_error_columns(g, o->spec->run.problem);
    for (int i = 0; i < COLUMNS; i++)
        if (shows(i, how))
            grid_column(g, columns[i].name, columns[i].title, columns[i].format);
    if (reasons)
        grid_column(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (int k = 0; k < curves[i].levels; k++) {
            add_point(g, o, &curves[i], &curves[i].point[k], how);
            if (reasons)
                grid_text(g, work_reason(&curves[i].point[k]));
        }
    }
    return g;
}

grid *work_summary_new(void)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "problem", "problem", NULL);
    run_columns(g);
    grid_column(g, "scd", "scd", "%.2f");
    grid_column(g, "mescd", "mescd", "%.2f");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "seconds", "time [s]", "%.3e");
    return g;
}

void work_summary_add(grid *g, const work_result *r)
{
    const study_specification *o = &r->spec;
    const work_curve *curves = r->curves;
    const int count = r->count;
    grid_rule(g);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++) {
            const work_point *p = &curves[i].point[k];
            grid_text(g, o->run.problem->name);
            run_cells(g, curves[i].form, curves[i].method, &p->run);
            grid_number(g, p->scd);
            grid_number(g, p->mescd);
            grid_number(g, (double)p->run.count.steps);
            grid_number(g, work_seconds(o, p));
        }
}

static double smallest_error(const work_curve *c, dae_class k)
{
    double smallest = NAN;
    for (int i = 0; i < c->levels; i++)
        if (!c->point[i].run.status)
            smallest = fmin(smallest, c->point[i].run.error[k]);
    return smallest;
}

/* To people the ratio with its quartiles in one column. */
static void ratio_columns(grid *g, const report_view *o, double target)
{
    static const char *const parts[] = {"ratio", "ratio_lower", "ratio_upper"};
    char name[48];
    if (o->people) {
        snprintf(name, sizeof name, "ratio_%g", target);
        grid_column(g, name, "x", NULL);
        return;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        snprintf(name, sizeof name, "%s_%g", parts[k], target);
        grid_column(g, name, k == 0 ? "x" : k == 1 ? "lower" : "upper", "%.2f");
    }
    snprintf(name, sizeof name, "ratio_differs_%g", target);
    grid_column(g, name, "differs from 1", NULL);
}

static void ratio_cells(grid *g, const report_view *o, const work_curve *curves, int count, int i, double target)
{
    const ratio_spread x = work_curve_ratio(o->spec, curves, count, i, target);
    char words[RATIO_WORDS];
    if (o->people) {
        grid_text(g, ratio_spread_words(&x, words));
        return;
    }
    grid_number(g, x.ratio);
    grid_number(g, x.low);
    grid_number(g, x.high);
    grid_text(g, isfinite(x.ratio) ? x.differs ? "yes" : "no" : "");
}

grid *work_at_grid(const report_view *o, const work_curve *curves, int count)
{
    char name[48], title[48];
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    for (int t = 0; t < o->spec->targets; t++) {
        snprintf(name, sizeof name, "seconds_%g", o->spec->target[t]);
        snprintf(title, sizeof title, "%g [s]", o->spec->target[t]);
        grid_column(g, name, title, "%.3e");
        if (o->spec->baseline)
            ratio_columns(g, o, o->spec->target[t]);
    }
    grid_column(g, "smallest_error", "smallest error", "%.1e");
    for (int i = 0; i < count; i++) {
        grid_text(g, dae_formulation_describe(curves[i].form).name);
        grid_text(g, curves[i].info.name);
        for (int t = 0; t < o->spec->targets; t++) {
            const double time = work_curve_at(o->spec, &curves[i], o->spec->target[t]);
            grid_number(g, time);
            if (o->spec->baseline)
                ratio_cells(g, o, curves, count, i, o->spec->target[t]);
        }
        grid_number(g, smallest_error(&curves[i], o->spec->of));
    }
    return g;
}

/* ---- JSON */

/* {"median": [...], "smallest": [...]}: of a run in each round */
static json_t *rounds_json(const work_point *p)
{
    json_t *median = json_array(), *smallest = json_array();
    for (int r = 0; r < p->rounds; r++) {
        json_array_append_new(median, json_number(p->round[r].median));
        json_array_append_new(smallest, json_number(p->round[r].smallest));
    }
    return json_pack("{s:o, s:o}", "median", median, "smallest", smallest);
}

static json_t *point_json(const report_view *o, const work_point *p)
{
    const run_result *r = &p->run;
    const work_spread *w = &p->wall;
    json_t *error = run_error_json(o->spec->run.problem, r);
    json_t *cost = run_cost_json(r);
    if (cost) {
        json_object_del(cost, "seconds");               /* of the warm-up run */
    }
    json_t *wall = json_pack("{s:o, s:o, s:o, s:o, s:o}", "median", json_number(w->median), "lower",
                             json_number(w->lower), "upper", json_number(w->upper), "smallest",
                             json_number(w->smallest), "largest", json_number(w->largest));
    json_t *point = json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:b, s:o, s:o}", "step", json_number(r->step),
        "rtol", json_number(r->rtol), "status", run_status_name(r), "error", error, "scd",
        json_number(p->scd), "mescd", json_number(p->mescd), "cost", cost, "runs", p->runs,
        "repeatable", p->repeatable, "wall", wall, "cpu", json_number(p->cpu));
    if (point && p->rounds)
        json_object_set_new(point, "rounds", rounds_json(p));
    if (point && *work_reason(p))
        json_object_set_new(point, "reason", json_string(work_reason(p)));
    return point;
}

json_t *work_curve_json(const report_view *o, const work_curve *c)
{
    json_t *points = json_array();
    for (int i = 0; i < c->levels; i++)
        json_array_append_new(points, point_json(o, &c->point[i]));
    const run_result *first = &c->point[0].run;
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "form", dae_formulation_describe(c->form).name,
                     "method", c->info.name, "jacobian", run_jacobian_name(first->jacobian),
                     "linear", run_linear_name(first->linear), "points", points,
                     "order", orders_json(o->spec->run.problem, c->order));
}

/* One target: {"error": 1e-6, "baseline": seconds, "times": [{form, method, seconds, ratio, lower, upper, differs}]} */
static json_t *target_json(const report_view *o, const work_curve *curves, int count, double target)
{
    const double baseline = o->spec->baseline ? work_baseline(o->spec, curves, count, target) : NAN;
    json_t *times = json_array();
    for (int i = 0; i < count; i++) {
        const double time = work_curve_at(o->spec, &curves[i], target);
        const ratio_spread x = work_curve_ratio(o->spec, curves, count, i, target);
        json_array_append_new(times, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "form",
                                               dae_formulation_describe(curves[i].form).name,
                                               "method", curves[i].info.name, "seconds", json_number(time), "ratio",
                                               json_number(x.ratio), "lower", json_number(x.low), "upper",
                                               json_number(x.high), "differs",
                                               isfinite(x.ratio) ? json_boolean(x.differs) : json_null()));
    }
    return json_pack("{s:f, s:o, s:o}", "error", target, "baseline", json_number(baseline),
                     "times", times);
}

json_t *work_at_json(const report_view *o, const work_curve *curves, int count)
{
    json_t *targets = json_array();
    for (int t = 0; t < o->spec->targets; t++)
        json_array_append_new(targets, target_json(o, curves, count, o->spec->target[t]));
    return json_pack("{s:s, s:s, s:o, s:o}", "class", run_class_names[o->spec->of], "time",
                     o->spec->smallest ? "smallest" : "median", "baseline",
                     o->spec->baseline ? json_string(dae_method_describe(o->spec->baseline).name)
                                 : json_null(), "targets", targets);
}
