/* test_shown.c - what a user sees first: defaults, digits, one table on a narrow terminal, few options of many */
#include "cli_json.h"
#include "cli_says.h"
#include "on_terminal.h"

#include "cli/options.h"
#include "cli/progress.h"

#include <unistd.h>

static int times_in(const char *text, const char *words)
{
    int times = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        times++;
    return times;
}

/* What was not given is said, by every command, and nothing of what was. */
TEST(test_defaults)
{
    static const struct { const char *line, *said; } defaults[] = {
        {"solve pendulum --samples 1",
         "by default: form index1, method radau, rtol 1e-06; --form, --method, --step, --rtol say otherwise"},
        {"solve pendulum --samples 1 --form index2 --rtol 1e-5", "by default: method radau; --method say"},
        {"drift pendulum --form index1", "by default: method cros, 400 fixed steps of 0.005 by cros; --method, --step"},
        {"converge pendulum --method cros --t-end 0.1 --levels 2",
         "by default: 6 forms, fixed steps by the order of the method; --form, --step"},
        {"converge pendulum --form index1 --method ida", "by default: rtol 0.0001, 1e-05 .. 1e-10; --step"},
        {"bench pendulum --form index1 --method radau --runs 1 --seconds 1e-9",
         "by default: rtol 0.001, 0.0001 .. 1e-12"}};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        runs("", defaults[i].line);
        says(cli_said.out, defaults[i].said);
    }
    runs("", "solve pendulum --samples 1 --form index1 --method radau --step 0.1");
    assert_null(strstr(cli_said.out, "by default"));
}

/* Those that the tolerance gives, and one more; all of a double where they are asked for. */
TEST(test_digits_of_solutions)
{
    static const struct { const char *options; size_t digits; } shown[] = {
        {"--rtol 1e-4", 5}, {"--rtol 1e-9", 10}, {"--rtol 1e-4 --digits", 15}, {"--step 0.01 --digits", 15},
        {"--step 0.01", 10}};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char line[128], x[32] = "", t[8] = "";
        snprintf(line, sizeof line, "solve predator_prey --samples 1 --t-end 5 %s", shown[i].options);
        runs("", line);
        const char *at = cli_said.out;
        while (strcmp(t, "5") != 0 && (at = strchr(at, '\n')) != NULL && *++at)
            sscanf(at, "%7s %31s", t, x);
        assert_non_null(strchr(x, '.'));
        assert_in_range(strspn(strchr(x, '.') + 1, "0123456789") + 1, shown[i].digits - 2, shown[i].digits);
    }
}

/* Counts and times make room on a terminal of 80 columns; elsewhere all columns are there. */
TEST(test_one_table)
{
    static const char *const lines[] = {
        "converge pendulum --form index1,index3 --method cros,rodas4 --step 0.01 --levels 4",
        "bench pendulum --form index1 --method radau,ida --rtol 1e-3:1e-5 --runs 1 --seconds 1e-9"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(0, terminal_run(80, 1, "", lines[i]));
        assert_in_range(terminal_widest(cli_said.out), 1, 80);
        assert_int_equal(2, times_in(cli_said.out, "\nform  ") + times_in(cli_said.out, "\nmethod  "));
        says(cli_said.out, "for a wider terminal or a file: ");
        runs("", lines[i]);
        says(cli_said.out, "  steps  ");
        assert_null(strstr(cli_said.out, "for a wider terminal"));
    }
    runs("", "list");
    assert_in_range(times_in(cli_said.out, "\n"), 5, 23);
}

/* Orders of steps and slopes against tolerances do not share a column; a status is in words. */
TEST(test_columns_apart)
{
    runs("", "converge pendulum --form index1 --method cros,ida --step 0.01 --rtol 1e-4,1e-5,1e-6 --levels 3");
    says(cli_said.out, "observed  slope against rtol");
    runs("", "converge pendulum --form index1 --method ida --rtol 1e-4,1e-5");
    assert_null(strstr(cli_said.out, "observed"));
    cli_run("", "converge pendulum --form index1,index3 --method rk4 --step 0.1 --levels 2");
    says(cli_said.out, " unsupported ");
    assert_null(strstr(cli_said.out, "DAE_"));
}

