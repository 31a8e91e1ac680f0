#include "compare/compare.h"

#include "compare/match.h"
#include "compare/rules.h"
#include "compare/times.h"
#include "numbers/median_interval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const change_names[CHANGES] = {"same", "better", "changed", "worse"};
const char *const quantity_names[QUANTITIES] = {"outcomes", "accuracy", "orders", "counts", "times", "values"};

static const double LEVEL = 0.05;       /* of the tests of times, for all rows together */

/* ---- one cell ---- */

typedef struct {
    const comparison *c;
    const char *name;
    const table *before, *after;
    int row_before, row_after;
    const char *column;
} pair;

static double number_before(const pair *p, const char *column)
{
    return table_number_at(p->before, p->row_before, table_find(p->before, column));
}

static double number_after(const pair *p, const char *column)
{
    return table_number_at(p->after, p->row_after, table_find(p->after, column));
}

/* Largest of the variables, in either of the rows. */
static double largest_scale(const pair *p)
{
    static const char scale[] = "scale_";
    double largest = 0;
    for (int i = 0; i < table_columns(p->after); i++)
        if (strncmp(table_name_of(p->after, i), scale, strlen(scale)) == 0)
            largest = fmax(largest, fmax(table_number_at(p->after, p->row_after, i),
                                         number_before(p, table_name_of(p->after, i))));
    return largest;
}

/* How much of a column may be rounding: of an error as it was measured, of a drift some roundings of the largest
 * variable. */
static double noise_of(const pair *p)
{
    enum { ROUNDINGS = 1000 };
    const char *underscore = strchr(p->column, '_');
    char name[128];
    if (strncmp(p->column, "drift_", 6) == 0)
        return ROUNDINGS * DBL_EPSILON * largest_scale(p);
    snprintf(name, sizeof name, "rounding%s", underscore ? underscore : "");
    return fmax(0, fmax(number_before(p, name), number_after(p, name)));
}

/* Of what is better small. */
static change_kind judge_size(double before, double after, double tolerance, double noise)
{
    if (!isfinite(before) || !isfinite(after))
        return CHANGE_OTHER;
    return after > before * (1 + tolerance) && after - before > noise    ? CHANGE_WORSE
           : before > after * (1 + tolerance) && before - after > noise ? CHANGE_BETTER
                                                                        : CHANGE_OTHER;
}

static int is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

/* Of words, one of which is good or one of which is bad. */
static change_kind judge_words(const char *was, const char *is)
{
    const int was_good = is_word(was, "ok") || is_word(was, "bounded"), was_bad = is_word(was, "below");
    const int is_good = is_word(is, "ok") || is_word(is, "bounded"), is_bad = is_word(is, "below");
    if (is_bad != was_bad)
        return is_bad ? CHANGE_WORSE : CHANGE_BETTER;
    if (is_good != was_good && !is_word(is, "not determined") && !is_word(was, "not determined"))
        return is_good ? CHANGE_BETTER : CHANGE_WORSE;
    return CHANGE_OTHER;
}

/* An error or a drift of a run that went through, and is no longer known, is no longer watched, as a row that is
 * gone. */
static change_kind judge_accuracy(const pair *p, double before, double after, double tolerance)
{
    const char *status = table_text_at(p->after, p->row_after, table_find(p->after, "status"));
    if (isfinite(before) && !isfinite(after) && (!status || is_word(status, "ok")))
        return CHANGE_WORSE;
    return judge_size(before, after, tolerance, noise_of(p));
}

/* An order has changed for certain where its intervals have nothing in common. */
static change_kind judge_order(const pair *p)
{
    return number_after(p, "high") < number_before(p, "low")   ? CHANGE_WORSE
           : number_after(p, "low") > number_before(p, "high") ? CHANGE_BETTER
                                                               : CHANGE_OTHER;
}

static change_kind judge(const pair *p, const change *x)
{
    const double tolerance = p->c->options->tolerance;
    if (x->quantity != OF_ACCURACY && (x->was || x->is))
        return judge_words(x->was, x->is);
    switch (x->quantity) {
    case OF_ACCURACY: return judge_accuracy(p, x->before, x->after, tolerance);
    case OF_COUNT: return judge_size(x->before, x->after, tolerance, 0);
    case OF_ORDER: return judge_order(p);
    default: return CHANGE_OTHER;
    }
}

