/* files.c - one file: which format, whether it can be written, and what is written into it */
#include "deliver/deliver.h"

#include "host/atomic_file.h"
#include "host/interrupt.h"
#include "output/json_file.h"
#include "table/table_print.h"
#include "tidy/tidy.h"

#include <string.h>
#include <sys/stat.h>

/* ---- its format ---- */

int output_is_folder(const char *path)
{
    struct stat info;
    const size_t length = strlen(path);
    return length && (path[length - 1] == '/' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)));
}

/* The ending of the name says so; 0 where it says nothing. */
static int told_by_name(const char *path, output_format *format)
{
    const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
    for (output_format k = 0; end && k < OUTPUT_FORMATS; k++)
        if (strcmp(end, format_endings[k]) == 0) {
            *format = k;
            return 1;
        }
    return 0;
}

/* --format is for standard output and files whose names say nothing, or the same. */
static int format_is_used(const cli_options *o)
{
    output_format by_name;
    for (int i = 0; i < o->outputs; i++)
        if (output_is_folder(o->output_at[i]) || !told_by_name(o->output_at[i], &by_name) || by_name == o->format)
            return 1;
    return 0;
}

int output_format_of(const cli_options *o, const char *path, output_format *format)
{
    const char *given = o->given[O_FORMAT] ? o->given[O_FORMAT] : o->given[O_JSON] ? "json" : NULL;
    output_format by_name;
    *format = o->format;
    if (!path || output_is_folder(path) || !told_by_name(path, &by_name))
        return 0;
    if (given && by_name != o->format && !format_is_used(o))
        return cli_error(EXIT_USAGE, "--format %s and --output %s contradict each other", given, path);
    *format = by_name;
    return 0;
}

/* ---- before anything runs ---- */

/* No two of the files are one. */
static int check_twice(const cli_options *o)
{
    const char *files[2 * MAX_OUTPUTS];
    int count = 0;
    for (int i = 0; i < o->outputs; i++)
        files[count++] = o->output_at[i];
    for (int i = 0; i < o->plots; i++)
        files[count++] = o->plot_at[i];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(files[i], files[k]) == 0)
                return cli_error(EXIT_USAGE, "%s both write %s", i < o->outputs ? "two --output" : k < o->outputs
                                 ? "--output and --plot" : "two --plot", files[i]);
    return 0;
}

static int try_file(const char *path)
{
    dae_report why = {0};
    return atomic_try(path, &why) ? cli_error(EXIT_SYSTEM, "%s", why.message) : 0;
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

int outputs_possible(const cli_options *o)
{
    output_format format;
    int wrong = check_twice(o);
    for (int i = 0; !wrong && i < o->outputs; i++)
        wrong = output_format_of(o, o->output_at[i], &format);
    for (int i = 0; !wrong && i < o->plots; i++)
        wrong = check_plot(o->plot_at[i]);
    for (int i = 0; !wrong && i < o->outputs; i++)
        if (!output_is_folder(o->output_at[i]))
            wrong = try_file(o->output_at[i]);
    for (int i = 0; !wrong && i < o->plots; i++)
        wrong = try_file(o->plot_at[i]);
    return wrong;
}

static int no_memory(void) { return cli_error(EXIT_SYSTEM, "out of memory for the result"); }

int output_write(const char *path, output_writer *write, const void *context)
{
    atomic_file file;
    dae_report report = {0};
    if (!path) {
        const int whole = write(context, stdout);
        return fflush(stdout) || ferror(stdout)
                   ? cli_error(EXIT_SYSTEM, "standard output cannot be written")
                   : whole ? EXIT_DONE : no_memory();
    }
    if (atomic_open(&file, path, &report))
        return cli_error(EXIT_SYSTEM, "%s", report.message);
    if (!write(context, file.stream) && !ferror(file.stream)) {
        atomic_discard(&file);
        return no_memory();
    }
    return atomic_commit(&file, &report) ? cli_error(EXIT_SYSTEM, "%s", report.message) : EXIT_DONE;
}

/* ---- what is written ---- */

typedef struct { const document *doc; output_format format; } formatted;

static int write_document(const void *context, FILE *out)
{
    const formatted *f = context;
    return document_write(f->doc, f->format, out);
}

int output_document(const char *path, const document *doc, output_format format)
{
    return output_write(path, write_document, &(formatted){doc, format});
}

static int write_json(const void *json, FILE *out)
{
    json_file_write(json, out);
    return 1;
}

int output_json(const char *path, const json_t *json) { return output_write(path, write_json, json); }

static int write_csv(const void *context, FILE *out)
{
    table_print_csv(context, out);
    return !table_failed(context);
}

int output_csv(const char *path, const table *t) { return output_write(path, write_csv, t); }

static void say(const char *sentence) { fprintf(stderr, "daelab: %s\n", sentence); }

void output_say(const document *doc, const cli_options *o, int remarks)
{
    if (!o->quiet)
        document_each_note(doc, remarks, say);
}

int output_result(document *doc, const cli_options *o)
{
    output_format format;
    int status = output_format_of(o, o->output, &format);
    if (!status)
        status = output_document(o->output, doc, format);
    if (!status && (o->output || format != FORMAT_TABLE))
        output_say(doc, o, format != FORMAT_CSV);
    document_free(doc);
    return status;
}

/* ---- which table ---- */

int output_is_csv(const cli_options *o)
{
    output_format format = o->format;
    int any = !o->outputs && format == FORMAT_CSV;
    for (int i = 0; i < o->outputs; i++)
        any = any || (!output_is_folder(o->output_at[i]) && !output_format_of(o, o->output_at[i], &format)
                      && format == FORMAT_CSV);
    return any;
}

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
