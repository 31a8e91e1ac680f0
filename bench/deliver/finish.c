#include "deliver/finish.h"

#include "deliver/output_format.h"
#include "host/atomic_file.h"
#include "host/interrupt.h"

#include <string.h>

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

int finish_check_files(const cli_options *o)
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

int finish_output(const char *path, finish_writer *write, const void *context)
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

typedef struct { const document *doc; output_format format; } formatted;

static int write_document(const void *context, FILE *out)
{
    const formatted *f = context;
    return document_write(f->doc, f->format, out);
}

static void say(const char *sentence)
{
    fprintf(stderr, "daelab: %s\n", sentence);
}

void finish_remarks(const document *doc, const cli_options *o, output_format format)
{
    if (o->quiet)
        return;
    if (format == FORMAT_CSV)
        document_each_note(doc, 0, say);
    else if (o->output || format != FORMAT_TABLE)
        document_each_note(doc, 1, say);
}

int finish_document(document *doc, const cli_options *o)
{
    formatted f = {.doc = doc};
    int status = output_format_of(o, o->output, &f.format);
    if (!status)
        status = finish_output(o->output, write_document, &f);
    if (!status)
        finish_remarks(doc, o, f.format);
    document_free(doc);
    return status;
}
