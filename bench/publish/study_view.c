#include "publish/study_view.h"

#include <string.h>

/* ---- titles ---- */

enum { MOST_NAMES = 12 };

/* Different texts of a column, "a, b and others". */
static const char *names_in(const table *t, const char *column, arena *memory)
{
    const char *names[MOST_NAMES], *text = "";
    int count = 0;
    for (int row = 0; t && row < table_rows(t); row++) {
        const char *name = row_text_or_empty(t, row, column);
        int k = 0;
        while (k < count && strcmp(names[k], name))
            k++;
        if (k == MOST_NAMES)
            return arena_format(memory, "%s and others", text);
        if (k < count || !*name)
            continue;
        names[count++] = name;
        text = arena_format(memory, "%s%s%s", text, *text ? ", " : "", name);
    }
    return text;
}

/* That of the study; else "converge: pendulum, bead"; else the name of the file. */
static const char *title_of(const dataset *data, const char *file, arena *memory)
{
    const table *runs = dataset_find(data, "runs");
    const char *kinds = names_in(runs, "kind", memory), *problems = names_in(runs, "problem", memory);
    if (*data->title)
        return data->title;
    return *kinds && *problems ? arena_format(memory, "%s: %s", kinds, problems) : file;
}

study_view study_view_of(const dataset *data, const char *file, int number, page *p)
{
    arena *memory = &p->memory;
    return (study_view){.data = data, .number = number, .title = title_of(data, file, memory), .page = p,
                        .runs = groups_of(dataset_find(data, "runs"), 1, memory),
                        .orders = groups_of(dataset_find(data, "orders"), 1, memory),
                        .drift = groups_of(dataset_find(data, "drift"), 0, memory),
                        .work = groups_of(dataset_find(data, "work"), 1, memory)};
}

void view_section(const study_view *v, const char *name, const char *title)
{
    arena *memory = &v->page->memory;
    if (v->number)
        page_section(v->page, arena_format(memory, "%d-%s", v->number, name),
                     arena_format(memory, "%d. %s", v->number, title));
    else
        page_section(v->page, name, title);
}

int view_beside(const row_groups *g, int first, int by_rtol, int *chosen)
{
    int count = 0;
    for (int i = 0; chosen && i < g->count; i++)
        if (group_beside(&g->group[first], &g->group[i]) && (by_rtol < 0 || g->group[i].by_rtol == by_rtol))
            chosen[count++] = i;
    return count;
}

/* Are there parts besides this one? Its name is said then. */
static int has_other_parts(const study_view *v, const char *part)
{
    for (int i = 0; i < v->runs.count; i++)
        if (strcmp(v->runs.group[i].part, part))
            return 1;
    return 0;
}

const char *view_subject(const study_view *v, const row_group *g)
{
    return has_other_parts(v, g->part) ? arena_format(&v->page->memory, "%s: %s", g->part, g->problem) : g->problem;
}

const char *view_pair(const study_view *v, const row_group *g)
{
    return arena_format(&v->page->memory, "%s, %s by %s", g->problem, g->form, g->label);
}

const char *view_percent(const study_view *v, double ratio)
{
    return arena_format(&v->page->memory, ratio < 0.995 ? "%.2g %%" : "%.0f %%", 100 * ratio);
}

/* ---- commands ---- */

/* A word as a shell takes it. */
static const char *quoted(const char *word, arena *memory)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
    const char *text = "'";
    if (*word && strspn(word, plain) == strlen(word))
        return word;
    for (const char *rest = word; rest;) {
        const char *quote = strchr(rest, '\'');
        text = quote ? arena_format(memory, "%s%.*s'\\''", text, (int)(quote - rest), rest)
                     : arena_format(memory, "%s%s'", text, rest);
        rest = quote ? quote + 1 : NULL;
    }
    return text;
}

/* Words of the command; outputs are the reader's own. */
const char *view_whole_command(const study_view *v)
{
    const json_t *words = json_object_get(v->data->provenance, "command");
    const char *text = "";
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (!word)
            return "";
        if (strcmp(word, "--output") == 0 || strcmp(word, "--plot") == 0 || strcmp(word, "--format") == 0) {
            i++;
            continue;
        }
        if (strcmp(word, "--quiet") && strcmp(word, "-q"))
            text = arena_format(&v->page->memory, "%s%s%s", text, *text ? " " : "", quoted(word, &v->page->memory));
    }
    return text;
}

/* A study of several parts runs one of them alone. */
const char *view_command(const study_view *v, const row_group *g)
{
    const char *command = view_whole_command(v);
    const char *kind = json_string_value(json_array_get(json_object_get(v->data->provenance, "command"), 1));
    if (!kind || strcmp(kind, "study") || !has_other_parts(v, g->part))
        return command;
    return arena_format(&v->page->memory, "%s --part %s", command, quoted(g->part, &v->page->memory));
}

int view_finest(const table *t, const row_group *g)
{
    for (int k = g->count; k-- > 0;)
        if (!row_failed(t, g->row[k]))
            return g->row[k];
    return -1;
}
