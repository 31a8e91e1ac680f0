/* test_report.c - daelab report, and the page of a folder: what is refused, and what is said where Python is not all
 * there (tests/python/test_report.py looks at the pages) */
#include "cli.h"

#include <sys/stat.h>

static const char study[] = "converge pendulum --form index1 --method cros --step 0.02 --levels 3 --quiet --output ";

/* A Python that has none of the packages that are installed beside it. */
static int write_bare_python(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/bare", cli_folder);
    FILE *file = fopen(path, "w");
    return !file || fputs("#!/bin/sh\nexec python3 -S -E \"$@\"\n", file) < 0 || fclose(file) || chmod(path, 0755);
}

static int begin(void **state)
{
    char line[256];
    snprintf(line, sizeof line, "%sstudy.json", study);
    return cli_begin(state) || cli_run("", line) || write_bare_python();
}

/* Does the Python that the program finds have what pages need? */
static int has_packages(void)
{
    return cli_run("", "report study.json --format md") == 0 || !strstr(cli_said.err, "apt-get install");
}

TEST(test_formats)
{
    static const char *const begins[][2] = {{"html", "<!DOCTYPE html>"}, {"md", "# "}, {"latex", "\\documentclass"}};
    char line[256];
    if (!has_packages())
        skip();
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        snprintf(line, sizeof line, "report study.json study.json --format %s", begins[i][0]);
        assert_int_equal(cli_run("", line), 0);
        assert_string_equal(cli_said.err, "");
        assert_int_equal(strncmp(cli_said.out, begins[i][1], strlen(begins[i][1])), 0);
    }
    assert_int_equal(cli_run("", "report . --output page.tex"), 0);
    assert_true(cli_exists("page.tex"));
}

static void refused(const char *environment, const char *arguments, int status, const char *words)
{
    assert_int_equal(cli_run(environment, arguments), status);
    assert_non_null(strstr(cli_said.err, words));
    assert_string_equal(cli_said.out, "");
}

TEST(test_mistakes)
{
    refused("", "report --output x.html", 2, "report what?");
    refused("", "report study.json", 2, "where to?");
    refused("", "report study.json --output x.doc", 2, "ends in .html, .md or .tex");
    refused("", "report study.json --format pdf", 2, "html, md or latex");
    refused("", "report study.json --format md --output x.html", 2, "contradict");
    refused("", "report study.json --output /dev/null/x.html", 3, "/dev/null/x.html");
    if (!has_packages())
        skip();
    refused("", "report nothing.json --output x.html", 3, "nothing.json");
    refused("", "report bare --output x.html", 2, "bare");
    refused("", "report study.json --format html > /dev/full", 3, "standard output cannot be written");
    assert_false(cli_exists("x.html"));
}

/* One sentence, and all else of a folder. */
TEST(test_no_python)
{
    char line[256];
    refused("DAELAB_PYTHON=/nowhere/python", "report study.json --output x.html", 3,
            "/nowhere/python is not installed");
    refused("DAELAB_PYTHON=./bare", "report study.json --output x.html", 3, "apt-get install python3-");
    assert_false(cli_exists("x.html"));
    snprintf(line, sizeof line, "%sfolder/ >/dev/null", study);
    assert_int_equal(cli_run("DAELAB_PYTHON=./bare", line), 0);
    assert_non_null(strstr(cli_said.err, "apt-get install python3-"));
    assert_true(cli_exists("folder/study.json") && cli_exists("folder/runs.csv"));
    assert_false(cli_exists("folder/report.html"));
}

int main(void) { return run_all(begin, cli_end); }
