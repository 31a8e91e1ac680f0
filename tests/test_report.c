/* test_report.c - daelab report: what a study says as a page */
#include "cli.h"

#include "numbers/decimal.h"
#include "output/dataset.h"

#include <jansson.h>
#include <math.h>

static const char study[] = "converge pendulum --form index3,index1 --method cros --step 0.02 --levels 3 --format json "
                            "--output study.json --quiet";

static char page_text[CLI_TEXT];

static const char *read_page(const char *name)
{
    cli_read(name, page_text);
    assert_true(strlen(page_text) > 100);
    return page_text;
}

static const char *report_as(const char *result, const char *name)
{
    char line[256];
    snprintf(line, sizeof line, "report %s --output %s", result, name);
    assert_int_equal(cli_run("", line), 0);
    assert_string_equal(cli_said.err, "");
    return read_page(name);
}

static int begin(void **state)
{
    return cli_begin(state) || cli_run("", study);
}

/* ---- structure: every element is closed where it was opened ---- */

enum { DEEP = 64, TAG = 24 };

static int is_void(const char *tag) { return strcmp(tag, "meta") == 0 || strcmp(tag, "!DOCTYPE") == 0; }

/* The end of the tag that begins at `<`; attributes are between double quotes. */
static const char *tag_end(const char *c)
{
    for (int quoted = 0; *c && (quoted || *c != '>'); c++)
        quoted = *c == '"' ? !quoted : quoted;
    assert_true(*c == '>');
    return c;
}

static void assert_well_formed(const char *text)
{
    char open[DEEP][TAG];
    int depth = 0;
    for (const char *c = strchr(text, '<'); c; c = strchr(c, '<')) {
        char tag[TAG];
        const int closes = c[1] == '/';
        assert_int_equal(sscanf(c + 1 + closes, "%23[!A-Za-z0-9]", tag), 1);
        const char *end = tag_end(c);
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], tag);
        } else if (end[-1] != '/' && !is_void(tag)) {
            assert_true(depth < DEEP);
            strcpy(open[depth++], tag);
        }
        c = end;
        if (!closes && (strcmp(tag, "script") == 0 || strcmp(tag, "style") == 0))
            assert_non_null(c = strstr(c, "</"));
    }
    assert_int_equal(depth, 0);
}

static void test_structure(void **state)
{
    const char *text = report_as("study.json", "page.html");
    (void)state;
    assert_well_formed(text);
    assert_non_null(strstr(text, "<svg class=\"panel-svg\""));
    assert_non_null(strstr(text, "id=\"orders\""));
    assert_non_null(strstr(text, "id=\"provenance\""));
    assert_non_null(strstr(text, "<h1>converge: pendulum</h1>"));
    assert_null(strstr(text, "http://"));               /* but for names of languages, nothing of elsewhere */
    assert_null(strstr(text, "https://"));
    assert_null(strstr(text, " src="));
}

/* ---- what it says ---- */

static dataset *result(const char *name)
{
    char path[256];
    dataset *d;
    dae_report report = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    assert_int_equal(dataset_read(&d, path, &report), DAE_OK);
    return d;
}

/* Every error of every run stands in the page with all of its digits. */
static void test_numbers(void **state)
{
    const char *text = report_as("study.json", "page.html");
    dataset *d = result("study.json");
    const table *runs = dataset_find(d, "runs");
    int numbers = 0;
    (void)state;
    for (int row = 0; row < table_rows(runs); row++)
        for (int i = 0; i < table_columns(runs); i++) {
            char number[DECIMAL], cell[DECIMAL + 16];
            const double x = table_number_at(runs, row, i);
            if (strncmp(table_name_of(runs, i), "error_", 6) || !isfinite(x))
                continue;
            snprintf(cell, sizeof cell, "data-v=\"%s\"", decimal(x, number));
            if (strlen(number) <= strlen("1.234e-05"))              /* four digits may be all */
                snprintf(cell, sizeof cell, ">%s<", number);
            assert_non_null(strstr(text, cell));
            numbers++;
        }
    assert_true(numbers >= 6 * 3);
    dataset_free(d);
}

static void test_glance(void **state)
{
    const char *text = report_as("study.json", "page.html");
    (void)state;
    const char *answer = strstr(text, "class=\"finding bad\"");
    assert_non_null(answer);                            /* the first finding of all */
    assert_true(answer < strstr(text, "<svg class=\"panel-svg\""));
    assert_non_null(strstr(answer, "index3 by cros: the error of multiplier does not fall"));
    assert_non_null(strstr(answer, "a small drift does not make it right"));
    assert_null(strstr(answer, "index1 by cros: the error of"));
    assert_non_null(strstr(text, "does a small drift mean a small error?"));
}

/* Without a ladder of levels: one run, its error beside its drift. */
static void test_single_runs(void **state)
{
    (void)state;
    assert_int_equal(cli_run("", "drift pendulum --form index3,index1 --method cros --step 0.01 --reference --format "
                             "json --output drift.json --quiet"), 0);
    const char *text = report_as("drift.json", "drift.md");
    assert_non_null(strstr(text, "✗ pendulum, index3 by cros: multiplier is wrong by "));
    assert_null(strstr(text, "✗ pendulum, index1"));
    assert_non_null(strstr(text, "- pendulum: the drift of position is "));
    assert_non_null(strstr(text, "the law by which drifts grow"));
    text = report_as("drift.json", "drift.html");
    assert_well_formed(text);
    assert_non_null(strstr(text, "drift against time"));
}

