#include "gather/groups.h"

#include "numbers/decimal.h"

#include <math.h>
#include <string.h>

/* What tells runs apart beside their level. */
static const char *const settings[] = {
    "t_start", "t_end", "atol_of", "max_step", "first_step", "start", "jacobian", "linear", "error_test", "project",
    "alpha", "beta", "events", "limit_steps", "max_events", "accumulation", "stop"};
enum { SETTINGS = sizeof settings / sizeof *settings, MOST = 64, MOST_TEXT = 512 };

static const char varied[] = "vary_";

typedef struct {
    const table *t;
    int part, problem, form, method, step, rtol, atol, run;
    int count, column[MOST];    /* of the settings that are there, parameters first */
} layout;

static void add_column(layout *l, int column)
{
    if (column >= 0 && l->count < MOST)
        l->column[l->count++] = column;
}

/* Varied parameters, or where there are none all of them as one text; none where a value of one is the
 * level. */
static void add_parameters(layout *l)
{
    if (table_find(l->t, "value") >= 0)
        return;
    for (int i = 0; i < table_columns(l->t); i++)
        if (strncmp(table_name_of(l->t, i), varied, strlen(varied)) == 0)
            add_column(l, i);
    if (!l->count)
        add_column(l, table_find(l->t, "parameters"));
}

static layout layout_of(const table *t)
{
    layout l = {.t = t, .part = table_find(t, "part"), .problem = table_find(t, "problem"),
                .form = table_find(t, "form"),
                .method = table_find(t, "method"), .step = table_find(t, "step"), .rtol = table_find(t, "rtol"),
                .atol = table_find(t, "atol"), .run = table_find(t, "run")};
    add_parameters(&l);
    for (int i = 0; i < SETTINGS; i++)
        add_column(&l, table_find(t, settings[i]));
    return l;
}

int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_cell(const table *t, int a, int b, int column)
{
    const double x = table_number_at(t, a, column), y = table_number_at(t, b, column);
    return (x == y || (isnan(x) && isnan(y))) && same_text(table_text_at(t, a, column), table_text_at(t, b, column));
}

/* An absolute tolerance that is the same, or the same multiple of the relative one. */
static int same_atol(const layout *l, int a, int b)
{
    const double x = table_number_at(l->t, a, l->atol) / table_number_at(l->t, a, l->rtol);
    const double y = table_number_at(l->t, b, l->atol) / table_number_at(l->t, b, l->rtol);
    return same_cell(l->t, a, b, l->atol) || fabs(x - y) <= 1e-9 * fabs(x);
}

static int has_level(const table *t, int row, int column) { return !isnan(table_number_at(t, row, column)); }

static int same_level(const layout *l, int levels, int a, int b)
{
    if (levels)
        return has_level(l->t, a, l->step) == has_level(l->t, b, l->step)
               && has_level(l->t, a, l->rtol) == has_level(l->t, b, l->rtol) && same_atol(l, a, b);
    return same_cell(l->t, a, b, l->step) && same_cell(l->t, a, b, l->rtol) && same_cell(l->t, a, b, l->atol)
           && same_cell(l->t, a, b, l->run);
}

/* Where a run was not made, what would have been chosen for it is not known: "best". */
static int is_open(const table *t, int row, int column)
{
    const char *text = table_text_at(t, row, column);
    return row_failed(t, row) && (text ? strcmp(text, "best") == 0 : isnan(table_number_at(t, row, column)));
}

static int same_setting(const table *t, int a, int b, int column)
{
    return same_cell(t, a, b, column) || is_open(t, a, column) || is_open(t, b, column);
}

/* Are there columns that row a knows, and b does not? */
static int knows_more(const layout *l, int a, int b)
{
    for (int i = 0; i < l->count; i++)
        if (is_open(l->t, b, l->column[i]) && !is_open(l->t, a, l->column[i]))
            return 1;
    return 0;
}

static int same_group(const layout *l, int levels, int a, int b)
{
    if (!same_cell(l->t, a, b, l->method) || !same_cell(l->t, a, b, l->form) || !same_cell(l->t, a, b, l->problem)
        || !same_cell(l->t, a, b, l->part) || !same_level(l, levels, a, b))
        return 0;
    for (int i = 0; i < l->count; i++)
        if (!same_setting(l->t, a, b, l->column[i]))
            return 0;
    return 1;
}

static const char *text_or_empty(const table *t, int row, int column)
{
    const char *text = table_text_at(t, row, column);
    return text ? text : "";
}

/* The table says by which levels, where its rows are not runs. */
static int is_by_rtol(const layout *l, int row)
{
    const char *by = row_text(l->t, row, "levels_by");
    return by ? strcmp(by, "rtol") == 0 : has_level(l->t, row, l->rtol);
}

