#include "compare/curve_means.h"

#include "compare/match.h"
#include "compare/rules.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char RUNS[] = "runs";

int curve_means_begin(curve_means *m)
{
    *m = (curve_means){.place = json_object()};
    m->failed = !m->place;
    return !m->failed;
}

void curve_means_free(curve_means *m)
{
    json_decref(m->place);
    free(m->curve);
    *m = (curve_means){.count = 0};
}

/* ---- which curve a run is of ---- */

static int is_no_curve(const char *column) { return rule_is_level(column) || rule_is_choice(column); }

static int make_room(curve_means *m)
{
    if (m->count < m->room)
        return 1;
    const int room = m->room ? 2 * m->room : 64;
    curve_mean *longer = realloc(m->curve, (size_t)room * sizeof *longer);
    if (!longer)
        return 0;
    m->curve = longer;
    m->room = room;
    return 1;
}

/* NULL where memory is short. */
static curve_mean *curve_by_key(curve_means *m, const char *key)
{
    const json_t *place = json_object_get(m->place, key);
    if (place)
        return &m->curve[json_integer_value(place)];
    if (!make_room(m) || json_object_set_new(m->place, key, json_integer(m->count)))
        return NULL;
    m->curve[m->count] = (curve_mean){.worst_row = -1};
    return &m->curve[m->count++];
}

static curve_mean *curve_of(curve_means *m, const table *of, int row, const char *column)
{
    char *run = match_key(RUNS, of, row, is_no_curve), *key = NULL;
    curve_mean *c = run && asprintf(&key, "%s%s", column, run) >= 0 ? curve_by_key(m, key) : NULL;
    free(key);
    free(run);
    return c;
}

/* ---- its numbers ---- */

static double cell(const table *t, int row, const char *column)
{
    return table_number_at(t, row, table_find(t, column));
}

/* Of the variables that a column has the errors of, of times the interval; NaN: not known. */
static double scale_of(const table *of, int row, const char *column)
{
    char scale[128];
    snprintf(scale, sizeof scale, "scale%s", strchr(column, '_'));
    if (strcmp(column, "error_event_time") == 0)
        return cell(of, row, "t_end") - cell(of, row, "t_start");
    return cell(of, row, scale);
}

/* Beyond what was asked for; with fixed steps nothing was. Variables that pass zero at the end have atol. */
static int matters(const table *of, int row, const char *column, double error)
{
    const double asked = cell(of, row, "rtol") * scale_of(of, row, column);
    const double least = table_text_at(of, row, table_find(of, "atol_of")) ? 0 : cell(of, row, "atol");
    return !(error <= CURVE_WITHIN * asked || error <= CURVE_WITHIN * least);
}

/* What is below some roundings of the variables is as good as these. */
static double above_rounding(const table *of, int row, const char *column, double error)
{
    enum { ROUNDINGS = 16 };
    return fmax(error, ROUNDINGS * DBL_EPSILON * scale_of(of, row, column));
}

/* In which direction, and whether by much. */
static void count_change(curve_mean *c, const table *of, int row, const char *column, double before, double after)
{
    static const double SAME = 1.01;
    c->larger += after > SAME * before;
    c->smaller += before > SAME * after;
    c->much_larger += after > CURVE_MUCH * before && matters(of, row, column, after);
    c->much_smaller += before > CURVE_MUCH * after && matters(of, row, column, before);
}

void curve_means_add(curve_means *m, const table *of, int row, const char *column, double before, double after)
{
    if (!(isfinite(before) && isfinite(after)))
        return;
    before = above_rounding(of, row, column, before);
    after = above_rounding(of, row, column, after);
    if (!(before > 0 && after > 0))                     /* of variables whose size is not known */
        return;
    curve_mean *c = curve_of(m, of, row, column);
    if (!c) {
        m->failed = 1;
        return;
    }
    c->of = of;
    c->row = row;
    c->column = column;
    c->levels++;
    c->logarithms += log(after / before);
    count_change(c, of, row, column, before, after);
    if (matters(of, row, column, after) && after / before > c->worst) {
        c->worst = after / before;
        c->worst_row = row;
    }
}

double curve_mean_of(const curve_mean *c) { return exp(c->logarithms / c->levels); }

/* ---- the table ---- */

static int larger_first(const void *a, const void *b)
{
    const curve_mean *x = *(const curve_mean *const *)a, *y = *(const curve_mean *const *)b;
    const double of_x = curve_mean_of(x), of_y = curve_mean_of(y);
    return of_x != of_y ? (of_y > of_x) - (of_y < of_x) : (x > y) - (x < y);
}

static int is_changed(const curve_mean *c)
{
    return c->logarithms != 0 || (c->worst_row >= 0 && c->worst != 1);
}

static void key_cells(table *t, const curve_mean *c)
{
    for (int i = 0; i < table_columns(c->of); i++) {
        const char *column = table_name_of(c->of, i), *text = table_text_at(c->of, c->row, i);
        if (!rule_is_key(RUNS, column) || is_no_curve(column))
            continue;
        if (text)
            table_text(t, column, text);
        else
            table_number(t, column, table_unit_of(c->of, i), table_number_at(c->of, c->row, i));
    }
}

static void add_curve(table *t, const curve_mean *c)
{
    const int known = c->worst_row >= 0;
    table_row(t);
    key_cells(t, c);
    table_text(t, "class", strchr(c->column, '_') + 1);
    table_count(t, "levels", c->levels);
    table_number(t, "mean", "", curve_mean_of(c));
    table_count(t, "larger", c->larger);
    table_count(t, "smaller", c->smaller);
    table_count(t, "much_larger", c->much_larger);
    table_count(t, "much_smaller", c->much_smaller);
    table_number(t, "worst", "", known ? c->worst : NAN);
    table_number(t, "worst_rtol", "", known ? cell(c->of, c->worst_row, "rtol") : NAN);
    table_number(t, "worst_step", "", known ? cell(c->of, c->worst_row, "step") : NAN);
    table_number(t, "worst_error", "", known ? cell(c->of, c->worst_row, c->column) : NAN);
}

table *curve_means_table(const curve_means *m, int changed, int most)
{
    const curve_mean **list = calloc((size_t)m->count + 1, sizeof *list);
    table *t = list ? table_new() : NULL;
    int count = 0;
    for (int i = 0; t && i < m->count; i++)
        if (!changed || is_changed(&m->curve[i]))
            list[count++] = &m->curve[i];
    if (t)
        qsort(list, (size_t)count, sizeof *list, larger_first);
    for (int i = 0; t && i < count && i < most; i++)
        add_curve(t, list[i]);
    free(list);
    if (t && !table_failed(t))
        return t;
    table_free(t);
    return NULL;
}