static int is_same(const change *x)
{
    if (x->was || x->is)
        return x->was && x->is && strcmp(x->was, x->is) == 0;
    return x->before == x->after || (isnan(x->before) && isnan(x->after));
}

/* ---- all cells ---- */

static void append(comparison *c, const change *x)
{
    if (c->count == c->room) {
        const int room = c->room ? 2 * c->room : 64;
        change *longer = realloc(c->change, (size_t)room * sizeof *longer);
        if (!longer) {
            c->failed = 1;
            return;
        }
        c->change = longer;
        c->room = room;
    }
    c->change[c->count++] = *x;
}

/* Quartiles are those of rounds, where there were such. */
static double sample_size(double rounds, double repeats) { return isfinite(rounds) ? rounds : repeats; }

static variance_estimate noise_of_times(const pair *p)
{
    time_columns of;
    if (!rule_time(p->name, p->column, &of))
        return (variance_estimate){NAN, NAN};
    const time_sample a = {number_before(p, of.median), number_before(p, of.lower), number_before(p, of.upper),
                           sample_size(number_before(p, of.rounds), number_before(p, of.repeats))};
    const time_sample b = {number_after(p, of.median), number_after(p, of.lower), number_after(p, of.upper),
                           sample_size(number_after(p, of.rounds), number_after(p, of.repeats))};
    return times_variance(&a, &b);
}

static int is_missing(const change *x) { return !x->was && !x->is && isnan(x->before) && isnan(x->after); }

/* Of a run, at its end. */
static int is_error(const pair *p) { return strcmp(p->name, "runs") == 0 && strncmp(p->column, "error_", 6) == 0; }

static void compare_cell(comparison *c, const pair *p, quantity_kind quantity)
{
    const int other = table_find(p->before, p->column), column = table_find(p->after, p->column);
    change x = {.of = p->after, .table = p->name, .row = p->row_after, .column = p->column, .quantity = quantity,
                .before = table_number_at(p->before, p->row_before, other),
                .after = table_number_at(p->after, p->row_after, column),
                .was = table_text_at(p->before, p->row_before, other),
                .is = table_text_at(p->after, p->row_after, column), .p = NAN};
    if (is_missing(&x) || (quantity == OF_TIME && (!c->options->times || !(x.before > 0 && x.after > 0))))
        return;
    c->compared[quantity]++;
    if (is_error(p))
        curve_means_add(&c->means, p->after, p->row_after, p->column, x.before, x.after);
    if (quantity == OF_TIME)
        x.noise = noise_of_times(p);                      /* judged when all are there */
    else if (is_same(&x)) {
        c->found[quantity][CHANGE_SAME]++;
        return;
    } else {
        x.kind = judge(p, &x);
        c->found[quantity][x.kind]++;
    }
    append(c, &x);
}

static void compare_row(comparison *c, const pair *row)
{
    quantity_kind quantity;
    c->rows++;
    for (int i = 0; i < table_columns(row->after); i++) {
        pair p = *row;
        p.column = table_name_of(row->after, i);
        if (rule_compares(row->name, p.column, &quantity))
            compare_cell(c, &p, quantity);
    }
    for (int i = 0; i < table_columns(row->before); i++) {     /* those that are no longer there */
        pair p = *row;
        p.column = table_name_of(row->before, i);
        if (table_find(row->after, p.column) < 0 && rule_compares(row->name, p.column, &quantity))
            compare_cell(c, &p, quantity);
    }
}

/* A row that only one of them has: one that is gone is no longer watched. */
static void lone_row(comparison *c, const char *name, const table *t, int row, int gone)
{
    append(c, &(change){.of = t, .table = name, .row = row, .quantity = OF_OUTCOME,
                        .kind = gone ? CHANGE_WORSE : CHANGE_OTHER, .before = NAN, .after = NAN,
                        .was = gone ? "there" : "missing", .is = gone ? "missing" : "there", .p = NAN});
    c->gone += gone;
    c->added += !gone;
}

