#include "gather/curves.h"

#include "numbers/decimal.h"

#include <math.h>
#include <string.h>

typedef struct {
    page *page;
    const row_groups *g;
    const curve_plan *plan;
    int *column;                /* [quantities] */
} job;

static int index_of(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return count;
}

/* Different texts of the chosen groups, in the order of their appearance. */
static const char **distinct(const job *j, const int *chosen, int count, int label, int *found)
{
    const char **names = arena_get(&j->page->memory, (size_t)count, sizeof *names);
    *found = 0;
    for (int i = 0; names && i < count; i++) {
        const row_group *g = &j->g->group[chosen[i]];
        const char *name = label ? g->label : g->form;
        if (index_of(names, *found, name) == *found)
            names[(*found)++] = name;
    }
    return names;
}

static const char *level_of(const job *j, int row)
{
    char text[DECIMAL];
    const double step = row_number(j->g->table, row, "step"), rtol = row_number(j->g->table, row, "rtol");
    if (isfinite(rtol))
        return arena_format(&j->page->memory, "rtol = %s", decimal(rtol, text));
    return isfinite(step) ? arena_format(&j->page->memory, "step = %s", decimal(step, text)) : "";
}

/* The reason of a failure, and the level where it was asked for. */
static const char *note_of(const job *j, int row)
{
    const table *t = j->g->table;
    const char *level = j->plan->tell_level ? level_of(j, row) : "";
    if (!row_failed(t, row))
        return level;
    const char *reason = row_text(t, row, "reason");
    return arena_format(&j->page->memory, "%s%s%s", level, *level ? ": " : "",
                        reason ? reason : row_text(t, row, "status"));
}

/* 0: no memory. */
static int make_room(const job *j, size_t count, figure_curve *c)
{
    arena *memory = &j->page->memory;
    c->value = arena_get(memory, (size_t)j->plan->quantities, sizeof *c->value);
    c->note = arena_get(memory, count, sizeof *c->note);
    c->failed = arena_get(memory, count, 1);
    for (int i = 0; c->value && i < j->plan->quantities; i++) {
        c->value[i] = arena_get(memory, count, sizeof **c->value);
        if (!c->value[i])
            return 0;
    }
    return c->value && c->note && c->failed;
}

static int fill(const job *j, const row_group *g, figure_curve *c)
{
    const table *t = j->g->table;
    if (!make_room(j, (size_t)g->count, c))
        return 0;
    c->count = g->count;
    for (int k = 0; k < g->count; k++) {
        c->failed[k] = (char)row_failed(t, g->row[k]);
        c->note[k] = note_of(j, g->row[k]);
        for (int i = 0; i < j->plan->quantities; i++) {
            const int known = !c->failed[k] || j->plan->quantity[i].level;
            c->value[i][k] = known ? table_number_at(t, g->row[k], j->column[i]) : NAN;
        }
    }
    return 1;
}

/* ---- curves of many points: those that a picture shows ---- */

enum { THIN = 160 };

/* Of THIN parts of a curve the last point each, and the first of all; running maxima lose nothing by it that
 * a panel could show. */
static void thin(figure_curve *c, int quantities)
{
    if (c->count <= THIN)
        return;
    for (int k = 0; k < THIN; k++) {
        const int from = (int)((long)k * (c->count - 1) / (THIN - 1));
        for (int i = 0; i < quantities; i++)
            c->value[i][k] = c->value[i][from];
        c->note[k] = c->note[from];
        c->failed[k] = c->failed[from];
    }
    c->count = THIN;
}

/* ---- a figure ---- */

static void copy_quantities(const job *j, figure *f)
{
    for (int i = 0; i < f->quantities; i++) {
        const curve_quantity *q = &j->plan->quantity[i];
        f->quantity[i] = (figure_quantity){q->label, j->column[i] < 0 ? "" : table_unit_of(j->g->table, j->column[i]),
                                           q->log, q->sides};
    }
}

