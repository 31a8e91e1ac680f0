/* show.c - what is shown by daelab.show, which takes its request as JSON; results as a page to read */
#include "deliver/deliver.h"

#include "host/program.h"
#include "output/json_file.h"

#include <stdio.h>
#include <stdlib.h>

/* *words that are more than a sentence are told on standard error. */
static dae_status call(const char *const *arguments, FILE *in, FILE *out, dae_report *report)
{
    char *words = NULL, *folder = program_folder("what shows results is", DAELAB_SHOW_BESIDE, DAELAB_SHOW_OF_TREE,
                                                 "__main__.py", report);
    if (!folder)
        return DAE_FILE;
    const dae_status status = program_run_python(folder, arguments, "it shows results: apt-get install python3-pandas "
                                                 "python3-matplotlib python3-jinja2, or name a Python in "
                                                 "DAELAB_PYTHON", in, out, &words, report);
    if (words)
        fputs(words, stderr);
    free(words);
    free(folder);
    return status;
}

dae_status show_run(const char *const *arguments, const json_t *request, json_t **answer, dae_report *report)
{
    FILE *in = request ? program_file(report) : stdin, *out = in ? program_file(report) : NULL;
    json_error_t why;
    if (out && request)
        json_dumpf(request, in, JSON_COMPACT);
    dae_status status = out ? call(arguments, in, out, report) : DAE_FILE;
    if (!status && answer) {
        rewind(out);
        *answer = json_loadf(out, 0, &why);
        status = *answer ? DAE_OK : dae_fail(report, DAE_FILE, "what shows results answers no JSON: %s", why.text);
    }
    if (in && request)
        fclose(in);
    if (out)
        fclose(out);
    return status;
}

/* ---- pages ---- */

enum { OPTIONS = 6 };           /* words before the results */

/* The page in an anonymous file, then where it belongs. */
static int write_whole(const char *const *arguments, FILE *in, const char *path, int optional)
{
    dae_report report = {0};
    FILE *out = program_file(&report);
    const dae_status status = out ? call(arguments, in, out, &report) : DAE_FILE;
    int answer = EXIT_DONE;
    if (status && optional)
        fprintf(stderr, "daelab: no page: %s\n", report.message);
    else
        answer = status ? cli_fail(status, &report) : output_write(path, (output_content){.text = out});
    if (out)
        fclose(out);
    return answer;
}

static int page_of(const char *format, const char *const *results, int count, const json_t *json, const char *path,
                   int optional)
{
    const char *arguments[OPTIONS + MOST_SUBJECTS + 1] = {"report", "--format", format, "--program",
                                                          "daelab " DAELAB_VERSION, "--"};
    dae_report report = {0};
    FILE *in = program_file(&report);
    if (!in)
        return cli_fail(DAE_FILE, &report);
    for (int i = 0; i < count && i < MOST_SUBJECTS; i++)
        arguments[OPTIONS + i] = results[i];
    if (json)
        json_file_write(json, in);
    const int answer = write_whole(arguments, in, path, optional);
    fclose(in);
    return answer;
}

int page_write(const char *format, const char *const *results, int count, const char *path)
{
    return page_of(format, results, count, NULL, path, 0);
}

int page_write_beside(const json_t *json, const char *path)
{
    const char *const from_here[] = {"-"};
    return page_of("html", from_here, 1, json, path, 1);
}
