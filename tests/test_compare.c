/* test_compare.c - what changed from one result to another: nothing of two equal runs, and each thing that was changed
 * by hand, with its verdict and the exit status */
#include "cli_json.h"

#include "compare/compare.h"
#include "compare/times.h"
#include "numbers/median_interval.h"

#include <math.h>
#include <stdint.h>

/* ---- times ---- */

static uint64_t state_of_random = 1;

static double uniform(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state_of_random >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform()); }

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static time_sample draw(int n, double mean, double sigma)
{
    double x[64];
    for (int i = 0; i < n; i++)
        x[i] = mean + sigma * normal();
    qsort(x, (size_t)n, sizeof *x, ascending);
    return (time_sample){(x[n / 2] + x[(n - 1) / 2]) / 2, x[(n - 1) / 4], x[n - 1 - (n - 1) / 4], n};
}

static double p_of(const time_sample *a, const time_sample *b)
{
    return times_p(log(b->median / a->median), times_variance(a, b), (variance_estimate){0, 1});
}

/* What differs from process to process is no change of a single time, and known from all of them; a single one that
 * differs by much more is found. */
static void test_between(void **state)
{
    enum { PAIRS = 60, DRAWS = 300 };
    int families = 0, found = 0;
    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        time_sample a[PAIRS], b[PAIRS];
        double x[PAIRS], sorted[PAIRS];
        int wrong = 0;
        for (int k = 0; k < PAIRS; k++) {
            a[k] = draw(21, 1, 0.01);
            b[k] = draw(21, 1, 0.01);
            const double process = exp(0.05 * normal()) * (k == 0 ? 1.6 : 1);
            b[k] = (time_sample){process * b[k].median, process * b[k].lower, process * b[k].upper, 21};
            sorted[k] = x[k] = log(b[k].median / a[k].median);
        }
        const variance_estimate between = times_between(sorted, PAIRS);
        for (int k = 0; k < PAIRS; k++) {
            const int certain = times_p(x[k], times_variance(&a[k], &b[k]), between) < 0.05 / PAIRS;
            wrong += certain && k > 0;
            found += certain && k == 0;
        }
        families += wrong > 0;
    }
    assert_in_range(families, 0, 8 * DRAWS / 100);
    assert_true(found > 9 * DRAWS / 10);
    double few[] = {1, 2, 3};
    assert_true(times_between(few, 3).value == 0);
}

/* Of samples that differ by noise alone at most so many are found to differ as the level says; of such that differ by
 * more, most. */
static void test_level(void **state)
{
    static const int sizes[] = {5, 8, 21, 61};        /* those of 4 k + 1 have their quartiles among them */
    enum { DRAWS = 4000 };
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int equal = 0, apart = 0;
        for (int i = 0; i < DRAWS; i++) {
            const time_sample a = draw(sizes[k], 1, 0.05), b = draw(sizes[k], 1, 0.05), c = draw(sizes[k], 1.4, 0.05);
            equal += p_of(&a, &b) < 0.05;
            apart += p_of(&a, &c) < 0.05;
        }
        assert_in_range(equal, sizes[k] % 4 == 1 ? 3 * DRAWS / 100 : 0, 6 * DRAWS / 100);
        assert_true(apart > 9 * DRAWS / 10);
    }
    const time_sample few = {1, 0.9, 1.1, 4}, some = {2, 1.9, 2.1, 9}, clock_tick = {1, 1, 1, 9},
        other = {1.2, 1.2, 1.2, 9};
    assert_true(isnan(p_of(&few, &some)));
    assert_true(p_of(&clock_tick, &clock_tick) == 1);
    assert_true(p_of(&clock_tick, &other) == 0);
}

/* P(X <= 0) of 6 coins is 1/64: [smallest, largest] holds the median at 31/32. */
static void test_median(void **state)
{
    double x[] = {6, 1, 5, 2, 4, 3}, low, high, covered;
    (void)state;
    assert_true(median_interval(x, 6, 0.95, &low, &high, &covered) == 3.5);
    assert_true(low == 1 && high == 6);
    assert_close(covered, 31.0 / 32, 1e-12);
    assert_true(median_interval(x, 5, 0.95, &low, &high, &covered) == 3);
    assert_true(isnan(low) && isnan(high));
    assert_true(isnan(median_interval(x, 0, 0.95, &low, &high, &covered)));
    double many[101];
    for (int i = 0; i < 101; i++)
        many[i] = i;
    assert_true(median_interval(many, 101, 0.95, &low, &high, &covered) == 50);
    assert_true(low == 40 && high == 60);               /* tables of the sign test: n = 101, 5 % */
}

