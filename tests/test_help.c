/* test_help.c - every command and topic explains itself, and what is shown can be run */
#include "cli_says.h"

#include "cli/options.h"

/* A line that stands in several places is tried once. */
static int is_tried(const char *line)
{
    static char tried[1 << 14] = "\n";
    char whole[512];
    snprintf(whole, sizeof whole, "\n%s\n", line);
    if (strstr(tried, whole))
        return 1;
    assert_true(strlen(tried) + strlen(whole) < sizeof tried);
    strcat(tried, whole + 1);
    return 0;
}

/* The program's lines are tried as they stand: `daelab ARGUMENTS`. */
static void try_line(const char *line)
{
    if (is_tried(line))
        return;
    if (strncmp(line, "daelab ", 7) != 0)
        fail_msg("%s is no line of daelab", line);
    if (cli_run("", line + 7) != DONE)
        fail_msg("%s: %s", line, cli_said.err);
    if (strlen(cli_said.out) == 0 && !strstr(line, " --output ") && !strstr(line, "animate"))
        fail_msg("%s says nothing", line);
}

static int is_drawn(const char *line) { return strstr(line, "--plot") || strstr(line, "animate"); }

static int needs_sympy(const char *line) { return strstr(line, ".yaml") != NULL; }

static int is_installed(const char *try) { return system(try) == 0; }

static int has_sympy, has_pandas;       /* asked once, by main */

static int needs_pandas(const char *line) { return strstr(line, "daelab compare") != NULL; }

/* matplotlib, SymPy and pandas are not needed to build. */
static int can_be_tried(const char *line)
{
    return (!is_drawn(line) || cli_can_draw()) && (!needs_sympy(line) || has_sympy)
           && (!needs_pandas(line) || has_pandas);
}

/* Each command has one; all of them are for a command. */
TEST(test_examples)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!example_at(c->name, 0))
            fail_msg("%s has no example", c->name);
    for (int i = 0; example_at(NULL, i); i++) {
        const cli_example *e = example_at(NULL, i);
        char begin[64];
        snprintf(begin, sizeof begin, "daelab %s", e->command);
        assert_memory_equal(e->line, begin, strlen(begin));
        assert_in_range(strlen(e->comment), 1, 76);
        if (strlen(e->line) > 78)                       /* a line of its own on a terminal, to be copied */
            fail_msg("%s", e->line);
        if (can_be_tried(e->line))
            try_line(e->line);
    }
}

TEST(test_commands)
{
    static char first[CLI_TEXT];
    char arguments[64];
    for (const cli_command *c = cli_commands; c->name; c++) {
        snprintf(arguments, sizeof arguments, "%s --help", c->name);
        runs("", arguments);
        says(cli_said.out, c->summary);
        says(cli_said.out, "\nexamples:\n");
        for (int i = 0; example_at(c->name, i); i++)
            says(cli_said.out, example_at(c->name, i)->line);
        assert_null(strchr(cli_said.out, '{'));                     /* names are filled in */
        strcpy(first, cli_said.out);
        snprintf(arguments, sizeof arguments, "help %s", c->name);
        runs("", arguments);
        says(cli_said.out, first);                      /* behind the page of this name */
        if (c->takes_problem) {
            snprintf(arguments, sizeof arguments, "%s help", c->name);
            runs("", arguments);
            assert_string_equal(cli_said.out, first);
        }
    }
}

/* daelab new NAME: a file that is there is left alone. */
static int is_there(const char *line)
{
    char name[32], path[64];
    static const char *const endings[] = {"c", "yaml"};
    for (size_t i = 0; sscanf(line, "daelab new %31s", name) == 1 && i < 2; i++) {
        snprintf(path, sizeof path, "%s.%s", name, endings[i]);
        if (cli_exists(path))
            return 1;
    }
    return 0;
}

/* Lines of the page that begin with "    daelab " run, in their order. */
static void try_page(const cli_topic *topic)
{
    int tried = 0;
    for (const char *line = topic->text; *line; line += strcspn(line, "\n") + 1) {
        char text[512];
        const int shown = strncmp(line, "    daelab ", 11) == 0;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        if (strlen(text) > 79)
            fail_msg("%s: %s", topic->name, text);
        tried += shown;
        if (shown && can_be_tried(text + 4) && !is_there(text + 4))
            try_line(text + 4);
    }
    if (!tried && strcmp(topic->name, "exit-status") != 0)
        fail_msg("%s shows nothing", topic->name);
}

TEST(test_topics)
{
    char arguments[64];
    assert_non_null(topic_at(0));
    for (int i = 0; topic_at(i); i++) {
        snprintf(arguments, sizeof arguments, "help %s", topic_at(i)->name);
        runs("", arguments);
        assert_memory_equal(cli_said.out, topic_at(i)->text, strlen(topic_at(i)->text));
        try_page(topic_at(i));
        runs("", "help");
        says(cli_said.out, topic_at(i)->name);
        says(cli_said.out, topic_at(i)->title);
    }
}

/* A row of formats.def is a value of --format, an ending of --output, in the help of both, and a format of list. */
TEST(test_formats)
{
    char line[128];
    for (output_format k = 0; k < OUTPUT_FORMATS; k++) {
        assert_int_equal(DONE, cli_run("", "help solve all"));
        says(cli_said.out, formats[k].name);
        says(cli_said.out, formats[k].ending);
        snprintf(line, sizeof line, "list formulations --format %s --output list%s", formats[k].name,
                 formats[k].ending);
        assert_int_equal(DONE, cli_run("", line));
        assert_true(cli_exists(line + strlen(line) - strlen("list") - strlen(formats[k].ending)));
    }
    refused("", "list --format cvs", USAGE, "did you mean csv?");
}

TEST(test_nearest)
{
    refused("", "help ordres", USAGE, "did you mean orders?");
    refused("", "help convrge", USAGE, "did you mean converge?");
    refused("", "help qqqqqqqq", USAGE, "daelab help lists");
    refused("", "help orders drift", USAGE, "takes one name");
    refused("", "version 1", USAGE, "takes no name");
    refused("", "hlep", USAGE, "did you mean help?");
    refused("", "list -q7", USAGE, "has no option");
    refused("", "derive -q", USAGE, "has no option -q");
}

TEST(test_version)
{
    runs("", "version");
    says(cli_said.out, DAELAB_VERSION);
    says(cli_said.out, "SUNDIALS");
    says(cli_said.out, "compiler");
}

/* -q is --quiet: a remark on standard error is left out. */
TEST(test_quiet)
{
    const char *const line = "solve pendulum --form index3 --method cros --step 0.01 --format csv";
    char quiet[256];
    runs("", line);
    says(cli_said.err, "daelab: ");
    snprintf(quiet, sizeof quiet, "%s -q", line);
    runs("", quiet);
    assert_string_equal(cli_said.err, "");
}

int main(void)
{
    has_sympy = is_installed("python3 -c 'import sympy, yaml' 2>/dev/null");
    has_pandas = is_installed("python3 -c 'import pandas' 2>/dev/null")
                 || is_installed("/usr/bin/python3 -c 'import pandas' 2>/dev/null");
    return run_all(cli_begin, cli_end);
}
