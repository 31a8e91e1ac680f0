/* test_check_command.c - daelab check of a file: what is wrong, and ok for nothing that was not looked at */
#include "cli.h"

/* The ring on a wire with what sed makes of it, in the test's folder. */
static void write_ring(const char *change)
{
    char command[1024];
    snprintf(command, sizeof command, "sed '%s' '%s/tests/ring.c' > '%s/ring.c'", change, DAELAB_SOURCE_DIR,
             cli_folder);
    assert_int_equal(system(command), 0);
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        found++;
    return found;
}

TEST(test_right)
{
    write_ring("");
    assert_int_equal(cli_run("", "check ./ring.c --format csv"), 0);
    assert_true(count(cli_said.out, ",ok,") >= 8);
    assert_int_equal(count(cli_said.out, ",wrong,"), 0);
}

/* The rate is named once, no other function is called right, and the next command refuses it. */
TEST(test_wrong)
{
    write_ring("/FN(rate)/,/}/s/v\\[1\\] -/v[1] +/");
    assert_int_equal(cli_run("", "check ./ring.c --format csv"), 1);
    assert_int_equal(count(cli_said.out, ",wrong,"), 1);
    assert_non_null(strstr(cli_said.out, "rate,wrong,1,"));
    assert_int_equal(count(cli_said.out, ",ok,"), 0);
    assert_int_equal(cli_run("", "check ./ring.c"), 1);
    assert_non_null(strstr(cli_said.out, "in C"));      /* the table has the index of the line in C */
    assert_non_null(strstr(cli_said.out, " [0] "));
    assert_int_equal(cli_run("", "solve ./ring.c"), 1);
    assert_non_null(strstr(cli_said.err, "rate, row 1"));
}

/* p[M] is g, and p[G] is m: all passes agree. */
TEST(test_exchanged_parameters)
{
    write_ring("s/enum { M, G }/enum { G \\/* m *\\/, M }/");
    assert_int_equal(cli_run("", "check ./ring.c --format csv"), 1);
    assert_non_null(strstr(cli_said.out, "parameters,wrong,1,"));
}

/* No velocities or multipliers are consistent with such a reaction: it is named, and not the start. */
TEST(test_start_of_a_wrong_model)
{
    static const char *const commands[] = {"solve ./ring.c", "converge ./ring.c", "drift ./ring.c"};
    write_ring("/FN(reaction)/,/}/s/-q/q/");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cli_run("", commands[i]), 1);
        assert_non_null(strstr(cli_said.err, "reaction, row 1"));
    }
    assert_int_equal(cli_run("", "solve ./ring.c --no-check"), 1);
    assert_non_null(strstr(cli_said.err, "no consistent"));
}

int main(void) { return run_all(cli_begin, cli_end); }
