#include "output/table_people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_missing(const table *t, int row, int i)
{
    return !table_text_at(t, row, i) && !isfinite(table_number_at(t, row, i));
}

static int is_same(const table *t, int row, int other, int i)
{
    const char *a = table_text_at(t, row, i), *b = table_text_at(t, other, i);
    return a && b ? strcmp(a, b) == 0 : !a && !b && table_number_at(t, row, i) == table_number_at(t, other, i);
}

typedef enum { EMPTY, SHARED, OWN } holds;

static holds what_holds(const table *t, int i)
{
    int missing = 0, same = 1;
    for (int row = 0; row < table_rows(t); row++) {
        missing += is_missing(t, row, i);
        same = same && is_same(t, row, 0, i);
    }
    return missing == table_rows(t) ? EMPTY : same && table_rows(t) > 1 ? SHARED : OWN;
}

static int has_texts(const table *t, int i)
{
    for (int row = 0; row < table_rows(t); row++)
        if (table_text_at(t, row, i))
            return 1;
    return 0;
}

static void tell_shared(FILE *out, const table *t, int i, int first)
{
    const char *text = table_text_at(t, 0, i), *unit = table_unit_of(t, i);
    fprintf(out, "%s%s ", first ? "" : ", ", table_name_of(t, i));
    if (text)
        fputs(text, out);
    else
        fprintf(out, "%.6g%s%s", table_number_at(t, 0, i), *unit ? " " : "", unit);
}

static char *shared_words(const table *t, const holds *what)
{
    char *text = NULL;
    size_t length;
    int told = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    for (int i = 0; i < table_columns(t); i++)
        if (what[i] == SHARED)
            tell_shared(out, t, i, !told++);
    if (fclose(out) == 0)
        return text;                                    /* NULL where memory was short at the end */
    free(text);
    return NULL;
}

static void head(grid *g, const table *t, int i)
{
    char title[256];
    const char *name = table_name_of(t, i), *unit = table_unit_of(t, i);
    snprintf(title, sizeof title, *unit ? "%s [%s]" : "%s", name, unit);
    grid_column(g, name, title, has_texts(t, i) ? NULL : "%.6g");
}

static grid *own_columns(const table *t, const holds *what)
{
    grid *g = grid_new();
    for (int i = 0; g && i < table_columns(t); i++)
        if (what[i] == OWN)
            head(g, t, i);
    for (int row = 0; g && row < table_rows(t); row++)
        for (int i = 0; i < table_columns(t); i++) {
            if (what[i] != OWN)
                continue;
            if (table_text_at(t, row, i))
                grid_text(g, table_text_at(t, row, i));
            else
                grid_number(g, table_number_at(t, row, i));
        }
    return g;
}

grid *table_people(const table *t, char **shared)
{
    holds *what = malloc(((size_t)table_columns(t) + 1) * sizeof *what);
    for (int i = 0; what && i < table_columns(t); i++)
        what[i] = what_holds(t, i);
    *shared = what ? shared_words(t, what) : NULL;
    grid *g = *shared ? own_columns(t, what) : NULL;
    free(what);
    if (g && !grid_failed(g))
        return g;
    grid_free(g);
    free(*shared);
    *shared = NULL;
    return NULL;
}
