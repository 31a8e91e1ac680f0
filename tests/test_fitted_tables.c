/* test_fitted_tables.c - tables as wide as the terminal: no line is longer, and nothing is lost without a word */
#include "support.h"

#include "output/grid_fit.h"
#include "output/words.h"

/* What is printed at a width; to be freed. */
static char *fitted(const grid *g, size_t width)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    grid_print_fitted(g, width, out);
    fclose(out);
    return text;
}

static void assert_fitted(const grid *g, size_t width, const char *expected)
{
    char *text = fitted(g, width);
    assert_string_equal(text, expected);
    free(text);
}

static size_t widest(const char *text)
{
    size_t most = 0;
    while (*text) {
        char line[512];
        const size_t bytes = strcspn(text, "\n");
        assert_in_range(bytes, 0, sizeof line - 1);
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        most = words_length(line) > most ? words_length(line) : most;
        text += bytes + 1;
    }
    return most;
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static const char *const long_reason = "Newton's iteration failed at t = 0.5, however short the step was made";

/* Two runs, one of which failed: a column without values, one that says the same twice. */
static grid *runs(void)
{
    grid *g = grid_new();
    grid_column(g, "method", "method", NULL);
    grid_column(g, "form", "form", NULL);
    grid_column(g, "rtol", "rtol", "%.1e");
    grid_column(g, "error", "position", "%.4e");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "reason", "reason", NULL);
    grid_text(g, "first"), grid_text(g, "index1"), grid_number(g, NAN), grid_number(g, 1.23456e-5);
    grid_number(g, 1000), grid_text(g, "");
    grid_text(g, "second"), grid_text(g, "index1"), grid_number(g, NAN), grid_number(g, NAN);
    grid_number(g, 31), grid_text(g, long_reason);
    assert_false(grid_failed(g));
    return g;
}

TEST(test_steps)
{
    grid *g = runs();
    char *whole = fitted(g, 0), *wide = fitted(g, 200);
    assert_string_equal(whole, wide);
    has(whole, "method  form    rtol");
    free(whole);
    free(wide);
    assert_fitted(g, 60,
                  "in all rows: form index1\n"
                  "method    position  steps  reason\n"
                  "------  ----------  -----  ------\n"
                  "first   1.2346e-05   1000  \n"
                  "second           -     31  [1]\n"
                  "[1] Newton's iteration failed at t = 0.5, however short the\n"
                  "step was made\n"
                  "without a value: rtol\n");
    assert_fitted(g, 30,
                  "in all rows: form index1\n"
                  "method  position  steps\n"
                  "------  --------  -----\n"
                  "first    1.23e-5   1000\n"
                  "second         -     31\n"
                  "\n"
                  "method  reason\n"
                  "------  ------\n"
                  "first   \n"
                  "second  [1]\n"
                  "[1] Newton's iteration failed\n"
                  "at t = 0.5, however short the\n"
                  "step was made\n"
                  "without a value: rtol\n"
                  "with fewer digits, to fit 30 columns\n");
    grid_free(g);
}

/* One row stands upright, and no row is a line of titles. */
TEST(test_few_rows)
{
    grid *g = grid_new();
    grid_column(g, "name", "name", NULL);
    grid_column(g, "title", "what it is", NULL);
    assert_fitted(g, 10, "name  what it is\n----  ----------\n");
    grid_text(g, "ladder");
    grid_text(g, "between a wall and a floor");
    assert_fitted(g, 40, "name    what it is\n------  --------------------------\nladder  between a wall and a "
                         "floor\n");
    assert_fitted(g, 30, "name        ladder\nwhat it is  between a wall and\n            a floor\n");
    grid_free(g);
}

/* As many columns as one likes, at every width: each number is there, with three digits at least, and no line
 * is longer than the terminal. */
TEST(test_every_width)
{
    enum { COLUMNS = 40, ROWS = 7 };
    grid *g = grid_new();
    grid_column(g, "name", "name", NULL);
    for (int i = 0; i < COLUMNS; i++) {
        char title[16];
        snprintf(title, sizeof title, "u%d", i);
        grid_column(g, title, title, i % 3 ? "%.8e" : "%.0f");
    }
    grid_column(g, "words", "words", NULL);
    for (int row = 0; row < ROWS; row++) {
        char name[16];
        snprintf(name, sizeof name, "row%d", row);
        grid_text(g, name);
        for (int i = 0; i < COLUMNS; i++)
            grid_number(g, i % 3 ? (1 + row + 0.01 * i) * pow(10, row - 3) : 100 * row + i);
        grid_text(g, "some words that are the same for none of the others, and not too few of them");
    }
    for (size_t width = 20; width < 200; width++) {
        char *text = fitted(g, width), number[32];
        if (widest(text) > width && width >= 36)                   /* the sentence on digits is so long */
            fail_msg("%zu of %zu columns:\n%s", widest(text), width, text);
        for (int i = 0; i < COLUMNS; i++)
            for (int row = 0; row < ROWS; row++) {
                if (i % 3)
                    snprintf(number, sizeof number, "%.2f", 1 + row + 0.01 * i);
                else
                    snprintf(number, sizeof number, " %d", 100 * row + i);
                has(text, number);
            }
        has(text, "some");
        has(text, "row6");
        free(text);
    }
    grid_free(g);
}

TEST(test_words)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    words_print("one two  three", 7, 0, 2, out);
    words_print("a-long-word is on its own", 6, 0, 0, out);
    words_print("", 6, 0, 0, out);
    words_print("\xc3\xa9t\xc3\xa9 x", 5, 0, 0, out);
    words_print("all on one line", 0, 0, 4, out);
    fclose(out);
    assert_string_equal(text, "one two\n  three\na-long-word\nis on\nits\nown\n\n\xc3\xa9t\xc3\xa9 x\nall on one "
                              "line\n");
    free(text);
}