/* ---- results ---- */

static json_t *read_result(const char *name)
{
    static char text[CLI_TEXT];
    cli_read(name, text);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

static void write_result(const json_t *json, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    assert_int_equal(0, json_dump_file(json, path, 0));
}

static json_t *cell_of(const json_t *json, const char *name, size_t row, const char *column, json_t *value)
{
    char where[64];
    snprintf(where, sizeof where, "tables/%s", name);
    const json_t *t = at(json, where), *names = at(t, "columns");
    for (size_t i = 0; i < json_array_size(names); i++)
        if (strcmp(json_string_value(json_array_get(names, i)), column) == 0) {
            json_t *cells = json_array_get(json_object_get(t, "rows"), row);
            assert_non_null(cells);
            if (value)
                assert_int_equal(0, json_array_set_new(cells, i, value));
            return json_array_get(cells, i);
        }
    fail_msg("no column %s", column);
    return NULL;
}

static double number_of(const json_t *json, const char *name, size_t row, const char *column)
{
    return json_number_value(cell_of(json, name, row, column, NULL));
}

static int summary(const json_t *said, int quantity, int kind)
{
    char where[64];
    snprintf(where, sizeof where, "summary/rows/%d/%d", quantity, 2 + (int)kind);
    return (int)number_at(said, where);
}

static int found(const json_t *said, change_kind kind)
{
    int sum = 0;
    for (int q = 0; q < QUANTITIES; q++)
        sum += q == OF_TIME ? 0 : summary(said, q, (int)kind);
    return sum;
}

static int begin(void **state)
{
    if (cli_begin(state))
        return -1;
    return cli_run("", "bench pendulum --form index1,index2 --method radau,dopri5 --rtol 1e-3:1e-6 --runs 5 --seconds "
                       "1e-9 -q --output old.json");
}

/* The same command again: times aside nothing has changed, to the bit. */
static void test_same(void **state)
{
    (void)state;
    assert_int_equal(0, cli_run("", "bench pendulum --form index1,index2 --method radau,dopri5 --rtol 1e-3:1e-6 "
                                    "--runs 5 --seconds 1e-9 -q --fresh --output new.json"));
    assert_in_range(cli_run("", "compare old.json new.json --format json --time-tolerance 100"), 0, 0);
    json_t *said = json_loads(cli_said.out, 0, NULL);
    assert_non_null(said);
    assert_int_equal(0, found(said, CHANGE_WORSE) + found(said, CHANGE_OTHER) + found(said, CHANGE_BETTER));
    assert_true(found(said, CHANGE_SAME) > 100);
    assert_true(json_is_false(at(said, "worse")));
    json_decref(said);
}

typedef struct {
    const char *table, *column, *to;    /* to: a text, or NULL */
    double factor;                      /* NaN: gone */
    quantity_kind quantity;
    change_kind kind;
    int status;
} edit;

/* One cell is changed; the one change is found, judged and named. */
static void test_one_change(void **state)
{
    static const edit edits[] = {
        {"runs", "error_position", NULL, 2, OF_ACCURACY, CHANGE_WORSE, 1},
        {"runs", "error_position", NULL, 0.5, OF_ACCURACY, CHANGE_BETTER, 0},
        {"runs", "error_position", NULL, 1 + 0x1p-40, OF_ACCURACY, CHANGE_OTHER, 0},
        {"runs", "error_velocity", NULL, 1.02, OF_ACCURACY, CHANGE_WORSE, 1},
        {"runs", "error_velocity", NULL, NAN, OF_ACCURACY, CHANGE_WORSE, 1},
        {"runs", "error_velocity", "small", 0, OF_ACCURACY, CHANGE_WORSE, 1},
        {"runs", "rhs", NULL, 1.5, OF_COUNT, CHANGE_WORSE, 1},
        {"runs", "steps", NULL, 0.5, OF_COUNT, CHANGE_BETTER, 0},
        {"runs", "status", "DAE_SINGULAR", 0, OF_OUTCOME, CHANGE_WORSE, 1},
        {"orders", "verdict", "below", 0, OF_ORDER, CHANGE_WORSE, 1},
        {"orders", "verdict", "not determined", 0, OF_ORDER, CHANGE_OTHER, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        const edit *e = &edits[i];
        json_t *json = read_result("old.json");
        const double before = number_of(json, e->table, 0, e->column);
        cell_of(json, e->table, 0, e->column,
                e->to ? json_string(e->to) : isnan(e->factor) ? json_null() : json_real(before * e->factor));
        write_result(json, "new.json");
        const int status = cli_run("", "compare old.json new.json --format json");
        json_t *said = json_loads(cli_said.out, 0, NULL);
        assert_non_null(said);
        if (status != e->status || summary(said, (int)e->quantity, (int)e->kind) != 1 || found(said, e->kind) != 1)
            fail_msg("%s x %g %s: status %d\n%s", e->column, e->factor, e->to ? e->to : "", status, cli_said.out);
        assert_string_equal(change_names[e->kind], text_at(said, "changes/rows/0/0"));
        assert_string_equal(e->table, text_at(said, "changes/rows/0/1"));
        assert_string_equal(e->column, text_at(said, "changes/rows/0/2"));
        json_decref(said);
        json_decref(json);
    }
}

/* An error that has grown by less than rounding is no worse. */
static void test_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        json_t *json = read_result("old.json");
        const double error = number_of(json, "runs", 0, "error_position");
        cell_of(json, "runs", 0, "rounding_position", json_real(error * (k ? 0.5 : 2)));
        write_result(json, "was.json");
        cell_of(json, "runs", 0, "error_position", json_real(2 * error));
        write_result(json, "new.json");
        json_decref(json);
        assert_int_equal(k, cli_run("", "compare was.json new.json"));
    }
}