/* The options that most need, in groups; all of them where they are asked for. */
TEST(test_few_options)
{
    static char few[CLI_TEXT];
    runs("", "solve --help");
    assert_in_range(times_in(cli_said.out, "\n  --"), 8, 10);
    for (int i = 0; i < 3; i++)
        says(cli_said.out, (const char *[]){"\nwhat is run:\n", "\nhow: ", "\noutput:\n"}[i]);
    says(cli_said.out, "daelab solve --help all");
    strcpy(few, cli_said.out);
    runs("", "solve --help all");
    for (const option_row *row = option_rows; row->name; row++) {
        char option[64];
        snprintf(option, sizeof option, "\n  --%s", row->name);
        assert_true(!(row->commands & SOLVE) || strstr(cli_said.out, option));
    }
    assert_true(strlen(cli_said.out) > 2 * strlen(few));
    strcpy(few, cli_said.out);
    runs("", "help solve all");
    assert_string_equal(few, cli_said.out);
}

/* On no terminal the line is written now and then, each on a line of its own. */
TEST(test_line_elsewhere)
{
    char text[256] = "";
    int ends[2];
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_int_equal(0, pipe(ends));
    dup2(ends[1], STDERR_FILENO);
    progress p;
    progress_start(&p, 0);
    p.every = 0;
    progress_item(&p, 1, "");
    progress_plan(&p, 3, 3);
    progress_hear(&p, 1, "index3 cros 0.005", 0, 0);
    p.every = 1e9;
    progress_hear(&p, 2, "index3 cros 0.0025", 0, 0);
    progress_end(&p);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_string_equal(text, "daelab: [1/3] index3 cros 0.005\n");
}

/* ---- where unknowns begin */

TEST(test_starts)
{
    json_t *tree = parsed(0, "converge pendulum --set x=4,y=-3,vx=0 --form index1 --method radau --rtol 1e-6,1e-8 "
                             "--format json");
    says(text_in(tree, "runs", "#0", "parameters"), " x(t0)=4 y(t0)=-3 vx(t0)=0");
    assert_in_range((int)(number_in(tree, "runs", "#1", "error_position") * 1e12), 0, 1000000);     /* it is of there */
    json_decref(tree);
    tree = parsed(0, "solve pendulum --set x=4 --set y=-3 --samples 1 --format json");
    assert_close(number_in(tree, "solution", "#0", "x"), 4, 1e-15);
    json_decref(tree);
    double after[2];                                    /* a reference with events is of its start */
    for (int i = 0; i < 2; i++) {
        char line[160];
        snprintf(line, sizeof line, "converge bouncing_ball --t-end 1 --set y=%d --form index1 --method dop853 --rtol "
                 "1e-8 --levels 1 --format json", i ? 2 : 1);
        tree = parsed(0, line);
        after[i] = number_in(tree, "runs", "#0", "error_position");
        assert_in_range((int)(after[i] * 1e12), 0, 10000000);
        json_decref(tree);
    }
    static const char *const mistakes[][2] = {
        {"solve pendulum --set L=1", "--param L=VALUE"},
        {"solve pendulum --set q=1", "there is no unknown 'q'"}, {"solve pendulum --set x=1,x=2", "x is given twice"},
        {"solve pendulum --set x", "NAME=VALUE"}, {"solve pendulum --set x=a", "a finite number"},
        {"converge chain --set x1=0.1 --vary N=2,3", "the number of unknowns is varied"}};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        refused("", mistakes[i][0], USAGE, mistakes[i][1]);
    runs("", "solve pendulum --set x=4,y=-3 --samples 1 --save begun.yaml");
    runs("", "study begun.yaml");
    says(cli_said.out, "x(t0)=4 y(t0)=-3");
}

int main(void) { return run_all(cli_begin, cli_end); }
