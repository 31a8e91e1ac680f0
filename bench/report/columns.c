/* columns.c - tables that are shown: columns of the rows of tidy tables, by their names */
#include "report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is_projected(const table *runs, int row)
{
    const char *project = table_text_at(runs, row, table_find(runs, "project"));
    return project && strcmp(project, run_project_name(0)) != 0;
}

/* Title (none: the name) and format of each column that is shown; the first row of a name is taken. */
static const shown_column columns[] = {
    {.name = "form"}, {.name = "method"}, {.name = "status"}, {.name = "project"}, {.name = "verdict"},
    {.name = "unknown"}, {.name = "unit"}, {.name = "reason", .missing = SHOW_NOTHING},
    {.name = "step", .format = "%.4g", .measured = 1},
    {.name = "rtol", .format = "%.1e"},
    {.name = "correction", .title = "moved by", .format = "%.1e", .has = is_projected},
    {.name = "t_reached", .title = "t reached", .format = "%.6g", .measured = 1},
    {.name = "seconds", .title = "time [s]", .format = "%.2e", .aside = 1},
    {.name = "drift_position", .title = "drift |g|", .format = "%.3e"},
    {.name = "drift_velocity", .title = "drift |A v + b|", .format = "%.3e"},
    {.name = "observed", .format = "%.2f"},
    {.name = "low", .format = "%.2f", .aside = 2},
    {.name = "high", .format = "%.2f", .aside = 2},
    {.name = "declared", .format = "%.0f"},
    {.name = "error_finest", .title = "error", .format = "%.2e"},
    {.name = "estimated_error", .title = "estimated*", .format = "%.2e"},
    {.name = "scd", .format = "%.2f", .aside = 2},
    {.name = "mescd", .format = "%.2f"},
    {.name = "wall_median", .title = "time [s]", .format = "%.3e"},
    {.name = "wall_lower", .title = "lower [s]", .format = "%.3e", .aside = 3},
    {.name = "wall_upper", .title = "upper [s]", .format = "%.3e", .aside = 3},
    {.name = "cpu", .title = "CPU [s]", .format = "%.3e", .aside = 3},
    {.name = "repeats", .title = "runs", .format = "%.0f", .aside = 3},
    {.name = "unknowns", .title = "n", .format = "%.0f"},
    {.name = "seconds_step", .title = "step [s]", .format = "%.3e"},
    {.name = "seconds_solve", .title = "solve [s]", .format = "%.3e"},
    {.name = "step_smallest", .title = "step [s]", .format = "%.3e"},
    {.name = "solve_smallest", .title = "solve [s]", .format = "%.3e"},
    {.name = "seconds_setup", .title = "setup [s]", .format = "%.3e", .aside = 3},
    {.name = "difference", .format = "%.2e"},
    {.name = "t", .title = "at t", .format = "%.6g", .measured = 1},
    {.name = "size", .format = "%.3e"},
    {.name = "fitted"}, {.name = "fitted_unit", .title = "unit"}, {.name = "at_bound", .title = "at its bound"},
    {.name = "value", .format = "%.9g"},
    {.name = "error", .title = "standard error", .format = "%.3g"},
    {.name = "begin", .title = "began at", .format = "%.6g"},
    {.name = "bound_low", .title = "from", .format = "%.6g"}, {.name = "bound_high", .title = "to", .format = "%.6g"},
#define DAE_STATISTIC(type, name, kind, title, meaning) {#name, title, "%.0f", SHOW_DASH, NULL, 2},
#include <daelab/statistics.def>
#undef DAE_STATISTIC
};
enum { COLUMNS = sizeof columns / sizeof *columns };

const shown_column *shown_column_named(const char *name, size_t length)
{
    int k = 0;
    while (k < COLUMNS && !(strlen(columns[k].name) == length && strncmp(columns[k].name, name, length) == 0))
        k++;
    return k < COLUMNS ? &columns[k] : NULL;
}