/* Times: all twice as long are found, with noise that hides a tenth. */
static void test_times(void **state)
{
    (void)state;
    json_t *json = read_result("old.json");
    const size_t rows = json_array_size(at(json, "tables/work/rows"));
    const double factor[] = {1, 1.05, 2};
    for (int k = 0; k < 3; k++) {
        for (size_t r = 0; r < rows; r++) {
            const double median = 1e-3 * (double)(r + 1) * factor[k];
            cell_of(json, "work", r, "wall_median", json_real(median));
            cell_of(json, "work", r, "wall_lower", json_real(0.98 * median));
            cell_of(json, "work", r, "wall_upper", json_real(1.02 * median));
            cell_of(json, "work", r, "rounds", json_integer(20));
        }
        write_result(json, k ? "new.json" : "was.json");
        if (!k)
            continue;
        assert_int_equal(k == 2, cli_run("", "compare was.json new.json --format json"));
        json_t *said = json_loads(cli_said.out, 0, NULL);
        assert_int_equal(k == 2 ? (int)rows : 0, summary(said, OF_TIME, CHANGE_WORSE));
        assert_close(number_at(said, "times/ratio"), factor[k], 1e-12);
        assert_close(number_at(said, "times/low"), factor[k], 1e-12);
        json_decref(said);
    }
    json_object_set_new(json_object_get(json, "provenance"), "cpu", json_string("another"));
    write_result(json, "new.json");
    assert_int_equal(0, cli_run("", "compare was.json new.json"));
    assert_non_null(strstr(cli_said.out, "times are not compared: cpu"));
    assert_int_equal(1, cli_run("", "compare was.json new.json --time-tolerance 0.1"));
    assert_int_equal(0, cli_run("", "compare was.json new.json --time-tolerance 3"));
    json_decref(json);
}

/* Rows are matched by their settings, in whatever order; one that is gone is a loss. */
static void test_rows(void **state)
{
    (void)state;
    json_t *json = read_result("old.json"), *rows = json_object_get(at(json, "tables/runs"), "rows");
    json_t *first = json_incref(json_array_get(rows, 0));
    json_array_remove(rows, 0);
    write_result(json, "shorter.json");
    assert_int_equal(1, cli_run("", "compare old.json shorter.json"));
    assert_non_null(strstr(cli_said.out, "1 row only in the old result"));
    assert_int_equal(0, cli_run("", "compare shorter.json old.json"));
    assert_non_null(strstr(cli_said.out, "1 row only in the new result"));
    json_array_append_new(rows, first);
    write_result(json, "moved.json");
    assert_int_equal(0, cli_run("", "compare old.json moved.json"));
    assert_null(strstr(cli_said.out, "only in"));
    json_decref(json);
}

