/* test_plot.c - pictures, and everything that may go wrong on the way to one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content.h"
#include "picture/plot.h"
#include "picture/plot_script.h"

static char folder[] = P_tmpdir "/daelab-output-XXXXXX";
static char path[512], bin[sizeof folder + 8], *usual_path;

static const char *inside(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(bin, sizeof bin, "%s/bin", folder);
    usual_path = strdup(getenv("PATH") ? getenv("PATH") : "");
    return usual_path && mkdir(bin, 0700) == 0 ? 0 : -1;
}

/* Remove the files of a folder; how many there were. */
static int clear(const char *name)
{
    char file[1024];
    int count = 0;
    DIR *d = opendir(name);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(file, sizeof file, "%s/%s", name, e->d_name);
        count += unlink(file) == 0;
    }
    closedir(d);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    clear(bin);
    clear(folder);
    free(usual_path);
    return rmdir(bin) || rmdir(folder) ? -1 : 0;
}

/* From here on gnuplot is this script, or missing (NULL). */
static void replace_gnuplot(const char *script)
{
    char name[sizeof bin + 16];
    snprintf(name, sizeof name, "%s/gnuplot", bin);
    if (script) {
        FILE *f = fopen(name, "w");
        assert_non_null(f);
        fprintf(f, "#!/bin/sh\n%s\n", script);
        fclose(f);
        chmod(name, 0700);
    }
    setenv("PATH", bin, 1);
}

