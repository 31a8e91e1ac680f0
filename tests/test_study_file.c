/* test_study_file.c - studies in files: each mistake is told with its line, and what a command line asks for is the
 * same in a file */
#include "cli_json.h"

#include <dirent.h>

/* "# line 7: SENTENCE", the first line of a text. */
static void wanted(const char *path, int *line, char sentence[256])
{
    char first[320];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    fclose(file);
    assert_int_equal(sscanf(first, "# line %d: %255[^\n]", line, sentence), 2);
}

static void test_each_mistake_is_told_with_its_line(void **state)
{
    static const char folder[] = DAELAB_SOURCE_DIR "/tests/faulty_studies";
    int files = 0;
    DIR *all = opendir(folder);
    (void)state;
    assert_non_null(all);
    for (const struct dirent *e = readdir(all); e; e = readdir(all)) {
        char path[512], arguments[600], sentence[256], place[600];
        int line;
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%.200s", folder, e->d_name);
        snprintf(arguments, sizeof arguments, "study '%s'", path);
        wanted(path, &line, sentence);
        snprintf(place, sizeof place, "%.200s, line %d: ", e->d_name, line);
        const int status = cli_run("", arguments), at = strstr(cli_said.err, place) != NULL;
        const int of_file = strcmp(e->d_name, "file_missing.yaml") == 0;        /* it may not be there, or be bad */
        if (status != (of_file ? 3 : 2) || !at || !strstr(cli_said.err, sentence) || *cli_said.out)
            fail_msg("%s: status %d, line %d and '%s' are wanted: %s%s", e->d_name, status, line, sentence,
                     cli_said.err, cli_said.out);
        files++;
    }
    closedir(all);
    assert_true(files >= 40);
}

/* ---- what is saved is run again ---- */

/* Without what is measured of the machine or the time: a cell after the other of all tables. */
static int same_tables(const json_t *a, const json_t *b)
{
    static const char *const measured[] = {"seconds", "cpu", "runs_timed", "part"};
    const char *name;
    json_t *table;
    assert_true(json_object_size(a) > 0);
    json_object_foreach((json_t *)(uintptr_t)a, name, table) {
        const json_t *other = json_object_get(b, name), *columns = json_object_get(table, "columns");
        const json_t *rows = json_object_get(table, "rows"), *rows2 = json_object_get(other, "rows");
        if (!json_equal((json_t *)(uintptr_t)columns, json_object_get(other, "columns"))
            || json_array_size(rows) != json_array_size(rows2))
            return 0;
        for (size_t r = 0; r < json_array_size(rows); r++)
            for (size_t c = 0; c < json_array_size(columns); c++) {
                const char *column = json_string_value(json_array_get(columns, c));
                int is_measured = strncmp(column, "wall", 4) == 0;
                for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
                    is_measured |= strcmp(column, measured[k]) == 0;
                if (!is_measured && !json_equal(json_array_get(json_array_get(rows, r), c),
                                                json_array_get(json_array_get(rows2, r), c)))
                    return 0;
            }
    }
    return 1;
}

static void test_what_is_saved_runs_again(void **state)
{
    static const char *const lines[] = {
        "solve pendulum --form index1,ode --rtol 1e-6 --jacobian dual,fd --samples 3 --param L=4",
        "solve pendulum --rtol 1e-5 --atol T=1e-3,1e-6,1e-8 --samples 1 --project position --project none",
        "solve pendulum --rtol 1e-5 --atol 1e-6 --atol T=1e-3,x=1e-2*rtol --samples 1",
        "solve string_pendulum --method radau5 --stop y=2 --samples 2",
        "converge pendulum,kepler --form index1 --form native --method rk4,cros --step 0.1 --levels 3 --quiet",
        "converge pendulum --form index2 --method cros --levels 3 --step 0.1 --vary L=4,5 --vary m=1,2 -q",
        "drift pendulum --method cros --form index1,ggl --project none --project position,velocity --step 0.1",
        "drift box --no-events --method rk4 --t-end 1",
        ("bench pendulum,kepler --method radau5 --rtol 1e-3:1e-5 --at 1e-2,1e-3 --runs 1 --seconds 1e-9 --vary "
         "pendulum.L=4,5"),
        "bench pendulum,robertson --digits --method radau5,ida --rtol 1e-7",
        "drift ./bead.c --method cros --param m=2 --param g=9.5 --alpha 3,4 --beta 2 --form baumgarte"};
    (void)state;
    assert_int_equal(cli_run("", "new bead"), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[400];
        snprintf(line, sizeof line, "%s --save again.yaml --format json", lines[i]);
        json_t *first = parsed(0, line);
        json_t *again = parsed(0, "study again.yaml --quiet --format json");
        if (!same_tables(at(first, "tables"), at(again, "tables")))
            fail_msg("%s: its file gives other tables", lines[i]);
        json_decref(first);
        json_decref(again);
    }
    assert_int_equal(cli_run("", "solve pendulum --save no/such/folder/a.yaml"), 3);
    assert_non_null(strstr(cli_said.err, "no/such/folder"));
    assert_string_equal(cli_said.out, "");
}

