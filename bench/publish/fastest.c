#include "publish/fastest.h"

#include "numbers/decimal.h"
#include "numbers/ratio_spread.h"

#include <math.h>
#include <string.h>

/* The column of errors of a problem: the first class that its runs have. */
static int error_column(const study_view *v, const row_group *of)
{
    const table *t = v->work.table;
    for (int i = 0; i < table_columns(t); i++)
        for (int k = 0; strncmp(table_name_of(t, i), "error_", 6) == 0 && k < v->work.count; k++) {
            const row_group *g = &v->work.group[k];
            const int row = group_beside(of, g) ? view_finest(t, g) : -1;
            if (row >= 0 && isfinite(table_number_at(t, row, i)))
                return i;
        }
    return -1;
}

typedef struct { const row_group *group; int row; double seconds; } fastest;

/* The fastest of those with an error of at most `error`, but for the group `without` (NULL: none); group NULL where
 * there is none. */
static fastest fastest_of(const study_view *v, const row_group *of, int column, double error, const row_group *without)
{
    fastest best = {NULL, -1, INFINITY};
    for (int i = 0; i < v->work.count; i++)
        for (int k = 0; group_beside(of, &v->work.group[i]) && &v->work.group[i] != without
             && k < v->work.group[i].count; k++) {
            const int row = v->work.group[i].row[k];
            const double seconds = row_number(v->work.table, row, "wall");
            if (table_number_at(v->work.table, row, column) <= error && seconds < best.seconds
                && !row_failed(v->work.table, row))
                best = (fastest){&v->work.group[i], row, seconds};
        }
    return best;
}

static fastest fastest_at(const study_view *v, const row_group *of, int column, double error)
{
    return fastest_of(v, of, column, error, NULL);
}

/* times[rounds] of a row of work, NaN where they are not known. */
static void round_times(const study_view *v, int row, double *times, int rounds)
{
    const table *t = dataset_find(v->data, "rounds");
    const double run = row_number(v->work.table, row, "run");
    for (int r = 0; r < rounds; r++)
        times[r] = NAN;
    for (int i = 0; t && i < table_rows(t); i++) {
        const double round = row_number(t, i, "round");
        if (row_number(t, i, "run") == run && round >= 1 && round <= rounds)
            times[(int)round - 1] = row_number(t, i, "wall");
    }
}

/* How many times faster one row of work is than another, in the same rounds. */
static ratio_spread times_faster(const study_view *v, int row, int than)
{
    const double known = fmin(row_number(v->work.table, row, "rounds"), row_number(v->work.table, than, "rounds"));
    const int rounds = known > 0 ? (int)known : 0;
    double *times = arena_get(&v->page->memory, 2 * (size_t)rounds + 1, sizeof *times);
    if (!times)
        return ratio_spread_of(NULL, NULL, 0);
    round_times(v, than, times, rounds);
    round_times(v, row, times + rounds, rounds);
    return ratio_spread_of(times, times + rounds, rounds);
}

/* The smallest and the largest error of a problem, as decimal exponents; 0 where there is none. */
static int range(const study_view *v, const row_group *of, int column, int *low, int *high)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < v->work.count; i++)
        for (int k = 0; group_beside(of, &v->work.group[i]) && k < v->work.group[i].count; k++) {
            const double error = table_number_at(v->work.table, v->work.group[i].row[k], column);
            least = error > 0 ? fmin(least, error) : least;
            most = isfinite(error) ? fmax(most, error) : most;
        }
    *low = isfinite(least) ? (int)ceil(log10(least)) : 0;
    *high = isfinite(least) ? (int)floor(log10(most)) : 0;
    return isfinite(least);
}

static const char *time_text(const study_view *v, double seconds)
{
    static const struct { double size; const char *unit; } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
    int i = 0;
    while (i < 2 && seconds < units[i].size)
        i++;
    return arena_format(&v->page->memory, "%.3g %s", seconds / units[i].size, units[i].unit);
}

/* ", 1.8 (1.7 .. 1.9) times as fast as index1 by radau"; "" where nothing is known. */
static const char *beside_next(const study_view *v, const fastest *best, const fastest *next)
{
    arena *memory = &v->page->memory;
    char words[RATIO_WORDS];
    if (!next->group)
        return "";
    const ratio_spread x = times_faster(v, best->row, next->row);
    if (!isfinite(x.ratio))
        return "";
    return x.differs ? arena_format(memory, ", %s times as fast as the next, %s by %s", ratio_spread_words(&x, words),
                                    next->group->form, next->group->label)
                     : arena_format(memory, ", which cannot be told from %s by %s: %.3g (%.3g .. %.3g) times",
                                    next->group->form, next->group->label, x.ratio, x.low, x.high);
}