/* A drift that is no rounding any more. */
static void test_drift(void **state)
{
    (void)state;
    assert_int_equal(0, cli_run("", "drift pendulum --form index1 --method rk4 --reference -q --output "
                                    "old_drift.json"));
    json_t *json = read_result("old_drift.json");
    const double drift = number_of(json, "runs", 0, "drift_acceleration");
    assert_true(drift < 1e-12);
    cell_of(json, "runs", 0, "drift_acceleration", json_real(2 * drift));
    write_result(json, "new.json");
    assert_int_equal(0, cli_run("", "compare old_drift.json new.json"));
    cell_of(json, "runs", 0, "drift_acceleration", json_real(1e-6));
    write_result(json, "new.json");
    assert_int_equal(1, cli_run("", "compare old_drift.json new.json"));
    json_decref(json);
}

static void test_mistakes(void **state)
{
    (void)state;
    assert_int_equal(2, cli_run("", "compare old.json"));
    assert_non_null(strstr(cli_said.err, "two results"));
    assert_int_equal(3, cli_run("", "compare old.json missing.json"));
    assert_non_null(strstr(cli_said.err, "missing.json"));
    assert_int_equal(0, cli_run("", "list --json --output list.json"));
    assert_int_equal(2, cli_run("", "compare list.json old.json"));
    assert_non_null(strstr(cli_said.err, "no result"));
    assert_int_equal(0, cli_run("", "drift kepler --method rk4 -q --output kepler.json"));
    assert_int_equal(2, cli_run("", "compare old.json kepler.json"));
    assert_non_null(strstr(cli_said.err, "no run in common"));
    assert_int_equal(2, cli_run("", "compare old.json old.json --tolerance -1"));
}

/* ---- export ---- */

static void test_export(void **state)
{
    static char direct[CLI_TEXT];
    (void)state;
    assert_int_equal(0, cli_run("", "export old.json --format csv"));
    strcpy(direct, cli_said.out);
    assert_non_null(strstr(direct, ",wall_median,"));
    assert_int_equal(0, cli_run("", "export old.json --output again/ --output again.json --output again.tex"));
    cli_read("again/work.csv", cli_said.out);
    assert_string_equal(direct, cli_said.out);
    assert_true(cli_exists("again/report.html"));
    json_t *a = read_result("old.json"), *b = read_result("again/study.json"), *c = read_result("again.json");
    assert_true(json_equal(a, b) && json_equal(a, c));
    json_decref(a);
    json_decref(b);
    json_decref(c);
    assert_int_equal(0, cli_run("", "converge pendulum --method cros --levels 2 -q --output drawn/"));
    assert_int_equal(0, cli_run("", "export drawn --output elsewhere/"));
    a = read_result("elsewhere/study.json");
    assert_int_equal(0, json_array_size(at(a, "plots")));       /* those of the first folder do not lie here */
    json_decref(a);
    assert_int_equal(0, cli_run("", "export again --table orders --format md"));
    assert_non_null(strstr(cli_said.out, "problem pendulum"));
    assert_non_null(strstr(cli_said.out, "| observed |"));
    assert_int_equal(2, cli_run("", "export old.json --table drift"));
    assert_non_null(strstr(cli_said.err, "no table drift"));
    assert_int_equal(2, cli_run("", "export"));
    assert_int_equal(2, cli_run("", "export old.json --table runs --output again/"));
    assert_int_equal(3, cli_run("", "export old.json --output no/such/folder/"));
    assert_int_equal(3, cli_run("", "export old.json --output /dev/full"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level), cmocka_unit_test(test_between),  cmocka_unit_test(test_median),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_one_change), cmocka_unit_test(test_rounding), cmocka_unit_test(test_times),
        cmocka_unit_test(test_rows), cmocka_unit_test(test_drift),   cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_export),
    };
    return cmocka_run_group_tests(tests, begin, cli_end);
}
