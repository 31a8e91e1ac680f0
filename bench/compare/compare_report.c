#include "compare/compare_report.h"

#include "compare/rules.h"
#include "output/table_people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the changes, the worst first ---- */

static int worst_first(const void *a, const void *b)
{
    const change *x = *(const change *const *)a, *y = *(const change *const *)b;
    return x->kind != y->kind ? (y->kind > x->kind) - (y->kind < x->kind)
           : !x->column != !y->column ? !x->column - !y->column         /* rows of one result last */
           : x->quantity != y->quantity ? (x->quantity > y->quantity) - (x->quantity < y->quantity)
                                        : (x > y) - (x < y);
}

/* [count] those that are none the same; NULL where memory is short. */
static const change **sorted(const comparison *c, int *count)
{
    const change **list = calloc((size_t)c->count + 1, sizeof *list);
    *count = 0;
    for (int i = 0; list && i < c->count; i++)
        if (c->change[i].kind != CHANGE_SAME)
            list[(*count)++] = &c->change[i];
    if (list)
        qsort(list, (size_t)*count, sizeof *list, worst_first);
    return list;
}

/* Which run the row is of. */
static void key_cells(table *t, const change *x)
{
    for (int i = 0; i < table_columns(x->of); i++) {
        const char *column = table_name_of(x->of, i), *text = table_text_at(x->of, x->row, i);
        if (!rule_is_key(x->table, column))
            continue;
        if (text)
            table_text(t, column, text);
        else
            table_number(t, column, table_unit_of(x->of, i), table_number_at(x->of, x->row, i));
    }
}

static void add_change(table *t, const change *x)
{
    table_row(t);
    table_text(t, "change", change_names[x->kind]);
    table_text(t, "table", x->table);
    table_text(t, "what", x->column ? x->column : "row");
    if (x->was || x->is) {
        table_text(t, "before", x->was);
        table_text(t, "after", x->is);
    } else {
        table_number(t, "before", "", x->before);
        table_number(t, "after", "", x->after);
    }
    table_number(t, "ratio", "", x->before != 0 ? x->after / x->before : NAN);
    table_number(t, "p", "", x->p);
    key_cells(t, x);
}

static table *table_of(const comparison *c, int most)
{
    int count;
    const change **list = sorted(c, &count);
    table *t = list ? table_new() : NULL;
    for (int i = 0; t && i < count && i < most; i++)
        add_change(t, list[i]);
    free(list);
    if (!table_failed(t))
        return t;
    table_free(t);
    return NULL;
}

table *compare_table(const comparison *c) { return table_of(c, c->count); }

/* ---- what made them ---- */

/* "" where it is not there. */
static const char *word_of(const dataset *d, const char *key)
{
    const char *word = json_string_value(json_object_get(d->provenance, key));
    return word ? word : "";
}

const char *compare_other_machine(const dataset *before, const dataset *after)
{
    static const char *const keys[] = {"cpu", "compiler", "flags", "build", "blas", "timed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(word_of(before, keys[i]), word_of(after, keys[i])) != 0)
            return keys[i];
    return NULL;
}

static void note_provenance(document *doc, const compared_files *f)
{
    static const char *const keys[] = {"version", "commit", "compiler", "flags", "build", "klu", "blas", "cpu",
                                       "system"};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *was = word_of(f->data[0], keys[i]), *is = word_of(f->data[1], keys[i]);
        if (strcmp(was, is) == 0)
            continue;
        document_note(doc, "%s: %s, now %s", keys[i], *was ? was : "not known", *is ? is : "not known");
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "what", keys[i], "before", was, "after", is));
    }
    document_set(doc, "provenance", list);
}

static void note_problems(document *doc, const compared_files *f)
{
    const char *name;
    json_t *problem;
    const json_t *old = json_object_get(f->data[0]->provenance, "problems");
    json_object_foreach(json_object_get(f->data[1]->provenance, "problems"), name, problem) {
        const json_t *before = json_object_get(json_object_get(old, name), "file_hash");
        const json_t *after = json_object_get(problem, "file_hash");
        if (json_is_string(before) && json_is_string(after) && !json_equal(before, after))
            document_remark(doc, "the file of %s has changed", name);
    }
}

/* ---- the document ---- */

static grid *summary_grid(const comparison *c)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "what", "what", NULL);
    grid_column(g, "compared", "compared", "%.0f");
    for (change_kind k = CHANGE_SAME; k < CHANGES; k++)
        grid_column(g, change_names[k], change_names[k], "%.0f");
    for (quantity_kind q = 0; q < QUANTITIES; q++) {
        grid_text(g, quantity_names[q]);
        grid_number(g, c->compared[q]);
        for (change_kind k = CHANGE_SAME; k < CHANGES; k++)
            grid_number(g, c->found[q][k]);
    }
    return g;
}