static void say_problem(const study_view *v, const row_group *of)
{
    const int column = error_column(v, of);
    int low, high;
    if (column < 0 || !range(v, of, column, &low, &high) || low > high)
        return;
    const int at = low + (high - low) / 2;
    const fastest best = fastest_at(v, of, column, pow(10, at)),
        next = fastest_of(v, of, column, pow(10, at), best.group);
    const char *unit = table_unit_of(v->work.table, column);
    const char *class = table_name_of(v->work.table, column) + strlen("error_");
    if (best.group)
        page_finding(v->page, TONE_PLAIN,
                     "%s: the fastest run with an error of %s of 1e%d%s%s or less is %s by %s, in %s%s.",
                     view_subject(v, of), class, at, *unit ? " " : "", unit, best.group->form, best.group->label,
                     time_text(v, best.seconds), beside_next(v, &best, &next));
}

void say_fastest(const study_view *v)
{
    for (int i = groups_next(&v->work, 0); i < v->work.count; i = groups_next(&v->work, i + 1))
        say_problem(v, &v->work.group[i]);
}

/* ---- a table ---- */

static const char *level_text(const study_view *v, int row)
{
    char text[DECIMAL];
    const double rtol = row_number(v->work.table, row, "rtol"), step = row_number(v->work.table, row, "step");
    if (isfinite(rtol))
        return arena_format(&v->page->memory, "rtol = %s", decimal(rtol, text));
    return isfinite(step) ? arena_format(&v->page->memory, "step = %s", decimal(step, text)) : "";
}

static void add_row(const study_view *v, page_table *t, int column, int at, const fastest *best, const fastest *next)
{
    char words[RATIO_WORDS] = "";
    if (next->group) {
        const ratio_spread x = times_faster(v, best->row, next->row);
        ratio_spread_words(&x, words);
    }
    page_table_text(t, TONE_PLAIN, view_subject(v, best->group));
    page_table_text(t, TONE_PLAIN, table_name_of(v->work.table, column) + strlen("error_"));
    page_table_number(t, TONE_PLAIN, decimal_clean(pow(10, at)));
    page_table_text(t, TONE_PLAIN, best->group->form);
    page_table_text(t, TONE_PLAIN, best->group->label);
    page_table_text(t, TONE_PLAIN, level_text(v, best->row));
    page_table_number(t, TONE_PLAIN, table_number_at(v->work.table, best->row, column));
    page_table_number(t, TONE_PLAIN, best->seconds);
    page_table_text(t, TONE_PLAIN,
                    next->group ? arena_format(&v->page->memory, "%s %s", next->group->form, next->group->label) : "");
    page_table_text(t, TONE_PLAIN, arena_format(&v->page->memory, "%s", words));
}

/* A run that reaches a smaller one of the errors, too, stands there alone. */
static void rows_of(const study_view *v, page_table *t, const row_group *of)
{
    int low, high;
    const int column = error_column(v, of);
    if (column < 0 || !range(v, of, column, &low, &high))
        return;
    for (int at = high; at >= low; at--) {
        const fastest best = fastest_at(v, of, column, pow(10, at));
        const fastest next = fastest_of(v, of, column, pow(10, at), best.group);
        if (best.group && (at == low || best.row != fastest_at(v, of, column, pow(10, at - 1)).row))
            add_row(v, t, column, at, &best, &next);
    }
}

void fastest_table(const study_view *v)
{
    page_table *t = page_table_add(v->page, "The fastest run that reaches an error");
    page_table_column(t, "problem", "", NULL);
    page_table_column(t, "class", "", NULL);
    page_table_column(t, "error at most", "", "%.0e");
    page_table_column(t, "form", "", NULL);
    page_table_column(t, "method", "", NULL);
    page_table_column(t, "level", "", NULL);
    page_table_column(t, "error", "", "%.2e");
    page_table_column(t, "time", "s", "%.3g");
    page_table_column(t, "the next", "", NULL);
    page_table_column(t, "times as fast, in the same rounds", "", NULL);
    for (int i = groups_next(&v->work, 0); i < v->work.count; i = groups_next(&v->work, i + 1))
        rows_of(v, t, &v->work.group[i]);
}
