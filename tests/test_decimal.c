/* test_decimal.c - numbers in decimal digits: the shortest that read back, and decades that are
 * decades, in CSV and JSON, too */
#include "cli_json.h"

#include "numbers/decimal.h"

static void assert_decimal(double x, const char *expected)
{
    char text[DECIMAL];
    assert_string_equal(expected, decimal(x, text));
    assert_true(strtod(text, NULL) == x);
}

TEST(test_shortest)
{
    assert_decimal(0.1, "0.1");
    assert_decimal(0.1 + 0.2, "0.30000000000000004");
    assert_decimal(1e-6, "1e-06");
    assert_decimal(1.0000000000000002e-06, "1.0000000000000002e-06");
    assert_decimal(1.0 / 3, "0.3333333333333333");
    assert_decimal(5e-324, "5e-324");
    assert_decimal(-0.0, "-0");
    assert_decimal(1.7976931348623157e308, "1.7976931348623157e+308");
}

/* Powers of ten are the doubles nearest to them; other ratios are what they were to 15 digits. */
TEST(test_levels)
{
    for (int i = 0; i < 15; i++) {
        char text[16];
        snprintf(text, sizeof text, "1e-%d", 2 + i);
        assert_true(decimal_level(1e-2, 10, i) == strtod(text, NULL));
        snprintf(text, sizeof text, "3e-%d", 2 + i);
        assert_true(decimal_level(3e-2, 10, i) == strtod(text, NULL));
    }
    assert_close(decimal_level(1e-2, sqrt(10), 3) / (1e-2 / pow(10, 1.5)), 1, 1e-14);
    assert_true(decimal_level(0.1 + 0.2, 10, 0) == 0.1 + 0.2);
}

/* t0 + k every, both decimals, is the double nearest to that decimal; else it is the sum. */
TEST(test_multiples)
{
    static const struct { double t0, every; long k; double sum; } known[] = {
        {0, 0.1, 3, 0.3}, {0, 0.1, 6, 0.6}, {0, 0.7, 3, 2.1}, {-1, 0.001, 999, -0.001},
        {0.2, 0.1, 1, 0.3}, {1e5, 1e-6, 999999, 100000.999999}, {0, 1e-9, 3, 3e-9},
        {-0.3, 0.1, 3, 0}, {0, 25, 7, 175}, {0, 1e20, 3, 3e20}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int a = decimal_places(known[i].t0), b = decimal_places(known[i].every);
        const int places = a < 0 || b < 0 ? -1 : a > b ? a : b;
        assert_true(decimal_multiple(known[i].t0, known[i].every, known[i].k, places)
                    == known[i].sum);
    }
    assert_int_equal(-1, decimal_places(1.0 / 3));
    assert_int_equal(-1, decimal_places(0.1 + 0.2));
    assert_int_equal(3, decimal_places(-12.345));
    assert_int_equal(0, decimal_places(0));
    assert_true(decimal_multiple(0.1, 1.0 / 3, 2, -1) == 0.1 + 2 * (1.0 / 3));
}

/* Times of rows are what was asked for. */
TEST(test_row_times)
{
    assert_int_equal(0, cli_run("", "solve pendulum --every 0.1 --step 0.05 --format csv"));
    for (int i = 0; i < 20; i++) {
        char row[16];
        snprintf(row, sizeof row, "\n%g,", 0.1 * i);
        if (!strstr(cli_said.out, row))
            fail_msg("there is no row at %s in %s", row, cli_said.out);
    }
}

TEST(test_results)
{
    static const char *const runs[] = {
        "bench pendulum --form index1 --method ida --rtol 1e-3:1e-9 --runs 1 --seconds 1e-9",
        "converge pendulum --form index1 --method ida --rtol 1e-3 --levels 7"};
    for (int k = 0; k < 2; k++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s --format csv", runs[k]);
        assert_int_equal(0, cli_run("", arguments));
        static const char *const rows[] = {"0.001", "0.0001", "1e-05", "1e-06",
                                           "1e-07", "1e-08",  "1e-09"};
        for (int i = 0; i < 7; i++) {
            char row[64];
            snprintf(row, sizeof row, ",0,2,,%s,%s,,", rows[i], rows[i]);
            if (!strstr(cli_said.out, row))
                fail_msg("there is no row %s in %s", row, cli_said.out);
        }
        snprintf(arguments, sizeof arguments, "%s --format json", runs[k]);
        assert_int_equal(0, cli_run("", arguments));
        for (int i = 0; i < 7; i++) {
            char row[64];
            snprintf(row, sizeof row, ", null, %s, %s,", rows[i], rows[i]);
            if (!strstr(cli_said.out, row))
                fail_msg("there is no %s", row);
        }
    }
    json_t *tree = parsed(0, "solve pendulum --method ida --rtol 1e-5 --format json --samples 1");
    assert_non_null(strstr(cli_said.out, ", null, 1e-05, 1e-05,"));
    json_decref(tree);
}

int main(void) { return run_all(cli_begin, cli_end); }