/* ---- groups: columns that depend on the study ---- */

static const study_specification *as_run(const study_item *item) { return &item->result.solve.spec; }

/* The values of the parameter that the study varies, where it varies one. */
static void varied(selection *s, const study_item *item)
{
    char name[STUDY_NAME], column[STUDY_NAME + 8];
    if (!as_run(item)->values)
        return;
    snprintf(column, sizeof column, "vary_%s", study_varied_name(as_run(item), name));
    select_column(s, &(shown_column){.name = column, .title = name, .format = "%.4g"}, 1);
}

/* The errors of all classes of unknowns that the problem has, and of the times of events. */
static void errors(selection *s, const study_item *item)
{
    const run_setting *run = &as_run(item)->run;
    char name[48];
    for (int c = 0; c < RUN_CLASSES; c++)
        if (order_shows(run, c)) {
            snprintf(name, sizeof name, "error_%s", order_class_name(c));
            select_column(s, &(shown_column){.name = name, .title = order_class_title(c), .format = "%.3e"}, 1);
        }
    if (!run_is_smooth(run->problem))
        select_column(s, &(shown_column){.name = "error_event_time", .title = "event time", .format = "%.3e"}, 1);
}

/* The residual of the constraints on positions, or of those on velocities where the problem has no others. */
static void drift(selection *s, const study_item *item)
{
    const dae_mechanical *m = &as_run(item)->run.problem->mechanical;
    select_named(s, m->nonholonomic > 0 && m->nonholonomic == m->nl ? "drift_velocity" : "drift_position", item);
}

static void drifts(selection *s, const study_item *item)
{
    char name[48];
    for (int k = 0; k < drift_series(as_run(item)); k++) {
        const char *title = drift_title(as_run(item)->run.problem, k);
        snprintf(name, sizeof name, "drift_%s", drift_names[k]);
        select_column(s, &(shown_column){.name = name, .title = title, .format = "%.3e"}, 1);
    }
    if (as_run(item)->referenced)
        errors(s, item);
}

static int any(const table *t, const char *name)
{
    const int i = table_find(t, name);
    for (int row = 0; row < table_rows(t); row++)
        if (table_number_at(t, row, i) > 0 || table_text_at(t, row, i))
            return 1;
    return 0;
}

/* Explicit steps, and changes between explicit and implicit ones, where some run has such. */
static void switches(selection *s, const study_item *item)
{
    if (any(s->from, "explicit_steps") || any(s->from, "switches"))
        select_named(s, "explicit_steps:0 switches:0", item);
}

static void reasons(selection *s, const study_item *item)
{
    if (any(s->from, "reason"))
        select_named(s, "reason", item);
}

/* The times of runs stand in the table `work`, which has the same runs in its rows as `runs`. */
static void times(selection *s, const study_item *item)
{
    const table *runs = s->from;
    table *work = tidy_rows(item, "work");
    s->from = work;
    select_named(s, "wall_median wall_lower wall_upper cpu repeats @reasons", item);
    s->from = runs;
    table_free(work);
}

/* The value of the parameter against which costs are measured. */
static void value(selection *s, const study_item *item)
{
    char name[STUDY_NAME];
    select_column(s, &(shown_column){.name = "value", .title = study_varied_name(as_run(item), name),
                                     .format = "%.7g"}, 1);
}

static void costs(selection *s, const study_item *item)
{
    select_named(s, as_run(item)->smallest ? "step_smallest solve_smallest" : "seconds_step seconds_solve", item);
}

static void memory(selection *s, const study_item *item)
{
    static const double MB = 1e6;
    (void)item;
    select_column(s, &(shown_column){.name = "bytes_memory", .title = "memory [MB]", .format = "%.3f"}, MB);
    select_column(s, &(shown_column){.name = "bytes_peak", .title = "peak [MB]", .format = "%.1f"}, MB);
}

