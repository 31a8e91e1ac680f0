/* test_export.c - a result is written again, in any format and whole */
#include "cli_json.h"

static int begin(void **state)
{
    if (cli_begin(state))
        return -1;
    return cli_run("", "bench pendulum --form index1,index2 --method radau,dopri5 --rtol 1e-3:1e-6 --runs 5 --seconds "
                       "1e-9 -q --output old.json");
}

static json_t *read_result(const char *name)
{
    static char text[CLI_TEXT];
    cli_read(name, text);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

TEST(test_export)
{
    static char direct[CLI_TEXT];
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
    assert_string_equal("accuracy", text_at(b, "tables/runs/roles/31"));
    assert_string_equal("error_position", text_at(b, "tables/runs/columns/31"));
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

int main(void) { return run_all(begin, cli_end); }
