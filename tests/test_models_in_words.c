/* test_models_in_words - the whole way from a text to a result: derived by SymPy, compiled, run
 *
 * Where SymPy or PyYAML is missing there is nothing to run, and the test is skipped.
 */
#include "cli_says.h"

/* A model that daelab new writes; 0 where there is nothing that could derive it. */
static int begin_model(void)
{
    in_folder("rm -rf hang.* cache");
    runs("", "new hang --words");
    if (cli_run("", "derive hang.yaml --output /dev/null") != 3)
        return 1;
    if (!strstr(cli_said.err, " has no ") && !strstr(cli_said.err, "is not installed"))
        fail_msg("%s", cli_said.err);
    print_message("skipped: %s", cli_said.err);
    return 0;
}

/* What daelab new --words writes does what its first lines say. */
TEST(test_template)
{
    if (!begin_model())
        skip();
    runs("DAELAB_CACHE=cache", "check ./hang.yaml");
    runs("DAELAB_CACHE=cache DAELAB_PYTHON=/nowhere", "solve ./hang.yaml --rtol 1e-8");     /* from the cache */
    says(cli_said.out, "slack");
    says(cli_said.out, "taut");
    runs("DAELAB_CACHE=cache DAELAB_PYTHON=/nowhere", "info ./hang.yaml");
    says(cli_said.out, "\nfile: ./hang.yaml\n");
    runs("DAELAB_CACHE=cache", "derive hang.yaml --latex");
    says(cli_said.out, "\\ddot");
}

/* The problem file is one like others, and the same from each of the commands that write it. */
TEST(test_problem_file)
{
    if (!begin_model())
        skip();
    runs("", "derive hang.yaml --output hang.c");
    in_folder("'" DAELAB_SOURCE_DIR "/scripts/derive' hang.yaml | cmp - hang.c");
    in_folder("'" DAELAB_SOURCE_DIR "/scripts/derive' hang.yaml --output again.c && cmp again.c hang.c");
    runs("", "check ./hang.c");
    runs("", "solve ./hang.yaml --format csv --samples 20 --quiet");
    in_folder("grep -v '^#' out.txt >words.csv");
    runs("", "solve ./hang.c --format csv --samples 20 --quiet");
    in_folder("grep -v '^#' out.txt | cmp - words.csv");
}

/* Edited, it is another problem. */
TEST(test_edited)
{
    if (!begin_model())
        skip();
    runs("DAELAB_CACHE=cache", "info ./hang.yaml");
    in_folder("sed -i 's/9.81 m/1.62 m/' hang.yaml");
    runs("DAELAB_CACHE=cache", "info ./hang.yaml");
    says(cli_said.out, "1.62");
    in_folder("sed -i 's/bob: m$/bob: mm/' hang.yaml");
    assert_int_equal(cli_run("DAELAB_CACHE=cache", "info ./hang.yaml"), 2);
    const char *at = strstr(cli_said.err, "daelab: ./hang.yaml, line ");
    assert_non_null(at);
    in_folder("test $(sed -n 's/.*, line \\([0-9]*\\): .*/\\1/p' err.txt) = $(grep -n 'bob: mm' hang.yaml | cut -d : "
              "-f 1)");
}

int main(void) { return run_all(cli_begin, cli_end); }