const char *report_status(const char *name, char text[ROW_WORDS])
{
    snprintf(text, ROW_WORDS, "%s", name ? name + (strncmp(name, "DAE_", 4) == 0 ? 4 : 0) : "");
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : (char)tolower((unsigned char)*c);
    return text;
}

static const char *status_words(const table *t, int row, char text[ROW_WORDS])
{
    return report_status(table_text_at(t, row, table_find(t, "status")), text);
}

static void statuses(selection *s, const study_item *item)
{
    (void)item;
    select_words(s, "status", status_words);
}

static const char *class_words(const table *t, int row, char text[ROW_WORDS])
{
    const char *name = table_text_at(t, row, table_find(t, "class"));
    int k = 0;
    (void)text;
    while (k + 1 < ORDER_CLASSES && strcmp(order_class_name(k), name) != 0)
        k++;
    return order_class_title(k);
}

/* "4.97 4.98 5.00" */
static const char *slope_words(const table *t, int row, char text[ROW_WORDS])
{
    const int first = table_find(t, "slope_1");
    text[0] = 0;
    for (int i = 0; i < ORDER_SLOPES; i++) {
        const size_t end = strlen(text);
        const double slope = table_number_at(t, row, first + i);
        if (slope == slope)
            snprintf(text + end, ROW_WORDS - end, "%s%.2f", end ? " " : "", slope);
    }
    return text;
}

static void classes(selection *s, const study_item *item)
{
    (void)item;
    select_words(s, "class", class_words);
}

static void slopes(selection *s, const study_item *item)
{
    (void)item;
    select_words(s, "slopes", slope_words);
    table_aside(s->to, table_columns(s->to) - 1, 3);
}

static int is_by(const table *t, int row, const char *level)
{
    const char *by = table_text_at(t, row, table_find(t, "levels_by"));
    return by && strcmp(by, level) == 0;
}

static int by_step(const table *t, int row) { return is_by(t, row, "step"); }
static int by_rtol(const table *t, int row) { return is_by(t, row, "rtol"); }

/* The order in the step, and beside it the slope against the tolerance: each where there is one. */
static void observed(selection *s, const study_item *item)
{
    static const struct { const char *title; int (*has)(const table *t, int row); } kinds[] = {
        {"observed", by_step}, {"slope against rtol", by_rtol}};
    (void)item;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int some = 0;
        for (int row = 0; row < table_rows(s->from); row++)
            some |= kinds[k].has(s->from, row);
        if (some)
            select_column(s, &(shown_column){.name = "observed", .title = kinds[k].title, .format = "%.2f",
                                             .has = kinds[k].has}, 1);
    }
}

static const struct { const char *name; void (*add)(selection *s, const study_item *item); } groups[] = {
    {"@varied", varied}, {"@errors", errors}, {"@drift", drift}, {"@drifts", drifts},
    {"@switches", switches}, {"@reasons", reasons}, {"@times", times}, {"@value", value},
    {"@costs", costs}, {"@memory", memory}, {"@classes", classes}, {"@slopes", slopes},
    {"@observed", observed}, {"@status", statuses},
};

void select_named(selection *s, const char *names, const study_item *item)
{
    for (size_t length; *names; names += length + (names[length] == ' ')) {
        length = strcspn(names, " ");
        const size_t own = strcspn(names, " :");
        const shown_column *known = shown_column_named(names, own);
        if (known) {
            shown_column column = *known;
            column.missing = own < length ? SHOW_ZERO : column.missing;
            select_column(s, &column, 1);
        }
        for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
            if (strlen(groups[k].name) == length && strncmp(groups[k].name, names, length) == 0)
                groups[k].add(s, item);
    }
}

void report_table(document *doc, const char *heading, const study_item *item, const char *name, const char *names,
                  int (*is_row)(const table *t, int row))
{
    table *rows = tidy_rows(item, name);
    selection s = select_rows(rows, is_row);
    select_named(&s, names, item);
    document_section_add(doc, heading, select_end(&s));
    table_free(rows);
}
