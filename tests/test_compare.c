/* test_compare.c - daelab compare: its exit statuses, its formats, what is said of mistakes; test_compare.py looks at
 * what is found */
#include "cli_json.h"

static const char RUN[] = "converge pendulum --form index1,index2 --method cros --levels 3 -q --fresh --output ";

static int begin(void **state)
{
    char command[256];
    int status = cli_begin(state);
    for (int i = 0; !status && i < 2; i++) {
        snprintf(command, sizeof command, "%s%s", RUN, i ? "new/" : "old.json");
        status = cli_run(UNDRAWN, command);
    }
    return status;
}

static void need_pandas(void)
{
    static int asked, lacks;
    if (!asked++ && cli_run("", "compare old.json new") == 3)
        lacks = strstr(cli_said.err, "has no") || strstr(cli_said.err, "not installed");
    if (lacks)
        skip();
}

/* Of a file and of a folder; times aside nothing has changed, to the bit. */
TEST(test_statuses)
{
    need_pandas();
    assert_int_equal(0, cli_run("", "compare old.json new --time-tolerance 100"));
    assert_non_null(strstr(cli_said.out, "from old.json to new: nothing is worse"));
    assert_int_equal(0, cli_run("", "converge pendulum --form index1 --method cros --levels 3 -q --output less.json"));
    assert_int_equal(1, cli_run("", "compare old.json less.json"));
    assert_non_null(strstr(cli_said.out, "rows only in the old result"));
    assert_int_equal(0, cli_run("", "compare less.json old.json"));
    assert_int_equal(1, cli_run("", "compare old.json /dev/stdin <less.json"));
    assert_int_equal(0, cli_run("", "drift kepler --method rk4 -q --output kepler.json"));
    assert_int_equal(2, cli_run("", "compare old.json kepler.json"));
    assert_non_null(strstr(cli_said.err, "daelab: old.json and kepler.json have no run in common: the old one has kind "
                                         "converge, problem pendulum, form index1, index2, method cros; the new one has "
                                         "kind drift, problem kepler, form native, method rk4\n"));
    assert_string_equal("", cli_said.out);
    assert_int_equal(0, cli_run("", "converge pendulum --form index1,index2 --method cros --levels 3 -q --t-end 1 --output "
                                    "short.json"));
    assert_int_equal(2, cli_run("", "compare old.json short.json"));
    assert_non_null(strstr(cli_said.err, "in common: the old one has t_end 2; the new one has t_end 1\n"));
}

TEST(test_formats)
{
    static char text[CLI_TEXT];
    need_pandas();
    cli_run("", "converge pendulum --form index1 --method cros --levels 3 -q --output less.json");
    json_t *said = parsed(1, "compare old.json less.json --format json");
    assert_true(json_is_true(at(said, "worse")));
    assert_string_equal("compare", text_at(said, "command"));
    assert_string_equal("worse", text_at(said, "changes/rows/0/0"));
    json_decref(said);
    assert_int_equal(1, cli_run("", "compare old.json less.json --output changes.csv"));
    cli_read("changes.csv", text);
    assert_non_null(strstr(text, "change,table,what,before,after,ratio,p,part,"));
    assert_non_null(strstr(text, "\nworse,runs,row,there,missing,,,converge,converge,pendulum,index2,"));
    assert_int_equal(1, cli_run("", "compare old.json less.json --format md"));
    assert_non_null(strstr(cli_said.out, "| outcomes |"));
    assert_int_equal(1, cli_run("", "compare old.json less.json --format latex"));
    assert_non_null(strstr(cli_said.out, "\\toprule"));
}

TEST(test_mistakes)
{
    assert_int_equal(2, cli_run("", "compare old.json"));
    assert_non_null(strstr(cli_said.err, "two results"));
    assert_int_equal(2, cli_run("", "compare old.json old.json --tolerance -1"));
    need_pandas();
    assert_int_equal(3, cli_run("", "compare old.json missing.json"));
    assert_non_null(strstr(cli_said.err, "daelab: missing.json: No such file"));
    assert_int_equal(0, cli_run("", "list --json --output list.json"));
    assert_int_equal(2, cli_run("", "compare list.json old.json"));
    assert_non_null(strstr(cli_said.err, "list.json: it is no result"));
    assert_int_equal(3, cli_run("", "compare old.json new --output /dev/full"));
    assert_int_equal(3, cli_run("", "compare old.json new --output no/such/file.json"));
}

/* A Python that has not what is needed says so; one that is not there, too. */
TEST(test_without)
{
    assert_int_equal(3, cli_run("DAELAB_PYTHON=./nowhere", "compare old.json new"));
    assert_non_null(strstr(cli_said.err, "./nowhere is not installed; it shows results: apt-get install "
                                         "python3-pandas"));
}

int main(void) { return run_all(begin, cli_end); }