static void compare_tables(comparison *c, const char *name, const table *before, const table *after)
{
    int *partner;
    char *left;
    if (match_rows(name, before, after, &partner, &left)) {
        for (int row = 0; row < table_rows(after); row++)
            if (partner[row] >= 0)
                compare_row(c, &(pair){.c = c, .name = name, .before = before, .after = after,
                                       .row_before = partner[row], .row_after = row});
            else
                lone_row(c, name, after, row, 0);
        for (int row = 0; row < table_rows(before); row++)
            if (left[row])
                lone_row(c, name, before, row, 1);
    } else {
        c->failed = 1;
    }
    free(partner);
    free(left);
}

/* ---- times ---- */

static int is_time(const change *x) { return x->column && x->quantity == OF_TIME; }

/* [compared] of new/old or its logarithm, to be freed. */
static double *ratios(comparison *c, int logarithms)
{
    double *ratio = calloc((size_t)c->compared[OF_TIME] + 1, sizeof *ratio);
    int count = 0;
    for (int i = 0; ratio && i < c->count; i++)
        if (is_time(&c->change[i])) {
            const double x = c->change[i].after / c->change[i].before;
            ratio[count++] = logarithms ? log(x) : x;
        }
    c->failed |= !ratio;
    return ratio;
}

static change_kind judge_time(const comparison *c, const change *x, double level)
{
    const double tolerance = c->options->time_tolerance;
    if (!(x->p < level))
        return CHANGE_SAME;
    return x->after > x->before * (1 + tolerance)   ? CHANGE_WORSE
           : x->before > x->after * (1 + tolerance) ? CHANGE_BETTER
                                                    : CHANGE_SAME;
}

/* Beyond the tolerance, and beyond noise at a level for all of them together (Bonferroni). */
static void judge_times(comparison *c)
{
    double *x = ratios(c, 1);
    const variance_estimate between = x ? times_between(x, c->compared[OF_TIME]) : (variance_estimate){0, 1};
    c->between = sqrt(between.value);
    free(x);
    for (int i = 0; i < c->count; i++) {
        change *time = &c->change[i];
        if (!is_time(time))
            continue;
        time->p = times_p(log(time->after / time->before), time->noise, between);
        time->kind = judge_time(c, time, LEVEL / c->compared[OF_TIME]);
        c->found[OF_TIME][time->kind]++;
    }
}

static void median_of_times(comparison *c)
{
    double *x = ratios(c, 0);
    if (x)
        c->faster = median_interval(x, c->compared[OF_TIME], 1 - LEVEL, &c->low, &c->high, &c->level);
    free(x);
}

/* ---- all ---- */

/* Both have it, or one: the rows of that are gone or new. Curves of drift are in the runs, by their largest; rounds
 * in the times of work. */
static void compare_by_name(comparison *c, const dataset *before, const dataset *after, const char *name, table *none)
{
    const table *a = dataset_find(before, name), *b = dataset_find(after, name);
    if (strcmp(name, "drift") != 0 && strcmp(name, "targets") != 0 && strcmp(name, "rounds") != 0 && (a || b))
        compare_tables(c, name, a ? a : none, b ? b : none);
}

int compare_datasets(comparison *c, const dataset *before, const dataset *after, const compare_options *options)
{
    table *none = table_new();
    *c = (comparison){.options = options, .faster = NAN, .low = NAN, .high = NAN, .level = NAN, .failed = !none};
    c->failed |= !curve_means_begin(&c->means);
    for (int i = 0; !c->failed && i < after->tables; i++)
        compare_by_name(c, before, after, after->table[i].name, none);
    for (int i = 0; !c->failed && i < before->tables; i++)
        if (!dataset_find(after, before->table[i].name))
            compare_by_name(c, before, after, before->table[i].name, none);
    judge_times(c);
    median_of_times(c);
    table_free(none);
    c->failed |= c->means.failed;
    return !c->failed;
}

void compare_free(comparison *c)
{
    free(c->change);
    c->change = NULL;
    curve_means_free(&c->means);
}

int compare_slower(const comparison *c) { return c->low > 1 + c->options->time_tolerance; }

int compare_worse(const comparison *c)
{
    int worse = c->gone + compare_slower(c);
    for (quantity_kind q = 0; q < QUANTITIES; q++)
        worse += c->found[q][CHANGE_WORSE];
    return worse > 0;
}