/* A model that looks for the file, and the one in the folder of results, in the middle of the run. */
static void test_a_study_is_saved_before_it_is_run(void **state)
{
    char command[1024];
    (void)state;
    snprintf(command, sizeof command, "cd '%s' && '%s' new watchful >/dev/null && "
             "sed -i '1i #include <stdlib.h>\\n#include <unistd.h>\n/FN(force)/,/^}/ s|f.0. = 0;|f[0] = 0; "
             "if ((double)t > 1 \\&\\& (access(\"early.yaml\", F_OK) \\|\\| access(\"early/study.yaml\", F_OK))) "
             "abort();|' watchful.c && grep -q 'f.0. = 0; if' watchful.c", cli_folder, DAELAB_PROGRAM);
    assert_int_equal(0, system(command));
    if (cli_run("", "drift ./watchful.c --no-check --form index1 --method rk4 --step 0.1 --save early.yaml "
                    "--output early/"))
        fail_msg("%s%s", cli_said.out, cli_said.err);
}

/* ---- parts ---- */

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_parts(void **state)
{
    (void)state;
    write_file("parts.yaml", "study: two parts\nquestion: do they differ?\n"
               "common: {t_end: 0.5, step: 0.1, alpha: 3, levels: 3}\n"
               "parts:\n"
               "  - name: orders\n    kind: converge\n    problem: [pendulum, kepler]\n    method: rk4\n    form: all\n"
               "  - kind: drift\n    problem: pendulum\n    step: 0.05\n    jacobian: [dual, fd]\n"
               "    form: [index1, baumgarte]\n");
    json_t *tree = parsed(0, "study parts.yaml --quiet --format json");
    assert_string_equal(text_at(tree, "title"), "two parts");
    assert_string_equal(text_at(tree, "question"), "do they differ?");
    assert_true(number_in(tree, "runs", "part=orders problem=kepler", "t_end") == 0.5);
    assert_true(number_in(tree, "runs", "part=drift jacobian=fd", "step") == 0.05);
    assert_int_equal(count_rows(tree, "runs", "part=drift jacobian=dual"), 2);
    const json_t *notes = at(tree, "notes");
    assert_true(json_array_size(notes) > 1);
    assert_true(strncmp(text_at(notes, "0"), "orders pendulum: reference", 26) == 0);
    /* an option of the command line is of the parts that use it: a drift has no reference */
    assert_int_equal(cli_run("", "study parts.yaml --no-cache --quiet"), 0);
    json_decref(tree);
    tree = parsed(0, "study parts.yaml --part drift --quiet --format json");
    assert_int_equal(count_rows(tree, "runs", "part=drift"), count_rows(tree, "runs", ""));
    json_decref(tree);
    write_file("remark.yaml", "study: a remark\nparts:\n"
               "  - {name: masses, kind: drift, problem: pendulum, method: cros, form: index1, step: 0.1,\n"
               "     vary: {m: [1, -1]}}\n");
    tree = parsed(2, "study remark.yaml --quiet --format json");
    assert_string_equal(text_at(tree, "remarks/0/part"), "masses");
    assert_int_equal(count_rows(tree, "runs", "part=masses status=DAE_BAD_ARGUMENT"), 1);
    json_decref(tree);
    assert_int_equal(cli_run("", "study parts.yaml --part drft"), 2);
    assert_non_null(strstr(cli_said.err, "did you mean drift?"));
}

/* Files are named from where the study lies, not from where it is run. */
static void test_files_beside_the_study(void **state)
{
    char command[512];
    (void)state;
    snprintf(command, sizeof command, "mkdir -p '%s/inner' && cd '%s/inner' && '%s' new wire >new.txt", cli_folder,
             cli_folder, DAELAB_PROGRAM);
    assert_int_equal(system(command), 0);
    write_file("inner/s.yaml", "study: beside\nparts:\n  - {kind: drift, problem: [./wire.c, pendulum], method: "
                               "cros}\n");
    json_t *tree = parsed(0, "study inner/s.yaml --quiet --format json");
    assert_string_equal(text_in(tree, "runs", "", "problem"), "wire");
    json_decref(tree);
}

/* The commented examples do what they say; of the long one a part. */
static void test_examples(void **state)
{
    static const char *const examples[] = {"converge.yaml", "drift.yaml", "bench.yaml", "scale.yaml", "solve.yaml",
                                           "pendulum.yaml --part linear"};
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, "study " DAELAB_SOURCE_DIR "/examples/studies/%s --quiet --format json",
                 examples[i]);
        json_t *tree = parsed(0, arguments);
        assert_true(count_rows(tree, "runs", "") > 0);
        json_decref(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_mistake_is_told_with_its_line),
        cmocka_unit_test(test_what_is_saved_runs_again),
        cmocka_unit_test(test_a_study_is_saved_before_it_is_run),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_files_beside_the_study),
    };
    return cmocka_run_group_tests(tests, cli_begin, cli_end);
}
