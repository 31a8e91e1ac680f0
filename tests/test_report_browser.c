/* test_report_browser.c - the script of a page of daelab report, in a browser without a window */
#include "cli.h"

#include <jansson.h>

#include <math.h>

static const char studies[] = "converge pendulum --form index3,index1 --method cros --step 0.02 --levels 7 --format "
                              "json --output converge.json --quiet";
static const char timed[] = "bench pendulum --form index1 --method radau --rtol 1e-4:1e-6 --runs 2 --seconds 0.001 "
                            "--format json --output bench.json --quiet";

static char said[CLI_TEXT];
static const char *browser;     /* NULL: there is none */

/* The text of a file of the tree. */
static char *tree_file(const char *name)
{
    static char text[1 << 16];
    char path[512];
    snprintf(path, sizeof path, "%s/%s", DAELAB_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* The page with what a reader does in it as a second script. */
static void write_visited(const char *page, const char *visited)
{
    char path[512];
    cli_read(page, said);
    char *end = strstr(said, "</body>");
    assert_non_null(end);
    snprintf(path, sizeof path, "%s/%s", cli_folder, visited);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    *end = 0;
    fprintf(file, "%s<script>\n%s</script>\n</body></html>\n", said, tree_file("tests/browser.js"));
    assert_int_equal(fclose(file), 0);
}

static const char *find_browser(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char command[128];
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", names[i]);
        if (system(command) == 0)
            return names[i];
    }
    return NULL;
}

/* The document as it is in the end; one that says nothing is loaded once more. */
static json_t *visit(const char *page, int width)
{
    char command[1024];
    write_visited(page, "visited.html");
    snprintf(command, sizeof command,
             "cd '%s' && timeout 100 %s --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
             "--user-data-dir='%s/browser' --window-size=%d,900 --dump-dom 'file://%s/visited.html' >dom.txt "
             "2>browser.txt", cli_folder, browser, cli_folder, width, cli_folder);
    assert_int_equal(system(command), 0);
    cli_read("dom.txt", said);
    char *begin = strstr(said, "id=\"seen\">SEEN "), *end = begin ? strstr(begin, " SEEN</pre>") : NULL;
    assert_non_null(end);
    *end = 0;
    json_t *seen = json_loads(begin + strlen("id=\"seen\">SEEN "), 0, NULL);
    assert_non_null(seen);
    return seen;
}

static int begin(void **state)
{
    browser = find_browser();
    return cli_begin(state) || cli_run("", studies) || cli_run("", timed)
           || cli_run("", "report converge.json bench.json --output page.html");
}

/* ---- what is seen ---- */

static const char *text_of(const json_t *seen, const char *key)
{
    const char *text = json_string_value(json_object_get(seen, key));
    assert_non_null(text);
    return text;
}

static void assert_sorted(const json_t *list, int sign)
{
    assert_int_equal(json_array_size(list), 14);
    for (size_t i = 1; i < json_array_size(list); i++)
        assert_true(sign * json_number_value(json_array_get(list, i - 1)) <= sign
                    * json_number_value(json_array_get(list, i)));
}

static void assert_tables(const json_t *seen)
{
    const json_t *rows = json_object_get(seen, "filtered");
    assert_sorted(json_object_get(seen, "up"), 1);
    assert_sorted(json_object_get(seen, "down"), -1);
    assert_string_equal(text_of(seen, "sorted"), "descending");
    assert_int_equal(json_array_size(rows), 7);
    for (size_t i = 0; i < 7; i++)
        assert_true(json_is_true(json_array_get(rows, i)));
}

/* The numbers under the cursor are those of the first point, with five digits. */
static void assert_cursor(const json_t *seen)
{
    const json_t *first = json_object_get(seen, "first");
    const char *tip = text_of(seen, "tip");
    for (size_t i = 0; i < 2; i++) {
        const char *at = strstr(tip, " = ");
        assert_non_null(at);
        const double x = json_number_value(json_array_get(first, i));
        assert_true(fabs(strtod(at + 3, NULL) - x) <= 1e-4 * fabs(x));
        tip = at + 3;
    }
    assert_true(json_is_true(json_object_get(seen, "gone")));
    assert_string_equal(text_of(seen, "key"), text_of(seen, "tip"));
    assert_non_null(strstr(text_of(seen, "spoken"), "cros"));
}

static void assert_switches(const json_t *seen)
{
    const json_t *grounds = json_object_get(seen, "grounds"), *words = json_object_get(seen, "words");
    assert_string_equal(text_of(seen, "off"), "none");
    assert_string_not_equal(text_of(seen, "on"), "none");
    assert_string_not_equal(json_string_value(json_array_get(grounds, 0)),
                            json_string_value(json_array_get(grounds, 1)));
    assert_string_not_equal(json_string_value(json_array_get(words, 0)), json_string_value(json_array_get(words, 1)));
    assert_true(json_is_true(json_object_get(seen, "back")));
}

static void assert_axes(const json_t *seen)
{
    const json_t *axes = json_object_get(seen, "axes");
    assert_non_null(strstr(text_of(axes, "label"), "against error of position"));
    assert_non_null(strstr(text_of(axes, "after"), "against steps"));
    assert_true(json_is_true(json_object_get(axes, "moved")));
}

static void test_script(void **state)
{
    (void)state;
    if (!browser) {
        print_message("there is no Chromium: the script of the page is not run\n");
        skip();
    }
    json_t *seen = visit("page.html", 1280);
    assert_tables(seen);
    assert_cursor(seen);
    assert_switches(seen);
    assert_axes(seen);
    assert_int_equal(json_integer_value(json_object_get(seen, "overflow")), 0);
    json_decref(seen);
}

/* On a phone nothing is wider than the screen but what can be moved by itself. */
static void test_narrow(void **state)
{
    (void)state;
    if (!browser)
        skip();
    json_t *seen = visit("page.html", 500);
    assert_true(json_integer_value(json_object_get(seen, "width")) <= 500);
    assert_int_equal(json_integer_value(json_object_get(seen, "overflow")), 0);
    json_decref(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_script), cmocka_unit_test(test_narrow)};
    return cmocka_run_group_tests(tests, begin, cli_end);
}