static void note_rows(document *doc, const comparison *c)
{
    document_note(doc, "%d row%s of the same run%s", c->rows, c->rows == 1 ? "" : "s", c->rows == 1 ? "" : "s");
    if (c->gone)
        document_note(doc, "%d row%s only in the old result: that is worse, as nothing is known of %s any more",
                      c->gone, c->gone == 1 ? "" : "s", c->gone == 1 ? "it" : "them");
    if (c->added)
        document_note(doc, "%d row%s only in the new result", c->added, c->added == 1 ? "" : "s");
    document_note(doc, "worse: an error, a drift or a count that has grown by more than %g %%, and by more than "
                  "rounding; an order whose interval lies below the old one, or that is now below the declared one; a "
                  "run that fails, or an error that is not known, now", 100 * c->options->tolerance);
}

static void note_times(document *doc, const comparison *c, const char *other)
{
    if (!c->options->times) {
        document_note(doc, "times are not compared: %s is not the same (--time-tolerance compares them all the same)",
                      other);
        return;
    }
    if (!c->compared[OF_TIME])
        return;
    document_note(doc, "a time has changed where it differs by more than %g %% and, at a level of 5 %% for all of them "
                  "together, by more than noise: that of the repeats (medians and quartiles), and what the ratios of "
                  "all vary by, %.2g %% (two-sided t, Bonferroni)", 100 * c->options->time_tolerance, 100 * c->between);
    if (isfinite(c->low))
        document_note(doc, "all times: new/old %.3g in the median, within [%.3g, %.3g] at %.0f %% (sign test)%s",
                      c->faster, c->low, c->high, 100 * c->level, compare_slower(c) ? ": that is worse" : "");
    else
        document_note(doc, "all times: new/old %.3g in the median; too few for an interval", c->faster);
}

static void set_json(document *doc, const comparison *c, const compared_files *f)
{
    table *all = compare_table(c), *means = curve_means_table(&c->means, 0, c->means.count);
    grid *g = summary_grid(c);
    document_set(doc, "before", json_string(f->name[0]));
    document_set(doc, "after", json_string(f->name[1]));
    document_set(doc, "worse", json_boolean(compare_worse(c)));
    document_set(doc, "tolerance", json_real(c->options->tolerance));
    document_set(doc, "time_tolerance", json_real(c->options->time_tolerance));
    document_set(doc, "rows", json_pack("{s:i, s:i, s:i}", "matched", c->rows, "gone", c->gone, "added", c->added));
    document_set(doc, "times", json_pack("{s:b, s:i, s:f, s:o, s:o, s:o, s:o}", "compared", c->options->times, "count",
                                         c->compared[OF_TIME], "between", c->between, "ratio", json_number(c->faster),
                                         "low", json_number(c->low), "high", json_number(c->high), "level",
                                         json_number(c->level)));
    document_set(doc, "summary", g ? grid_json(g) : NULL);
    document_set(doc, "changes", all ? table_json(all) : NULL);
    document_set(doc, "curves", means ? table_json(means) : NULL);
    grid_free(g);
    table_free(means);
    table_free(all);
}

enum { SHOWN = 40 };

/* A table, which is released, below a heading and what all its rows share. */
static void add_table(document *doc, const char *heading, table *t)
{
    char *shared, *text = NULL;
    grid *g = t ? table_people(t, &shared) : NULL;
    if (g && asprintf(&text, "%s%s%s", heading, *shared ? "; in all: " : "", shared) >= 0)
        document_section_add(doc, text, g);
    else
        doc->failed = 1;
    if (g)
        free(shared);
    free(text);
    table_free(t);
}

static void add_changes(document *doc, const comparison *c)
{
    int count;
    const change **list = sorted(c, &count);
    free(list);
    if (!list)
        doc->failed = 1;
    else if (count)
        add_table(doc, "what changed, the worst first", table_of(c, SHOWN));
    if (count > SHOWN)
        document_note(doc, "... %d more changes: --format csv or json holds them all", count - SHOWN);
}

static void add_curves(document *doc, const comparison *c)
{
    table *t = curve_means_table(&c->means, 1, SHOWN);
    if (t && !table_rows(t)) {
        table_free(t);
        return;
    }
    add_table(doc, "errors of each curve, over its levels: geometric mean of new/old, the largest first", t);
    document_note(doc, "worst: the largest new/old of a single error of the curve above %d rtol of the size of its "
                  "variables, and so many atol; larger, smaller: how many changed by more than 1 %%; much: by more "
                  "than %d, to or from above that", CURVE_WITHIN, CURVE_MUCH);
}

document *compare_report(const comparison *c, const compared_files *f)
{
    document *doc = document_new("compare");
    if (!doc)
        return NULL;
    document_set(doc, "remarks", json_array());
    if (asprintf(&doc->title, "from %s to %s: %s", f->name[0], f->name[1],
                 compare_worse(c) ? "changed for the worse" : "nothing is worse") < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
    set_json(doc, c, f);
    document_section_add(doc, NULL, summary_grid(c));
    add_changes(doc, c);
    add_curves(doc, c);
    note_rows(doc, c);
    note_times(doc, c, compare_other_machine(f->data[0], f->data[1]));
    note_problems(doc, f);
    note_provenance(doc, f);
    return doc;
}