static row_group new_group(const layout *l, int row)
{
    return (row_group){.like = row, .part = text_or_empty(l->t, row, l->part),
                       .problem = text_or_empty(l->t, row, l->problem),
                       .form = text_or_empty(l->t, row, l->form), .method = text_or_empty(l->t, row, l->method),
                       .label = text_or_empty(l->t, row, l->method), .by_rtol = is_by_rtol(l, row)};
}

static void add_row(row_group *g, int row, arena *memory)
{
    int *rows = arena_grown(memory, g->row, g->count, sizeof *rows);
    if (!rows)
        return;
    g->row = rows;
    rows[g->count++] = row;
}

/* The group of a row, made where there is none; NULL where memory is short. */
static row_group *group_for(row_groups *g, const layout *l, int levels, int row, arena *memory)
{
    for (int i = g->count; i-- > 0;)            /* neighbours are of one group, mostly */
        if (same_group(l, levels, row, g->group[i].like)) {
            g->group[i].like = knows_more(l, row, g->group[i].like) ? row : g->group[i].like;
            return &g->group[i];
        }
    row_group *groups = arena_grown(memory, g->group, g->count, sizeof *groups);
    if (!groups)
        return NULL;
    g->group = groups;
    groups[g->count] = new_group(l, row);
    return &groups[g->count++];
}

/* ---- labels ---- */

static int is_rival(const row_group *a, const row_group *b)
{
    return group_beside(a, b) && strcmp(a->form, b->form) == 0 && strcmp(a->method, b->method) == 0;
}

static int differs(const row_groups *g, const row_group *one, int column)
{
    for (int i = 0; i < g->count; i++)
        if (is_rival(one, &g->group[i]) && !same_setting(g->table, one->like, g->group[i].like, column))
            return 1;
    return 0;
}

static void append(const table *t, int row, int column, char text[MOST_TEXT])
{
    char number[DECIMAL];
    const char *name = table_name_of(t, column), *word = table_text_at(t, row, column);
    const double x = table_number_at(t, row, column);
    const size_t used = strlen(text);
    name += strncmp(name, varied, strlen(varied)) == 0 ? strlen(varied) : 0;
    snprintf(text + used, MOST_TEXT - used, " %s=%s", name, word ? word : isfinite(x) ? decimal(x, number) : "-");
}

/* levels: those of a group are several, and not part of its name. */
static const char *label_of(const row_groups *g, const row_group *one, const layout *l, int levels, arena *memory)
{
    char text[MOST_TEXT];
    const int level[] = {l->step, l->rtol};
    snprintf(text, sizeof text, "%s", one->method);
    for (int i = 0; i < l->count; i++)
        if (differs(g, one, l->column[i]))
            append(l->t, one->like, l->column[i], text);
    for (int i = 0; !levels && i < 2; i++)
        if (has_level(l->t, one->row[0], level[i]) && differs(g, one, level[i]))
            append(l->t, one->row[0], level[i], text);
    return arena_format(memory, "%s", text);
}

row_groups groups_of(const table *t, int levels, arena *memory)
{
    row_groups g = {.table = t};
    if (!t)
        return g;
    const layout l = layout_of(t);
    for (int row = 0; row < table_rows(t); row++) {
        row_group *mine = group_for(&g, &l, levels, row, memory);
        if (!mine)
            return (row_groups){.table = t};
        add_row(mine, row, memory);
        if (!mine->count)                       /* no memory, which the arena knows */
            return (row_groups){.table = t};
    }
    for (int i = 0; i < g.count; i++)
        g.group[i].label = label_of(&g, &g.group[i], &l, levels, memory);
    return g;
}

int group_beside(const row_group *a, const row_group *b)
{
    return strcmp(a->part, b->part) == 0 && strcmp(a->problem, b->problem) == 0;
}

int groups_next(const row_groups *g, int from)
{
    for (; from < g->count; from++) {
        int first = 0;
        while (!group_beside(&g->group[first], &g->group[from]))
            first++;
        if (first == from)
            break;
    }
    return from;
}

const row_group *groups_match(const row_groups *among, const row_group *g)
{
    for (int i = 0; i < among->count; i++) {
        const row_group *other = &among->group[i];
        if (group_beside(other, g) && strcmp(other->form, g->form) == 0 && strcmp(other->label, g->label) == 0)
            return other;
    }
    return NULL;
}

/* ---- cells by name ---- */

const char *row_text(const table *t, int row, const char *column)
{
    return table_text_at(t, row, table_find(t, column));
}

const char *row_text_or_empty(const table *t, int row, const char *column)
{
    const char *text = row_text(t, row, column);
    return text ? text : "";
}

double row_number(const table *t, int row, const char *column)
{
    return table_number_at(t, row, table_find(t, column));
}

int row_failed(const table *t, int row)
{
    const char *status = row_text(t, row, "status");
    return status && strcmp(status, "ok") != 0;
}
