/* test_outputs.c - one run, every output: files by their endings, a folder with everything, and tables that any
 * reader of CSV reads */
#include "cli_json.h"

#include "tidy/dataset.h"

#include <ctype.h>
#include <sys/stat.h>

enum { MOST_CELLS = 200 };

/* ---- a strict reader of RFC 4180 ---- */

/* The cells of the next record into cell[], in place; how many, 0 at the end. */
static int record(char **at, char *cell[MOST_CELLS])
{
    char *in = *at, *out = in;
    int count = 0, quoted = 0;
    if (!*in)
        return 0;
    cell[count++] = out;
    for (; *in && (quoted || *in != '\n'); in++) {
        if (*in == '"' && quoted && in[1] == '"')
            *out++ = *in++;
        else if (*in == '"')
            quoted = !quoted;
        else if (*in == ',' && !quoted) {
            *out++ = 0;
            assert_true(count < MOST_CELLS);
            cell[count++] = out;
        } else
            *out++ = *in;
    }
    assert_false(quoted);
    assert_int_equal('\n', *in);                        /* the last line ends, too */
    *at = in + 1;
    *out = 0;
    return count;
}

/* One table: a header of names, all different, and rows with as many cells; how many rows. */
static int read_csv(const char *name)
{
    static char text[CLI_TEXT];
    char *names[MOST_CELLS], *cell[MOST_CELLS], *at = text;
    int rows = 0, width;
    cli_read(name, text);
    const int columns = record(&at, names);
    assert_true(columns > 10);
    for (int i = 0; i < columns; i++) {
        assert_true(isalpha((unsigned char)names[i][0]));
        for (int k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                fail_msg("%s has two columns %s", name, names[i]);
    }
    for (; (width = record(&at, cell)); rows++)
        if (width != columns)
            fail_msg("%s, row %d has %d cells of %d", name, rows + 1, width, columns);
    return rows;
}

/* ---- files ---- */

/* The one in a folder lists the pictures that lie beside it. */
static void same_but_plots(const char *file, const char *in_folder)
{
    static char text[CLI_TEXT];
    cli_read(file, text);
    json_t *a = json_loads(text, 0, NULL);
    cli_read(in_folder, text);
    json_t *b = json_loads(text, 0, NULL);
    assert_true(a && b);
    assert_int_equal(0, json_array_size(json_object_get(a, "plots")));
    assert_int_equal(0, json_object_del(a, "plots"));
    assert_int_equal(0, json_object_del(b, "plots"));
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
}

/* The run was made once: times are the same in all of them. */
static void test_one_run(void **state)
{
    static char json[CLI_TEXT], again[CLI_TEXT], text[CLI_TEXT];
    (void)state;
    assert_int_equal(0, cli_run("", "bench pendulum,kepler --method radau,dopri5 --rtol 1e-3:1e-5 --runs 1 --seconds "
                                    "1e-9 --quiet --output w.csv --output w.json --output w.md --output w.tex "
                                    "--output w.txt --output everything/ --output plain"));
    assert_string_equal("", cli_said.out);
    assert_string_equal("", cli_said.err);
    const int rows = read_csv("w.csv");
    assert_true(rows > 20);
    assert_int_equal(rows, read_csv("everything/work.csv"));
    assert_int_equal(rows, read_csv("everything/runs.csv"));
    cli_read("w.csv", json);
    cli_read("everything/work.csv", again);
    assert_string_equal(json, again);
    same_but_plots("w.json", "everything/study.json");
    cli_read("w.md", text);
    assert_int_equal(0, strncmp(text, "**daelab", 8));
    cli_read("w.tex", text);
    assert_non_null(strstr(text, "\\toprule"));
    assert_null(strstr(text, "error_test"));            /* an underscore is escaped */
    cli_read("w.txt", text);
    assert_non_null(strstr(text, "---  ---"));
    cli_read("plain", again);
    assert_string_equal(text, again);
    assert_false(cli_exists("everything/drift.csv"));
}

/* A folder alone: what is in it is summed up, and --format prints the tables, too. */
static void test_folder(void **state)
{
    (void)state;
    assert_int_equal(0, cli_run(UNDRAWN, "drift pendulum,predator_prey --method rk4 --step 0.1 --output study/"));
    assert_null(strstr(cli_said.out, "largest residual"));
    assert_non_null(strstr(cli_said.out, " drift pendulum, t = 0"));
    assert_non_null(strstr(cli_said.out, "study/drift.csv"));
    assert_non_null(strstr(cli_said.out, "ok"));
    assert_int_equal(0, cli_run(UNDRAWN, "drift pendulum,predator_prey --method rk4 --step 0.1 --output study/ "
                                         "--format table"));
    assert_non_null(strstr(cli_said.out, "largest residual"));
    assert_true(read_csv("study/drift.csv") > 30);
    read_csv("study/runs.csv");
    assert_int_equal(0, cli_run(UNDRAWN, "converge pendulum --method cros --form index3 --levels 3 --output study"));
    assert_int_equal(3, read_csv("study/runs.csv"));
    assert_int_equal(4, read_csv("study/orders.csv"));
    assert_false(cli_exists("study/drift.csv"));        /* of the study before: it would be taken for one of this */
    json_t *tree = parsed(0, "converge pendulum --method cros --form index3 --levels 3 --output study --format json");
    assert_int_equal(3, json_array_size(at(tree, "tables/runs/rows")));
    json_decref(tree);
}

/* Runs that differ by where they end are told apart in every table, and are curves of their own. */
static void test_bounds(void **state)
{
    static char text[CLI_TEXT];
    (void)state;
    assert_int_equal(0, cli_run(UNDRAWN, "converge bouncing_ball --t-end 1 --method radau --form index1 --levels 2 "
                                    "--limit-steps 9000 --max-events 50,60 --accumulation 0.25 -q --output bounds/"));
    cli_read("bounds/runs.csv", text);
    assert_non_null(strstr(text, ",events,limit_steps,max_events,accumulation,sensitivity,stop,status,"));
    assert_non_null(strstr(text, ",on,9000,50,0.25,,,ok,"));
    assert_non_null(strstr(text, ",on,9000,60,0.25,,,ok,"));
    assert_int_equal(0, cli_run("", "report bounds --output bounds.md"));
    cli_read("bounds.md", text);
    assert_non_null(strstr(text, "radau max\\_events=50"));
    assert_non_null(strstr(text, "radau max\\_events=60"));
    assert_int_equal(0, cli_run(UNDRAWN, "solve pendulum --t-end 1 --stop x=9 --stop y=99 -q --output bounds/"));
    cli_read("bounds/runs.csv", text);
    assert_non_null(strstr(text, ",\"x=9,y=99\",ok,"));
}

/* Started by a program that does not want to hear of its children, which is inherited. */
static void test_children_ignored(void **state)
{
    (void)state;
    if (!cli_can_draw())
        skip();
    assert_int_equal(0, cli_run("--ignore-signal=CHLD", "drift pendulum --method rk4 --form index1 --step 0.1 -q "
                                                        "--plot x.svg"));
    assert_true(cli_exists("x.svg"));
}

/* The name of a file may hold any bytes; JSON is UTF-8. */
static void test_bytes_of_names(void **state)
{
    char line[512];
    (void)state;
    assert_int_equal(0, cli_run("", "new bytes --first-order"));
    snprintf(line, sizeof line, "mv %s/bytes.c '%s/b\xff.c'", cli_folder, cli_folder);
    assert_int_equal(0, system(line));
    json_t *tree = parsed(0, "solve ./b\xff.c --samples 3 --rtol 1e-8 --method radau5 --format json -q");
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve ./b\xff.c --samples 3 --rtol 1e-8 --method radau5 --output bytes/ -q"));
    assert_true(cli_exists("bytes/study.json"));
}

/* The pictures of a study in the folder; how many. */
static size_t pages_of(const char *study)
{
    char command[256], path[300], name[64];
    snprintf(command, sizeof command, "drift pendulum --t-end 0.1 --step 0.01 %s -q --output pages/", study);
    assert_int_equal(0, cli_run("", command));
    snprintf(path, sizeof path, "%s/pages/study.json", cli_folder);
    json_t *tree = json_load_file(path, 0, NULL);
    const size_t pages = json_array_size(at(tree, "plots"));
    assert_int_equal(pages == 1, cli_exists("pages/drift.svg"));
    for (size_t page = 1; page <= pages + 1; page++) {
        snprintf(name, sizeof name, "pages/drift-%d.svg", (int)page);
        assert_int_equal(pages > 1 && page <= pages, cli_exists(name));
    }
    json_decref(tree);
    return pages;
}

/* Where a picture takes several files, the one file of a study before is none of them, and the other way. */
static void test_pages_of_a_folder(void **state)
{
    (void)state;
    if (!cli_can_draw())
        skip();
    assert_int_equal(1, pages_of("--form index3 --method cros"));
    assert_true(pages_of("--form index1,index2 --method all") > 1);
    assert_int_equal(1, pages_of("--form index3 --method cros"));
}

/* What the tables say is what the result says. */
static void test_tables(void **state)
{
    (void)state;
    json_t *tree = parsed(0, "converge pendulum --method cros,ida --form index1 --step 0.1 --levels 3 --output t.json "
                             "--output /dev/stdout --format json");
    dataset *d;
    dae_report why = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/t.json", cli_folder);
    if (dataset_read(&d, path, &why))
        fail_msg("%s", why.message);
    const table *runs = dataset_find(d, "runs"), *orders = dataset_find(d, "orders");
    assert_true(runs && orders);
    assert_int_equal(2 * 3, table_rows(runs));
    for (int i = 0; i < 3; i++) {
        char where[64];
        snprintf(where, sizeof where, "#%d", i);
        assert_true(table_number_at(runs, i, table_find(runs, "error_position"))
                    == number_in(tree, "runs", where, "error_position"));
        assert_true(table_number_at(runs, i, table_find(runs, "run")) == i + 1);
        assert_string_equal("ok", table_text_at(runs, i, table_find(runs, "status")));
        assert_null(table_text_at(runs, i, table_find(runs, "reason")));
    }
    assert_string_equal("m", table_unit_of(runs, table_find(runs, "error_position")));
    assert_string_equal("m/s", table_unit_of(runs, table_find(runs, "error_velocity")));
    assert_string_equal("N", table_unit_of(runs, table_find(runs, "scale_multiplier")));
    assert_string_equal("recovered", table_text_at(orders, 3, table_find(orders, "class")));
    assert_true(table_number_at(orders, 0, table_find(orders, "observed"))
                == number_in(tree, "orders", "class=position", "observed"));
    assert_string_equal("pendulum", text_at(tree, "provenance/command/2"));
    assert_string_equal("m/s", text_at(tree, "provenance/problems/pendulum/units/2"));
    dataset_free(d);
    json_decref(tree);
}

/* A variable that is called like a setting has a column of its own. */
static void test_variables_like_settings(void **state)
{
    char line[1024];
    (void)state;
    assert_int_equal(0, cli_run("", "new decays --first-order"));
    snprintf(line, sizeof line, "sed -i 's/\"a b c\"/\"step t rest\"/' %s/decays.c", cli_folder);
    assert_int_equal(0, system(line));
    json_t *tree = parsed(0, "solve ./decays.c --samples 3 --rtol 1e-8 --method radau5 --output s.csv --output "
                             "/dev/stdout --format json");
    const json_t *solution = at(tree, "tables/solution");
    assert_string_equal("t", text_at(solution, "columns/0"));
    assert_string_equal("variable_step", text_at(solution, "columns/1"));
    assert_string_equal("variable_t", text_at(solution, "columns/2"));
    assert_string_equal("rest", text_at(solution, "columns/3"));
    json_decref(tree);
    assert_int_equal(4, read_csv("s.csv"));
}

/* Failures have rows as runs have, each with its reason. */
static void test_failures(void **state)
{
    (void)state;
    assert_int_equal(2, cli_run("", "bench pendulum --form index3 --method euler --rtol 1e-3 --levels 1 --output "
                                    "f.json"));
    json_t *tree = parsed(1, "drift pendulum --form index3 --method ida,cros --rtol 1e-30 --atol 1e-30 --format json");
    assert_string_not_equal("ok", text_in(tree, "runs", "", "status"));
    assert_true(strlen(text_in(tree, "runs", "", "reason")) > 10);
    json_decref(tree);
}

/* ---- what cannot be written, and what makes no sense ---- */

static void test_mistakes(void **state)
{
    static const struct { const char *line; int status; const char *says; } wrong[] = {
        {"solve pendulum --format csv --output x.json", 2, "contradict"},
        {"solve pendulum --output x.csv --output x.csv", 2, "both write x.csv"},
        {"solve pendulum --output x.svg --plot x.svg", 2, "both write x.svg"},
        {"solve pendulum --format csv --table run", 2, "did you mean runs?"},
        {"solve pendulum --format csv --table zzzzzz", 2, "no such table"},
        {"solve pendulum --table runs", 2, "nothing is written as CSV"},
        {"solve pendulum --format csv --table events", 2, "no table events"},
        {"list --format csv --output x.json", 2, "contradict"},
        {"solve pendulum --output /dev/full", 3, "/dev/full"},
        {"solve pendulum --output f.json --output /dev/full", 3, "/dev/full"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int status = cli_run("", wrong[i].line);
        if (status != wrong[i].status || !strstr(cli_said.err, wrong[i].says))
            fail_msg("%s: %d, %s", wrong[i].line, status, cli_said.err);
    }
    assert_false(cli_exists("x.csv"));
    assert_false(cli_exists("x.json"));
    assert_true(cli_exists("f.json"));                  /* one that fails keeps no other from being written */
}

static void test_full(void **state)
{
    (void)state;
    char line[1024];
    snprintf(line, sizeof line, "cd %s; ulimit -f 1; " DAELAB_PROGRAM " solve pendulum --quiet --output big.json "
                                                                      "2>said",
             cli_folder);
    const int ended = system(line);
    assert_true(WIFEXITED(ended));
    assert_int_equal(3, WEXITSTATUS(ended));
    assert_false(cli_exists("big.json"));
    cli_read("said", cli_said.err);
    assert_non_null(strstr(cli_said.err, "big.json"));
}

static void test_pipe(void **state)
{
    static char direct[CLI_TEXT];
    char line[1024];
    (void)state;
    assert_int_equal(0, cli_run("", "solve pendulum --format csv --output /dev/stdout"));
    strcpy(direct, cli_said.out);
    assert_non_null(strstr(direct, "t,x,y,"));
    snprintf(line, sizeof line, "cd %s; mkfifo pipe; cat pipe > through & " DAELAB_PROGRAM
             " solve pendulum --quiet --format csv --output pipe; wait", cli_folder);
    assert_int_equal(0, system(line));
    cli_read("through", cli_said.out);
    assert_string_equal(direct, cli_said.out);
}

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* The line that begins with the time t, which is aligned to the right of a column of five. */
static int has_row(const char *t)
{
    char line[16];
    snprintf(line, sizeof line, "\n%5s  ", t);
    return strstr(cli_said.out, line) != NULL;
}

/* Where all points of a solution are in a picture, the table has some, from the first to the last. */
static void test_short_tables(void **state)
{
    static char text[CLI_TEXT];
    const int drawn = cli_can_draw();
    (void)state;
    for (int i = 0; i < drawn; i++) {
        assert_int_equal(0, cli_run("", "solve pendulum --plot few.svg"));
        assert_int_equal(21 + 11, lines_of(cli_said.out));
        assert_true(has_row("0") && has_row("0.1") && has_row("2"));
        assert_non_null(strstr(cli_said.out, "\n21 of 401 rows; the picture has all of them, and --output FILE.csv"));
    }
    assert_int_equal(0, cli_run(UNDRAWN, "solve pendulum --output few/"));
    assert_int_equal(401, read_csv("few/solution.csv"));
    assert_int_equal(0, cli_run("", "solve pendulum --samples 400"));
    assert_int_equal(401 + 9, lines_of(cli_said.out));          /* nothing else has them */
    assert_int_equal(0, cli_run(UNDRAWN, "solve pendulum --samples 400 --output few/ --format csv"));
    assert_int_equal(402, lines_of(cli_said.out));
    assert_int_equal(0, cli_run(UNDRAWN, "solve pendulum --samples 400 --output few/ --output all.txt"));
    cli_read("all.txt", text);
    assert_int_equal(401 + 9, lines_of(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_run), cmocka_unit_test(test_folder), cmocka_unit_test(test_tables),
        cmocka_unit_test(test_pages_of_a_folder), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_children_ignored), cmocka_unit_test(test_bytes_of_names),
        cmocka_unit_test(test_variables_like_settings), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_full),    cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_short_tables),
    };
    return cmocka_run_group_tests(tests, cli_begin, cli_end);
}