static void test_markdown(void **state)
{
    const char *text = report_as("study.json", "page.md");
    (void)state;
    assert_non_null(strstr(text, "- ✗ pendulum, index3 by cros: the error of multiplier does not fall"));
    assert_non_null(strstr(text, "| method | index3 | index1 |"));
    assert_non_null(strstr(text, "| cros | ✗ "));
    assert_non_null(strstr(text, "daelab converge pendulum"));
}

static void test_latex(void **state)
{
    const char *text = report_as("study.json", "page.tex");
    char command[512];
    (void)state;
    assert_non_null(strstr(text, "\\begin{longtable}"));
    assert_non_null(strstr(text, "\\usepackage{siunitx}"));
    if (system("kpsewhich siunitx.sty booktabs.sty longtable.sty >/dev/null 2>&1")) {
        print_message("there is no LaTeX with siunitx: the document is not compiled\n");
        return;
    }
    snprintf(command, sizeof command,
             "cd '%s' && pdflatex -interaction=nonstopmode -halt-on-error page.tex >latex.txt 2>&1", cli_folder);
    assert_int_equal(system(command), 0);
    assert_true(cli_exists("page.pdf"));
}

/* ---- text of others ---- */

static const char hostile[] = "<img src=x onerror=\"alert('1')\">&amp;</script><!--|`*_$%#{}\\";

/* Every name and reason becomes this text. */
static void make_hostile(json_t *tree)
{
    json_t *tables = json_object_get(tree, "tables"), *of, *row;
    const char *name;
    size_t i, k;
    json_object_set_new(tree, "title", json_string(hostile));
    json_object_set_new(tree, "question", json_string(hostile));
    json_object_foreach(tables, name, of)
        json_array_foreach(json_object_get(of, "columns"), i, row) {
            const char *column = json_string_value(row);
            if (strcmp(column, "problem") && strcmp(column, "reason") && strcmp(column, "form")
                && strcmp(column, "method"))
                continue;
            json_t *line;
            json_array_foreach(json_object_get(of, "rows"), k, line)
                json_array_set_new(line, i, json_string(hostile));
        }
}

static void write_hostile(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/study.json", cli_folder);
    json_t *tree = json_load_file(path, 0, NULL);
    assert_non_null(tree);
    make_hostile(tree);
    snprintf(path, sizeof path, "%s/hostile.json", cli_folder);
    assert_int_equal(json_dump_file(tree, path, 0), 0);
    json_decref(tree);
}

static void test_hostile(void **state)
{
    (void)state;
    write_hostile();
    const char *text = report_as("hostile.json", "hostile.html");
    assert_well_formed(text);
    assert_null(strstr(text, "<img"));
    assert_null(strstr(text, "<!--"));
    assert_non_null(strstr(text, "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"));
    text = report_as("hostile.json", "hostile.md");
    assert_null(strstr(text, "<img"));
    assert_non_null(strstr(text, "\\|\\`\\*\\_"));
    text = report_as("hostile.json", "hostile.tex");
    assert_null(strstr(text, "<img"));
    assert_non_null(strstr(text, "\\_\\allowbreak{}\\$\\%\\#\\{\\}\\textbackslash{}"));
}

/* ---- several results, other folders, mistakes ---- */

static void test_several(void **state)
{
    const char *text = report_as("study.json study.json", "both.html");
    (void)state;
    assert_well_formed(text);
    assert_non_null(strstr(text, "id=\"1-orders\""));
    assert_non_null(strstr(text, "id=\"2-orders\""));
    assert_true(strstr(text, "id=\"2-answer\"") < strstr(text, "id=\"1-orders\""));     /* answers first */
    assert_non_null(strstr(text, "converge: pendulum (study.json)"));
    assert_int_equal(cli_run("", "report . --format md"), 0);
    assert_non_null(strstr(cli_said.out, "# "));
}

static void refused(const char *arguments, int status, const char *words)
{
    assert_int_equal(cli_run("", arguments), status);
    assert_non_null(strstr(cli_said.err, words));
    assert_string_equal(cli_said.out, "");
}

static void test_mistakes(void **state)
{
    (void)state;
    refused("report --output x.html", 2, "report what?");
    refused("report study.json", 2, "where to?");
    refused("report study.json --output x.doc", 2, "ends in .html, .md or .tex");
    refused("report study.json --format pdf", 2, "html, md or tex");
    refused("report study.json --format md --output x.html", 2, "contradict");
    refused("report nothing.json --output x.html", 3, "nothing.json");
    refused("report page.md --output x.html", 2, "page.md");
    assert_false(cli_exists("x.html"));
    refused("report study.json --output /dev/null/x.html", 3, "/dev/null/x.html");
    refused("report study.json --format html > /dev/full", 3, "standard output cannot be written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure), cmocka_unit_test(test_numbers), cmocka_unit_test(test_glance),
        cmocka_unit_test(test_single_runs), cmocka_unit_test(test_markdown), cmocka_unit_test(test_latex),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_several), cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, begin, cli_end);
}
