#include "publish/growth.h"

#include <math.h>
#include <string.h>

enum { MOST_QUANTITIES = 8, MOST_NAMED = 6 };

static row_groups growth_groups(const study_view *v)
{
    return groups_of(dataset_find(v->data, "growth"), 0, &v->page->memory);
}

/* ---- tables ---- */

static int add_name(const char **names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return count;
    if (count < MOST_QUANTITIES)
        names[count++] = name;
    return count;
}

static int quantities_of(const row_groups *g, const int *chosen, int count, const char *names[MOST_QUANTITIES])
{
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < g->group[chosen[i]].count; k++)
            found = add_name(names, found, row_text_or_empty(g->table, g->group[chosen[i]].row[k], "quantity"));
    return found;
}

/* "linear, 2.3e-06 1/s"; "not determined (like t^0.51)". */
static const char *law_text(const study_view *v, const table *t, int row)
{
    const char *law = row_text_or_empty(t, row, "law"), *unit = row_text_or_empty(t, row, "rate_unit");
    const double rate = row_number(t, row, "rate");
    if (isfinite(rate))
        return arena_format(&v->page->memory, "%s, %.2g%s%s", law, rate, *unit ? " " : "", unit);
    const double power = row_number(t, row, "power");
    return isfinite(power) ? arena_format(&v->page->memory, "%s (like t^%.2g)", law, power) : law;
}

static page_tone law_tone(const char *law) { return strcmp(law, "exponential") ? TONE_PLAIN : TONE_BAD; }

static void law_cell(const study_view *v, page_table *t, const row_groups *g, const row_group *run,
                     const char *quantity)
{
    for (int k = 0; k < run->count; k++)
        if (strcmp(row_text_or_empty(g->table, run->row[k], "quantity"), quantity) == 0) {
            page_table_text(t, law_tone(row_text_or_empty(g->table, run->row[k], "law")),
                            law_text(v, g->table, run->row[k]));
            return;
        }
    page_table_text(t, TONE_PLAIN, "");
}

static void growth_table(const study_view *v, const row_groups *g, const int *chosen, int count)
{
    const char *names[MOST_QUANTITIES];
    const int quantities = quantities_of(g, chosen, count, names);
    page_table *t = page_table_add(v->page,
                                   arena_format(&v->page->memory, "%s: the law by which drifts grow, and its rate",
                                                         view_subject(v, &g->group[chosen[0]])));
    page_table_column(t, "form", "", NULL);
    page_table_column(t, "method", "", NULL);
    for (int i = 0; i < quantities; i++)
        page_table_column(t, names[i], "", NULL);
    for (int i = 0; i < count; i++) {
        const row_group *run = &g->group[chosen[i]];
        page_table_text(t, TONE_PLAIN, run->form);
        page_table_text(t, TONE_PLAIN, run->label);
        for (int k = 0; k < quantities; k++)
            law_cell(v, t, g, run, names[k]);
    }
}

void growth_tables(const study_view *v)
{
    const row_groups g = growth_groups(v);
    int *chosen = arena_get(&v->page->memory, (size_t)g.count + 1, sizeof *chosen);
    for (int i = groups_next(&g, 0); chosen && i < g.count; i = groups_next(&g, i + 1))
        growth_table(v, &g, chosen, view_beside(&g, i, -1, chosen));
}

/* ---- sentences: of the first quantity of each problem ---- */

typedef struct { const char *law; int runs; const char *named; } law_count;

static void count_run(const study_view *v, law_count *laws, int *count, const char *law, const row_group *run)
{
    int i = 0;
    while (i < *count && strcmp(laws[i].law, law))
        i++;
    if (i == MOST_QUANTITIES)
        return;
    if (i == *count)
        laws[(*count)++] = (law_count){law, 0, ""};
    if (laws[i].runs++ < MOST_NAMED)
        laws[i].named = arena_format(&v->page->memory, "%s%s%s by %s", laws[i].named, *laws[i].named ? ", " : "",
                                     run->form, run->label);
    else if (laws[i].runs == MOST_NAMED + 1)
        laws[i].named = arena_format(&v->page->memory, "%s and others", laws[i].named);
}

static void say_laws(const study_view *v, const row_group *of, const char *quantity, const law_count *laws, int count)
{
    arena *memory = &v->page->memory;
    const char *text = arena_format(memory, "%s: the drift of %s is", view_subject(v, of), quantity);
    page_tone tone = TONE_PLAIN;
    for (int i = 0; i < count; i++) {
        tone = law_tone(laws[i].law) > tone ? law_tone(laws[i].law) : tone;
        text = arena_format(memory, "%s%s %s in %d run%s (%s)", text, i ? ";" : "", laws[i].law, laws[i].runs,
                            laws[i].runs == 1 ? "" : "s", laws[i].named);
    }
    page_finding(v->page, tone, "%s.", text);
}

void say_growth(const study_view *v)
{
    const row_groups g = growth_groups(v);
    for (int i = groups_next(&g, 0); i < g.count; i = groups_next(&g, i + 1)) {
        law_count laws[MOST_QUANTITIES + 1];
        int count = 0;
        const char *quantity = row_text_or_empty(g.table, g.group[i].row[0], "quantity");
        for (int k = i; k < g.count; k++)
            if (group_beside(&g.group[i], &g.group[k])
                && strcmp(row_text_or_empty(g.table, g.group[k].row[0], "quantity"), quantity) == 0)
                count_run(v, laws, &count, row_text_or_empty(g.table, g.group[k].row[0], "law"), &g.group[k]);
        say_laws(v, &g.group[i], quantity, laws, count);
    }
}
