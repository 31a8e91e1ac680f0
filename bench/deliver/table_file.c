#include "deliver/table_file.h"

#include "deliver/finish.h"
#include "deliver/output_format.h"
#include "table/table_print.h"
#include "tidy/tidy.h"

#include <string.h>

int table_file_is_csv(const cli_options *o)
{
    output_format format = o->format;
    int any = !o->outputs && format == FORMAT_CSV;
    for (int i = 0; i < o->outputs; i++)
        any = any || (!output_is_folder(o->output_at[i]) && !output_format_of(o, o->output_at[i], &format)
                      && format == FORMAT_CSV);
    return any;
}

int table_file_check(const char *name)
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

const table *table_file_choose(const dataset *d, const char *name)
{
    const char *main_one = main_table(d), *wanted = name ? name : main_one ? main_one : "runs";
    const table *t = dataset_find(d, wanted);
    if (!t && !name)
        t = dataset_find(d, "runs");
    if (!t)
        cli_error(EXIT_USAGE, "the study has no table %s: it has no rows", wanted);
    return t;
}

static int write_csv(const void *context, FILE *out)
{
    table_print_csv(context, out);
    return !table_failed(context);
}

int table_file_csv(const char *path, const table *t) { return finish_output(path, write_csv, t); }
