/* test_new - daelab new writes files that run as they are, and overwrites none */
#include "cli_json.h"

static const char *const kinds[] = {"", "--first-order", "--switching", "--method"};

/* daelab new NAME OPTION in a folder without that file */
static void make(const char *name, const char *option)
{
    char arguments[128], command[256];
    snprintf(command, sizeof command, "rm -f '%s/%s.c'", cli_folder, name);
    assert_int_equal(system(command), 0);
    snprintf(arguments, sizeof arguments, "new %s %s", name, option);
    assert_int_equal(cli_run("", arguments), 0);
}

TEST(test_files_run)
{
    for (int i = 0; i < 3; i++) {
        make("mine", kinds[i]);
        assert_int_equal(cli_run("", "check ./mine.c"), 0);
    }
    make("mine", kinds[0]);
    assert_true(agreeing_orders("converge ./mine.c --method cros --format json") >= 20);
    make("mine", kinds[1]);
    assert_true(agreeing_orders("converge ./mine.c --method cros,rodas4 --format json") >= 4);
    make("mine", kinds[2]);
    assert_int_equal(cli_run("", "solve ./mine.c"), 0);
    assert_non_null(strstr(cli_said.out, "in mode resting"));
    make("mine", kinds[3]);
    assert_true(agreeing_orders("converge pendulum --form index1 --method ./mine.c --format json") >= 4);
}

/* Title and citation of a method may be left out. */
TEST(test_method_without_texts)
{
    char command[256];
    make("bare", "--method");
    snprintf(command, sizeof command, "cd '%s' && sed -i 's/ \\.title = .*/ /' bare.c && ! grep -q citation bare.c",
             cli_folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(cli_run("", "info ./bare.c"), 0);
    assert_non_null(strstr(cli_said.out, "method: bare\n"));
    assert_int_equal(cli_run("", "list ./bare.c"), 0);
    assert_non_null(strstr(cli_said.out, "\nbare "));
}

/* Two of them side by side: no name of the template is left over that both would have. */
TEST(test_files_go_together)
{
    static const char *const names[] = {"a1", "b_2", "c3", "d"};
    for (int i = 0; i < 4; i++)
        make(names[i], kinds[i]);
    assert_int_equal(cli_run("", "list --plugin a1.c --plugin b_2.c --plugin c3.c --plugin d.c"), 0);
    for (int i = 0; i < 4; i++) {
        char inside[16], last[16];
        snprintf(inside, sizeof inside, " %s ", names[i]);
        snprintf(last, sizeof last, " %s\n", names[i]);
        assert_true(strstr(cli_said.out, inside) || strstr(cli_said.out, last));
    }
}

TEST(test_nothing_is_overwritten)
{
    char command[256];
    make("kept", "");
    snprintf(command, sizeof command, "echo mine >'%s/kept.c'", cli_folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(cli_run("", "new kept"), 3);
    assert_non_null(strstr(cli_said.err, "kept.c exists"));
    snprintf(command, sizeof command, "test \"$(cat '%s/kept.c')\" = mine", cli_folder);
    assert_int_equal(system(command), 0);
}

/* test_models_in_words.c runs it. */
TEST(test_model_in_words)
{
    char command[256];
    snprintf(command, sizeof command, "rm -f '%s/hang.yaml'", cli_folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(cli_run("", "new hang --words"), 0);
    assert_string_equal(cli_said.out, "hang.yaml: its first lines say how to run it\n");
    assert_false(cli_exists("hang.c"));
    snprintf(command, sizeof command, "cd '%s' && grep -q '^model: hang$' hang.yaml && ! grep -q NAME hang.yaml",
             cli_folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(cli_run("", "new hang --words"), 3);
    assert_non_null(strstr(cli_said.err, "hang.yaml exists"));
}

TEST(test_mistakes)
{
    static const struct { const char *arguments; const char *says; } mistakes[] = {
        {"new", "daelab new NAME"}, {"new pendulum", "a problem of daelab has this name"},
        {"new radau", "a method of daelab has this name"}, {"new index2", "a formulation of daelab"},
        {"new a/b", "letters, digits"}, {"new 2nd", "a letter"}, {"new ''", "a letter"}, {"new bead.c", "a letter"},
        {"new x --method --switching", "exclude each other"}, {"new x --words --first-order", "exclude each other"},
        {"new x --first-ordr", "did you mean --first-order"},
        {"new aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbbaaaaaaaaab", "48 at most"}};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        assert_int_equal(cli_run("", mistakes[i].arguments), 2);
        if (!strstr(cli_said.err, mistakes[i].says))
            fail_msg("%s: %s", mistakes[i].arguments, cli_said.err);
        assert_false(cli_exists("x.c") || cli_exists("x.yaml"));
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
