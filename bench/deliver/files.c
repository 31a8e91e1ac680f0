/* files.c - one file: which format, whether it can be written, and what is written into it */
#include "deliver/deliver.h"

#include "host/allocate.h"
#include "host/atomic_file.h"
#include "host/interrupt.h"
#include "output/json_file.h"
#include "table/format.h"
#include "table/table_print.h"
#include "tidy/tidy.h"

#include <stdlib.h>
#include <string.h>

/* ---- where to, and in which format ---- */

/* The ending of the name says so; 0 where it says nothing. */
static int told_by_name(const char *path, output_format *format)
{
    const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
    output_format k = 0;
    while (end && k < OUTPUT_FORMATS && strcmp(end, formats[k].ending) != 0)
        k++;
    *format = end && k < OUTPUT_FORMATS ? k : *format;
    return end && k < OUTPUT_FORMATS;
}

static int check_plot(const char *path)
{
    static const char *const endings[] = {".svg", ".png", ".pdf", ".tex"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return 0;
    return cli_error(EXIT_USAGE, "%s: a plot ends in .svg or .png, .pdf or .tex", path);
}

/* --format is for standard output and files whose names say nothing, or the same. */
int outputs_list(const cli_options *o, output_list *list)
{
    const char *given = o->given[O_FORMAT] ? o->given[O_FORMAT] : o->given[O_JSON] ? "json" : NULL;
    int used = !o->outputs, files = 0, wrong = 0;
    list->count = 0;
    for (int i = 0; i < o->outputs; i++) {
        output_target to = {folder_is_named(o->output[i]) ? TO_FOLDER : TO_FILE, o->output[i], o->format};
        used |= to.kind == TO_FOLDER || !told_by_name(to.path, &to.format) || to.format == o->format;
        files += to.kind == TO_FILE;
        list->at[list->count++] = to;
    }
    if (given && !used)
        return cli_error(EXIT_USAGE, "--format %s and --output %s contradict each other", given, o->output[0]);
    if (!files)
        list->at[list->count++] = (output_target){TO_STANDARD, NULL, o->format};
    for (int i = 0; !wrong && i < o->plots; i++) {
        wrong = check_plot(o->plot[i]);
        list->at[list->count++] = (output_target){TO_PLOT, o->plot[i], o->format};
    }
    return wrong;
}

int outputs_first(const cli_options *o, output_target *to)
{
    output_list list;
    const int wrong = outputs_list(o, &list);
    *to = list.at[0];
    return wrong;
}

/* Two that are one file. */
static int check_twice(const output_target *a, const output_target *b)
{
    if (!a->path || !b->path || strcmp(a->path, b->path) != 0)
        return 0;
    return cli_error(EXIT_USAGE, "%s both write %s", a->kind != b->kind ? "--output and --plot"
                     : a->kind == TO_PLOT ? "two --plot" : "two --output", a->path);
}

/* Its name says no format, and no option does. */
static void tell_format(const output_target *to, const cli_options *o)
{
    char *endings;
    size_t length;
    output_format told;
    if (to->kind != TO_FILE || o->given[O_FORMAT] || o->given[O_JSON] || o->quiet || told_by_name(to->path, &told)
        || !option_find(o->command, "format"))
        return;
    FILE *out = allocate_stream(&endings, &length);
    format_tell_endings(out);
    allocate_stream_end(out);
    fprintf(stderr, "daelab: %s is written as a table for people: its name does not end in %s\n", to->path, endings);
    free(endings);
}

int outputs_possible(const cli_options *o)
{
    output_list list;
    dae_report why = {0};
    int wrong = outputs_list(o, &list);
    for (int i = 0; !wrong && i < list.count; i++)
        for (int k = 0; !wrong && k < i; k++)
            wrong = check_twice(&list.at[i], &list.at[k]);
    for (int i = 0; !wrong && i < list.count; i++)
        if ((list.at[i].kind == TO_FILE || list.at[i].kind == TO_PLOT) && atomic_try(list.at[i].path, &why))
            wrong = cli_error(EXIT_SYSTEM, "%s", why.message);
    for (int i = 0; !wrong && i < list.count; i++)
        tell_format(&list.at[i], o);
    return wrong;
}

/* ---- what is written ---- */

static void copy(FILE *from, FILE *out)
{
    char buffer[4096];
    size_t n;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, out);
}

static void write_content(const output_content *c, FILE *out)
{
    if (c->write)
        c->write(c->context, out);
    else if (c->doc)
        document_write(c->doc, c->format, out);
    else if (c->table)
        formats[c->format].table(c->table, out);
    else if (c->json)
        json_file_write(c->json, out);
    else
        copy(c->text, out);
}

int output_write(const char *path, output_content content)
{
    atomic_file file;
    dae_report report = {0};
    if (!path) {
        write_content(&content, stdout);
        return fflush(stdout) || ferror(stdout) ? cli_error(EXIT_SYSTEM, "standard output cannot be written")
                                                : EXIT_DONE;
    }
    if (atomic_open(&file, path, &report))
        return cli_error(EXIT_SYSTEM, "%s", report.message);
    write_content(&content, file.stream);
    return atomic_commit(&file, &report) ? cli_error(EXIT_SYSTEM, "%s", report.message) : EXIT_DONE;
}

static void say(const char *sentence) { fprintf(stderr, "daelab: %s\n", sentence); }

void output_say(const document *doc, const cli_options *o, int remarks)
{
    if (!o->quiet)
        document_each_note(doc, remarks, say);
}

int output_result(document *doc, const cli_options *o)
{
    output_target to;
    int status = outputs_first(o, &to);
    if (!status)
        tell_format(&to, o);
    if (!status)
        status = output_write(to.path, (output_content){.doc = doc, .format = to.format});
    if (!status && (to.path || to.format != FORMAT_TABLE))
        output_say(doc, o, formats[to.format].holds != HOLDS_TABLE);
    document_free(doc);
    return status;
}

/* ---- which table ---- */

int output_table_check(const char *name)
{
    const char *names[MAX_TABLES];
    const int count = tidy_table_names(names);
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return 0;
    const char *near = dae_nearest(name, names, count);
    return near ? cli_error(EXIT_USAGE, "--table %s: there is no such table; did you mean %s?", name, near)
                : cli_error(EXIT_USAGE, "--table %s: there is no such table; daelab help results lists them", name);
}

/* That of the only kind of study that there is; NULL: there are several. */
static const char *main_table(const dataset *d)
{
    const table *runs = dataset_find(d, "runs");
    const int kinds = runs ? table_find(runs, "kind") : -1, rows = runs ? table_rows(runs) : 0;
    const char *kind = rows ? table_text_at(runs, 0, kinds) : NULL;
    for (int row = 0; kind && row < rows; row++)
        if (strcmp(kind, table_text_at(runs, row, kinds) ? table_text_at(runs, row, kinds) : "") != 0)
            kind = NULL;
    for (study_kind k = 0; kind && k < STUDY_KINDS; k++)
        if (strcmp(kind, study_kind_names[k]) == 0)
            return tidy_main_table(k);
    return NULL;
}

const table *output_table(const dataset *d, const char *name)
{
    const char *main_one = main_table(d), *wanted = name ? name : main_one ? main_one : "runs";
    const table *t = dataset_find(d, wanted);
    if (!t && !name)
        t = dataset_find(d, "runs");
    if (!t)
        cli_error(EXIT_USAGE, "the study has no table %s: it has no rows", wanted);
    return t;
}
