/* summary.c - what a study has written into a folder, for the terminal: its titles, what speaks against its numbers,
 * and the files with how many rows each has */
#include "deliver/deliver.h"

#include "cli/options.h"
#include "host/allocate.h"
#include "host/screen.h"
#include "report/report.h"
#include "table/table_print.h"
#include "tidy/tidy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int summary_is_wanted(const cli_options *o) { return cli_output_folder(o) && !o->given[O_FORMAT] && !o->given[O_JSON]; }

static void put_titles(const document *doc, FILE *out)
{
    if (doc->opening)
        fprintf(out, "%s\n", doc->opening);
    for (int i = 0; i < doc->parts; i++)
        put_titles(doc->part[i], out);
    if (doc->title)
        fprintf(out, "%s\n", doc->title);
    for (int i = 0; i < doc->notes; i++)
        if (doc->remark[i])
            formats[FORMAT_TABLE].text(TEXT_NOTE, doc->note[i], out);
}

/* How many rows have the text of this one in a column; 0 where a row above has it, too. */
static int count_same(const table *t, int row, int column)
{
    int count = 0;
    for (int k = 0; k < table_rows(t); k++) {
        const int same = table_same(t, row, k, column);
        if (same && k < row)
            return 0;
        count += same;
    }
    return count;
}

/* "56 ok, 12 unsupported" of a column, to be freed. */
static char *counts(const table *t, int column)
{
    char *words;
    size_t length;
    FILE *out = allocate_stream(&words, &length);
    for (int row = 0, some = 0; column >= 0 && row < table_rows(t); row++) {
        const char *text = table_text_at(t, row, column);
        const int count = text ? count_same(t, row, column) : 0;
        char status[ROW_WORDS];
        if (count)
            fprintf(out, "%s%d %s", some++ ? ", " : "", count, report_status(text, status));
    }
    allocate_stream_end(out);
    return words;
}

static void put_files(const dataset *d, const char *folder, FILE *out)
{
    table *files = table_new();
    table_head(files, "file", "file", NULL);
    table_head(files, "rows", "rows", "%.0f");
    table_head(files, "holds", "status, verdict", NULL);
    for (int i = 0; i < d->tables; i++) {
        const table *t = d->table[i].table;
        const int status = table_find(t, "status"), verdict = table_find(t, "verdict");
        char *path = folder_path(folder, d->table[i].name, formats[FORMAT_CSV].ending);
        char *words = counts(t, strcmp(d->table[i].name, "runs") == 0 ? status : verdict);
        if (table_rows(t)) {
            table_put_text(files, path);
            table_put(files, table_rows(t));
            table_put_text(files, words);
        }
        free(words);
        free(path);
    }
    table_print(files, screen_width(out), 0, out);
    table_free(files);
}

void summary_write(const void *context, FILE *out)
{
    const delivery *r = context;
    const char *folder = cli_output_folder(r->options);
    put_titles(r->doc, out);
    fputc('\n', out);
    put_files(r->data, folder, out);
    char *page = folder_path(folder, "report", ".html");
    fprintf(out, "\n%s%s--format table shows all tables here\n", access(page, R_OK) ? "" : page,
            access(page, R_OK) ? "" : " is a page to read; ");
    free(page);
}
