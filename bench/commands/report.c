/* report.c - daelab report RESULT...: results as a page to read */
#include "deliver/deliver.h"

#include <string.h>

/* Names as everywhere; "tex", which it was here once, is taken, too. */
static const struct { const char *name, *ending; } pages[] = {{"html", "html"}, {"md", "md"}, {"latex", "tex"}};
enum { PAGES = sizeof pages / sizeof *pages };

/* The ending, which what makes pages knows them by. */
static const char *format_named(const char *name)
{
    for (int i = 0; i < PAGES; i++)
        if (strcmp(pages[i].name, name) == 0 || strcmp(pages[i].ending, name) == 0)
            return pages[i].ending;
    return NULL;
}

static const char *format_by_ending(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strchr(dot, '/') && strcmp(dot, ".latex") != 0 ? format_named(dot + 1) : NULL;
}

/* By --format, else by the ending of the file; an ending that says something else is a contradiction. NULL having
 * complained. */
static const char *choose_format(const cli_options *o)
{
    const char *given = o->given[O_PAGE];
    const char *by_ending = format_by_ending(o->output[0]), *format = given ? format_named(given) : by_ending;
    if (given && !format)
        cli_error(EXIT_USAGE, "--format %s: a report is html, md or latex", given);
    else if (given && by_ending && by_ending != format)
        cli_error(EXIT_USAGE, "--format %s and --output %s contradict each other", given, o->output[0]);
    else if (!format && o->output[0])
        cli_error(EXIT_USAGE, "--output %s: a report ends in .html, .md or .tex, or --format says what it is",
                  o->output[0]);
    else if (!format)
        cli_error(EXIT_USAGE, "where to? --output FILE.html, .md or .tex; or --format html, md or latex for "
                              "standard output");
    return format && !(given && by_ending && by_ending != format) ? format : NULL;
}

int command_report(const cli_options *o)
{
    if (!o->list->subject_count)
        return cli_error(EXIT_USAGE, "report what? daelab report RESULT.. --output FILE.html; a result is a "
                         "study.json, a folder that holds one, or what --format json wrote");
    const char *format = choose_format(o);
    if (!format)
        return EXIT_USAGE;
    const int status = outputs_possible(o);
    return status ? status : page_write(format, o->list->subjects, o->list->subject_count, o->output[0]);
}
