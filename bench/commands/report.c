/* report.c - daelab report RESULT...: results as a page to read */
#include "deliver/finish.h"
#include "output/dataset.h"
#include "page/writers.h"
#include "publish/publish.h"

#include <string.h>

typedef void page_writer(const page *p, FILE *out);

static const struct { const char *name; page_writer *write; } formats[] = {
    {"html", write_html}, {"md", write_markdown}, {"tex", write_latex}};
enum { FORMATS = sizeof formats / sizeof *formats };

static page_writer *writer_named(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].write;
    return NULL;
}

static page_writer *writer_by_ending(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strchr(dot, '/') ? writer_named(dot + 1) : NULL;
}

/* By --format, else by the ending of the file; an ending that says something else is a contradiction. NULL having
 * complained. */
static page_writer *choose_writer(const cli_options *o)
{
    const char *format = o->given[O_PAGE];
    page_writer *by_ending = writer_by_ending(o->output), *write = format ? writer_named(format) : by_ending;
    if (format && !write)
        cli_error(EXIT_USAGE, "--format %s: a report is html, md or tex", format);
    else if (format && by_ending && by_ending != write)
        cli_error(EXIT_USAGE, "--format %s and --output %s contradict each other", format, o->output);
    else if (!write && o->output)
        cli_error(EXIT_USAGE, "--output %s: a report ends in .html, .md or .tex, or --format says what it is",
                  o->output);
    else if (!write)
        cli_error(EXIT_USAGE, "where to? --output FILE.html, .md or .tex; or --format html, md or tex for standard "
                              "output");
    return write && !(format && by_ending && by_ending != write) ? write : NULL;
}

typedef struct { const page *page; page_writer *write; } written_page;

static int write_page(const void *context, FILE *out)
{
    const written_page *w = context;
    w->write(w->page, out);
    return 1;
}

/* The results by their names; an exit status. count: those that were read. */
static int read_all(const cli_options *o, dataset **results, int *count)
{
    dae_report report = {0};
    for (*count = 0; *count < o->subject_count; ++*count)
        if (dataset_read(&results[*count], o->subjects[*count], &report))
            return cli_fail(report.status, &report);
    return 0;
}

static int report_of(const cli_options *o, page_writer *write, dataset **results, int count)
{
    page *p = publish((const dataset *const *)results, o->subjects, count);
    const written_page w = {p, write};
    const int whole = p && !p->memory.failed;
    const int status = whole ? finish_output(o->output, write_page, &w)
                             : cli_error(EXIT_SYSTEM, "out of memory for the report");
    page_free(p);
    return status;
}

int command_report(const cli_options *o)
{
    dataset *results[MOST_SUBJECTS];
    int count;
    if (!o->subject_count)
        return cli_error(EXIT_USAGE, "report what? daelab report RESULT.. --output FILE.html; a result is a "
                         "study.json, a folder that holds one, or what --format json wrote");
    page_writer *write = choose_writer(o);
    if (!write)
        return EXIT_USAGE;
    int status = finish_check_files(o);
    if (status)
        return status;
    status = read_all(o, results, &count);
    if (!status)
        status = report_of(o, write, results, count);
    while (count-- > 0)
        dataset_free(results[count]);
    return status;
}
