/* test_terminal.c - the program on a terminal: tables have its width, files and pipes have all */
#include "cli_says.h"
#include "on_terminal.h"

static const char *const study = "converge pendulum --form index3,index1 --method cros --step 0.02 --levels 3";

TEST(test_widths)
{
    for (int columns = 40; columns <= 160; columns += 40) {
        assert_int_equal(0, terminal_run(columns, 0, "", study));
        assert_in_range(terminal_widest(cli_said.out), 1, columns);
        says(cli_said.out, "multiplier");
        says(cli_said.out, "estimated*");
        says(cli_said.out, "drift |g|");
    }
}

TEST(test_lists)
{
    static const char *const commands[] = {"list", "list methods", "info pendulum", "help", "help commands",
                                           "solve --help", "version"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(0, terminal_run(80, 1, "", commands[i]));
        if (terminal_widest(cli_said.out) > 80)
            fail_msg("%s is %zu wide:\n%s", commands[i], terminal_widest(cli_said.out), cli_said.out);
    }
}

/* COLUMNS says more than the terminal does; what is no number is none. */
TEST(test_columns)
{
    assert_int_equal(0, terminal_run(160, 0, "COLUMNS=60", study));
    assert_in_range(terminal_widest(cli_said.out), 50, 60);
    assert_int_equal(0, terminal_run(70, 0, "COLUMNS=wide", study));
    assert_in_range(terminal_widest(cli_said.out), 61, 70);
    assert_int_equal(0, terminal_run(0, 0, "", study));             /* one that does not say */
    assert_in_range(terminal_widest(cli_said.out), 120, 250);
}

/* Other formats and other streams are what they always are. */
TEST(test_files)
{
    runs("COLUMNS=60", study);
    says(cli_said.out, "form    method  step [s]  rtol  status");
    static char whole[CLI_TEXT];
    runs("", "list methods --format csv");
    strcpy(whole, cli_said.out);
    assert_int_equal(0, terminal_run(50, 0, "", "list methods --format csv"));
    assert_string_equal(whole, cli_said.out);
    runs("", "list methods --format md");
    strcpy(whole, cli_said.out);
    assert_int_equal(0, terminal_run(50, 0, "", "list methods --format md"));
    assert_string_equal(whole, cli_said.out);
}

/* The column at which words stand on the line with `begin`. */
static long column_of(const char *begin, const char *words)
{
    const char *line = strstr(cli_said.out, begin);
    assert_non_null(line);
    const char *found = strstr(line, words);
    if (!found || memchr(line, '\n', (size_t)(found - line)))
        fail_msg("%s is not behind %s", words, begin);
    return found - line;
}

/* Parameters stand in columns, however long their values are. */
TEST(test_parameters)
{
    runs("", "info pollution");
    assert_int_equal(column_of("    k18 ", "1/min"), column_of("    k19 ", "1/min"));
    says(cli_said.out, "= 444000000000 1/min");
}

int main(void) { return run_all(cli_begin, cli_end); }
