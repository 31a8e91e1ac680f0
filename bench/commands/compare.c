/* compare.c - daelab compare OLD NEW: what changed, and was it for the worse? */
#include "compare/compare_report.h"
#include "deliver/finish.h"
#include "deliver/output_format.h"
#include "deliver/table_file.h"

#include <math.h>

static const double TOLERANCE = 0.01, TIME_TOLERANCE = 0.1;

typedef struct { const document *doc; output_format format; } formatted;

static int write_document(const void *context, FILE *out)
{
    const formatted *f = context;
    return document_write(f->doc, f->format, out);
}

/* As CSV all changes. */
static int write_csv(const comparison *c, const char *path)
{
    table *t = compare_table(c);
    const int status = t ? table_file_csv(path, t) : cli_error(EXIT_SYSTEM, "out of memory");
    table_free(t);
    return status;
}

static int write_result(const comparison *c, const compared_files *f, const cli_options *o)
{
    output_format format;
    int status = output_format_of(o, o->output, &format);
    if (status || format == FORMAT_CSV)
        return status ? status : write_csv(c, o->output);
    document *doc = compare_report(c, f);
    status = finish_output(o->output, write_document, &(formatted){doc, format});
    document_free(doc);
    return status;
}

static int compare(const compared_files *f, const cli_options *o)
{
    const compare_options how = {
        .tolerance = isnan(o->tolerance) ? TOLERANCE : o->tolerance,
        .time_tolerance = isnan(o->time_tolerance) ? TIME_TOLERANCE : o->time_tolerance,
        .times = !isnan(o->time_tolerance) || !compare_other_machine(f->data[0], f->data[1])};
    comparison c;
    int status = compare_datasets(&c, f->data[0], f->data[1], &how) ? write_result(&c, f, o)
                                                                    : cli_error(EXIT_SYSTEM, "out of memory");
    if (!status && !c.rows)
        status = cli_error(EXIT_USAGE, "%s and %s have no run in common", f->name[0], f->name[1]);
    else if (!status && compare_worse(&c))
        status = EXIT_NUMERICAL;
    compare_free(&c);
    return status;
}

int command_compare(const cli_options *o)
{
    dae_report why = {0};
    dataset *data[2] = {NULL, NULL};
    int status = 0;
    if (o->subject_count != 2)
        return cli_error(EXIT_USAGE, "compare takes two results, the old one first, and has %d", o->subject_count);
    status = finish_check_files(o);
    for (int i = 0; !status && i < 2; i++)
        if (dataset_read(&data[i], o->subjects[i], &why))
            status = cli_fail(why.status, &why);
    if (!status)
        status = compare(&(compared_files){{o->subjects[0], o->subjects[1]}, {data[0], data[1]}}, o);
    dataset_free(data[0]);
    dataset_free(data[1]);
    return status;
}