static int restore(void **state)
{
    (void)state;
    setenv("PATH", usual_path, 1);
    clear(bin);
    clear(folder);
    return 0;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const double step[] = {0.1, 0.05, 0.025, 0.0125}, none[] = {NAN, 0, -1, INFINITY},
                    error[] = {1e-2, NAN, 2e-4, 5e-324}, slope[] = {1e-2, 2e-3, 5e-4, 1e-4};
static const plot_curve curves[] = {{"cros_<index2>", PLOT_LINE, 4, step, error, NULL},
                                    {"it's", PLOT_POINTS, 4, step, slope, NULL},
                                    {"empty", PLOT_LINE, 4, step, none, NULL},
                                    {"slope 2", PLOT_GUIDE, 4, step, slope, NULL}};
static const plot_panel panels[] = {
    {"position_x", "step", "error", 1, 1, 4, curves, NULL}, {"linear", "t", NULL, 0, 0, 4, curves, NULL},
    {"empty", "step", "error", 1, 1, 1, curves + 2, "is not there"}, {"no curve", NULL, NULL, 0, 1, 0, NULL, NULL}};
static const char *const notes[] = {"× it's 100 % {\\LaTeX} #1 ^_~ $x$ & more", "of another curve"};
static const plot_figure figure = {.title = "'daelab': \"it's\" x'' `date` $0 \\", .count = 4, .columns = 2,
                                   .panel = panels, .notes = 2, .note = notes};

static dae_status draw(const char *name, dae_report *report)
{
    plot_file to = {.path = inside(name)};
    return plot_write(&to, &figure, 1, report);
}

static void need_gnuplot(void)
{
    if (plot_check("x.png", NULL) || plot_check("x.svg", NULL))
        skip();
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void test_svg(void **state)
{
    size_t size;
    dae_report report = {0};
    (void)state;
    need_gnuplot();
    if (draw("a.svg", &report))
        fail_msg("%s", report.message);
    char *text = content(path, &size);
    assert_memory_equal(text, "<?xml", 5);
    assert_non_null(strstr(text + size - 8, "</svg>\n"));
    assert_int_equal(times(text, "<text>cros_&lt;index2><"), 1);
    assert_int_equal(times(text, "<text>slope 2<"), 1);
    assert_int_equal(times(text, ">position_x<"), 1);
    assert_int_equal(times(text, "nothing to draw"), 1);
    assert_int_equal(times(text, ">is not there<"), 1);
    assert_int_equal(times(text, ">of another curve<"), 1);
    assert_non_null(strstr(text, "`date` $0 \\<"));
    free(text);
    assert_int_equal(clear(folder), 1);
}

static void test_png(void **state)
{
    size_t size;
    dae_report report = {0};
    (void)state;
    need_gnuplot();
    if (draw("a b'c\"|$d;.png", &report))
        fail_msg("%s", report.message);
    char *bytes = content(path, &size);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(bytes + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(bytes);
    assert_int_equal(clear(folder), 1);
}

/* Nothing but the one file is there afterwards, with the mode of any new file; a second picture
 * replaces it. */
static void test_mode(void **state)
{
    struct stat s;
    (void)state;
    need_gnuplot();
    const mode_t mask = umask(027);
    const dae_status status = draw("a.svg", NULL);
    umask(mask);
    assert_int_equal(status, DAE_OK);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    assert_int_equal(draw("a.svg", NULL), DAE_OK);
    assert_int_equal(clear(folder), 1);
}

static void test_ending(void **state)
{
    static const char *const names[] = {"a.eps", "a", ".svg/a", "a.svg ", "svg", ""};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dae_report report = {0};
        assert_int_equal(draw(names[i], &report), DAE_BAD_ARGUMENT);
        assert_int_equal(report.status, DAE_BAD_ARGUMENT);
        assert_non_null(strstr(report.message, ".svg or .png"));
        assert_int_equal(plot_check(path, &report), DAE_BAD_ARGUMENT);
        assert_int_equal(clear(folder), 0);
    }
}

static void test_nothing(void **state)
{
    dae_report report = {0};
    (void)state;
    plot_file to = {.path = inside("a.svg")};
    const plot_figure wrong[] = {{.panel = panels + 2, .count = 2, .columns = 1},
                                 {.panel = panels, .count = 0, .columns = 1},
                                 {.panel = panels, .count = 1, .columns = 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(plot_write(&to, &wrong[i], 1, &report), DAE_BAD_ARGUMENT);
        assert_int_equal(report.status, DAE_BAD_ARGUMENT);
    }
    assert_int_equal(plot_write(&to, NULL, 0, &report), DAE_BAD_ARGUMENT);
    assert_int_equal(clear(folder), 0);
}

/* A failure with words; the file that was there is as it was, and alone. */
static void assert_fails(const char *words)
{
    size_t size;
    dae_report report = {0};
    put(inside("a.svg"), "old");
    assert_int_equal(draw("a.svg", &report), DAE_FILE);
    assert_int_equal(report.status, DAE_FILE);
    assert_non_null(strstr(report.message, words));
    char *text = content(path, &size);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(clear(folder), 1);
    assert_int_equal(draw("a.svg", NULL), DAE_FILE);
    assert_int_equal(clear(folder), 0);
}

static void test_missing_gnuplot(void **state)
{
    dae_report report = {0};
    (void)state;
    replace_gnuplot(NULL);
    assert_fails("gnuplot is not installed");
    assert_int_equal(plot_check("a.svg", &report), DAE_FILE);
    assert_non_null(strstr(report.message, "gnuplot is not installed"));
}

static void test_failing_gnuplot(void **state)
{
    dae_report report = {0};
    (void)state;
    replace_gnuplot("echo '<svg>'; echo; echo ' ^  line 0: no' >&2; echo more >&2; exit 3");
    assert_fails("gnuplot failed: line 0: no more");
    assert_int_equal(plot_check("a.svg", &report), DAE_FILE);
    replace_gnuplot("exit 1");
    assert_fails("gnuplot failed: without a word");
    replace_gnuplot("kill -9 $$");
    assert_fails("gnuplot was ended by signal 9");
    replace_gnuplot("echo '<svg><path>'");
    assert_fails("did not finish");
    replace_gnuplot("exit 0");
    assert_fails("did not finish");
}

/* One that does not read its script, and one that floods its standard error. */
static void test_odd_gnuplot(void **state)
{
    (void)state;
    replace_gnuplot("echo '<svg></svg>'");
    assert_int_equal(draw("a.svg", NULL), DAE_OK);
    replace_gnuplot("i=0; while [ $i -lt 3000 ]; do echo \"warning $i: a line of text\" >&2;"
                    " i=$((i+1)); done; echo '<svg></svg>'");
    assert_int_equal(draw("a.svg", NULL), DAE_OK);
    assert_int_equal(clear(folder), 1);
}

/* A terminal named in the environment is none of our business; a device that is full is. */
static void test_surroundings(void **state)
{
    dae_report report = {0};
    (void)state;
    need_gnuplot();
    setenv("GNUTERM", "none", 1);
    const dae_status status = draw("a.svg", &report);
    unsetenv("GNUTERM");
    assert_int_equal(status, DAE_OK);
    assert_int_equal(symlink("/dev/full", inside("full.svg")), 0);
    assert_int_equal(draw("full.svg", &report), DAE_FILE);
    assert_non_null(strstr(report.message, strerror(ENOSPC)));
    assert_int_equal(clear(folder), 2);
}

static void test_folder(void **state)
{
    dae_report report = {0};
    (void)state;
    replace_gnuplot("echo '<svg></svg>'");
    put(inside("file"), "old");
    assert_int_equal(draw("file/a.svg", &report), DAE_FILE);
    assert_non_null(strstr(report.message, strerror(ENOTDIR)));
    assert_int_equal(draw("missing/a.svg", &report), DAE_FILE);
    assert_non_null(strstr(report.message, strerror(ENOENT)));
    assert_int_equal(clear(folder), 1);
}

/* A path from (0, 0) to (4, 1) with a gap: as long in x as in y; and vertical lines, which do not
 * count for the axes. */
static void test_path_and_times(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 0.25, NAN, 0.75, 1}, at[] = {1.5, 900};
    const plot_curve curve[] = {{"way", PLOT_PATH, 5, x, y, NULL}, {"event", PLOT_TIMES, 2, at, at, NULL}};
    const plot_panel panel = {"path", "x", "y", 0, 0, 2, curve, NULL};
    const plot_figure way = {.title = "", .panel = &panel, .count = 1, .columns = 1};
    const plot_look look = {0};
    plot_document d;
    char *script = NULL;
    size_t size = 0;
    double left, right, low, high;
    FILE *out = open_memstream(&script, &size);
    assert_non_null(out);
    assert_int_equal(plot_lay_out(&d, &way, 1, &look, NULL), DAE_OK);
    assert_int_equal(d.count, 1);
    plot_script(&d, 0, 1, PLOT_SVG, NULL, out);
    plot_document_free(&d);
    fclose(out);
    assert_int_equal(2, sscanf(strstr(script, "set xrange"), "set xrange [%lf:%lf]", &left,
                               &right));
    assert_int_equal(2, sscanf(strstr(script, "set yrange"), "set yrange [%lf:%lf]", &low, &high));
    assert_true(left < 0 && right > 4 && right < 5 && low < 0 && high > 1);
    assert_true(fabs((right - left) / 334 - (high - low) / 246) < 1e-9);    /* pixels of the axes */
    assert_non_null(strstr(script, "1 0.25\n\n3 0.75\n"));
    assert_non_null(strstr(script, "set arrow from first 1.5,graph 0 to first 1.5,graph 1"));
    assert_null(strstr(script, "$d1 "));
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_svg, restore),
        cmocka_unit_test_teardown(test_png, restore),
        cmocka_unit_test_teardown(test_mode, restore),
        cmocka_unit_test_teardown(test_ending, restore),
        cmocka_unit_test_teardown(test_nothing, restore),
        cmocka_unit_test_teardown(test_missing_gnuplot, restore),
        cmocka_unit_test_teardown(test_failing_gnuplot, restore),
        cmocka_unit_test_teardown(test_odd_gnuplot, restore),
        cmocka_unit_test_teardown(test_surroundings, restore),
        cmocka_unit_test_teardown(test_folder, restore),
        cmocka_unit_test(test_path_and_times),
    };
    return cmocka_run_group_tests_name("plot", tests, make_folder, remove_folder);
}