static int has_points(const figure *f, const figure_row *row)
{
    for (int i = 0; i < f->facets; i++)
        for (int k = 0; k < f->facet[i].curves; k++) {
            const figure_curve *c = &f->facet[i].curve[k];
            for (int j = 0; j < c->count; j++)
                if (isfinite(c->value[row->x][j]) && isfinite(c->value[row->y][j]))
                    return 1;
        }
    return 0;
}

/* Is it anywhere finite? */
static int is_measured(const figure *f, int quantity)
{
    return has_points(f, &(figure_row){"", quantity, quantity});
}

static void keep_what_is_there(figure *f)
{
    int rows = 0;
    for (int r = 0; r < f->rows; r++)
        if (has_points(f, &f->row[r]))
            f->row[rows++] = f->row[r];
    f->rows = rows;
    for (int i = 0; i < f->quantities; i++)
        f->quantity[i].sides = is_measured(f, i) ? f->quantity[i].sides : 0;
}

static figure *new_figure(const job *j)
{
    arena *memory = &j->page->memory;
    const curve_plan *plan = j->plan;
    figure *f = arena_get(memory, 1, sizeof *f);
    if (!f)
        return NULL;
    *f = (figure){.id = arena_format(memory, "figure-%d", j->page->figures + 1), .title = plan->title,
                  .caption = plan->caption, .command = plan->command, .quantities = plan->quantities,
                  .rows = plan->rows, .guides = plan->guides, .chooses = plan->chooses, .steps = plan->steps};
    f->quantity = arena_get(memory, (size_t)plan->quantities, sizeof *f->quantity);
    f->row = arena_get(memory, (size_t)plan->rows, sizeof *f->row);
    if (!f->quantity || !f->row)
        return NULL;
    memcpy(f->row, plan->row, (size_t)plan->rows * sizeof *f->row);
    copy_quantities(j, f);
    return f;
}

/* The curves of one formulation with series first ... first + count - 1. 0: no memory. */
static int fill_facet(const job *j, figure *f, figure_facet *facet, const int *chosen, int count)
{
    facet->curve = arena_get(&j->page->memory, (size_t)count, sizeof *facet->curve);
    for (int i = 0; facet->curve && i < count; i++) {
        const row_group *g = &j->g->group[chosen[i]];
        const int series = index_of(f->label, f->series, g->label);
        if (strcmp(g->form, facet->title) || series == f->series)
            continue;
        figure_curve *c = &facet->curve[facet->curves];
        c->series = series;
        if (!fill(j, g, c))
            return 0;
        thin(c, f->quantities);
        facet->curves++;
    }
    return facet->curve != NULL;
}

static void add_figure(const job *j, const int *chosen, int count, const char **labels, int series)
{
    figure *f = new_figure(j);
    if (!f)
        return;
    const char **forms = distinct(j, chosen, count, 0, &f->facets);
    f->label = labels;
    f->series = series;
    f->facet = arena_get(&j->page->memory, (size_t)f->facets, sizeof *f->facet);
    if (!forms || !f->facet)
        return;
    for (int i = 0; i < f->facets; i++) {
        f->facet[i].title = forms[i];
        if (!fill_facet(j, f, &f->facet[i], chosen, count))
            return;
    }
    keep_what_is_there(f);
    if (f->rows)
        page_figure(j->page, f);
}

void curves_add(page *p, const row_groups *g, const int *chosen, int count, const curve_plan *plan)
{
    job j = {p, g, plan, arena_get(&p->memory, (size_t)plan->quantities, sizeof *j.column)};
    curve_plan part = *plan;
    int series;
    const char **labels = distinct(&j, chosen, count, 1, &series);
    if (!j.column || !labels || !count)
        return;
    for (int i = 0; i < plan->quantities; i++)
        j.column[i] = table_find(g->table, plan->quantity[i].column);
    const int figures = (series + CURVES_MOST - 1) / CURVES_MOST;
    j.plan = &part;
    for (int i = 0; i < figures; i++) {
        const int first = (int)((long)i * series / figures), end = (int)((long)(i + 1) * series / figures);
        if (figures > 1)
            part.title = arena_format(&p->memory, "%s, %d of %d", plan->title, i + 1, figures);
        add_figure(&j, chosen, count, labels + first, end - first);
    }
}
