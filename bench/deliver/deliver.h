/* deliver.h - results written where the options say: files of all kinds, folders, pictures, pages
 *
 * A function that answers an int answers an exit status, EXIT_DONE or another one having complained, unless it says
 * something else; a path NULL is standard output.
 */
#ifndef DAELAB_DELIVER_H
#define DAELAB_DELIVER_H

#include "cli/options.h"
#include "study/plan.h"
#include "report/document.h"
#include "tidy/dataset.h"

/* ---- one file ---- */

/* Where results go by the options: each --output, standard output where none of them is a file, each --plot. */
typedef enum { TO_FILE, TO_FOLDER, TO_STANDARD, TO_PLOT } target_kind;
typedef struct {
    target_kind kind;
    const char *path;           /* NULL: standard output */
    output_format format;       /* of a file, of standard output */
} output_target;
typedef struct { int count; output_target at[2 * MAX_OUTPUTS + 1]; } output_list;

/* EXIT_USAGE where --format and the endings say different things. The first of them. */
int outputs_list(const cli_options *options, output_list *list);
int outputs_first(const cli_options *options, output_target *to);

/* What a file holds, one of these: what a function writes, a document or a table alone in a format, JSON, all of
 * another file. */
typedef struct {
    void (*write)(const void *context, FILE *out);
    const void *context;
    const document *doc;
    const table *table;
    output_format format;
    const json_t *json;
    FILE *text;
} output_content;

/* Write a file whole or not at all. */
int output_write(const char *path, output_content content);

/* The notes of a document on standard error, or its remarks alone, unless --quiet. */
void output_say(const document *doc, const cli_options *options, int remarks);

/* Write to --output or standard output, say on standard error what has no place in it, and free the document. */
int output_result(document *doc, const cli_options *options);

/* The table of this name (NULL: the main one of the kind of study, else the runs), or NULL having complained. Is there
 * a table of this name in any study? */
const table *output_table(const dataset *d, const char *name);
int output_table_check(const char *name);

/* A file, or standard output: the document, its JSON, or the table of the dataset that --table names. */
int output_file(const document *doc, const dataset *d, const cli_options *options, const output_target *to);

/* ---- all files of one run ---- */

/* What cannot be written is found before anything runs: files and pictures; and tables of a study. */
int outputs_possible(const cli_options *options);
int outputs_check(const cli_options *options);

/* Write what was measured of a plan and its document for people, which is freed: each --output and --plot, and standard
 * output where no --output is a file. A file that cannot be written does not keep the others from being. */
int outputs_write(const study_plan *plan, document *doc, const cli_options *options);

/* All tables as CSV, the page, and study.json, which holds `json`; what another study has left there, and this one
 * does not have, is removed. */
int folder_write(const dataset *d, const json_t *json, const char *folder);

/* Where a folder has the tables, and no --format asks for them: what is in it, for standard output. context: the
 * delivery. */
int summary_is_wanted(const cli_options *options);
void summary_write(const void *context, FILE *out);

/* The folder, where it is not there; not those above it. */
int folder_make(const char *folder);

/* What was measured, on its way into files. */
typedef struct {
    const study_plan *plan;
    document *doc;              /* for people; its JSON has the members of the dataset */
    dataset *data;
    const cli_options *options;
    output_list to;
    json_t *drawn;              /* pictures in folders: {FOLDER: [{"part", "file"}]}; or NULL */
} delivery;

/* The pictures of --plot, which are then among the plots of the result, and one of each part in each folder of
 * --output: all are drawn by one program. */
int pictures_draw(delivery *r);

/* ---- what daelab.show shows ---- */

/* Run it with arguments (ending with NULL), the first of them the name of a module, and a request on its standard
 * input, or (NULL) that of this program. *answer, where it is not NULL, is the JSON that it then writes, to be freed
 * with json_decref. DAE_BAD_ARGUMENT, DAE_FILE as program_run_python; what it said beyond one sentence is told on
 * standard error. */
dae_status show_run(const char *const *arguments, const json_t *request, json_t **answer, dae_report *report);

/* The report.html of a folder, of the result json. Where nothing can show it (no Python, or none that suits) it is left
 * out, and said. */
int page_write_beside(const json_t *json, const char *path);

/* Write the page of results[count], files or folders, as "html", "md" or "tex". */
int page_write(const char *format, const char *const *results, int count, const char *path);

#endif
