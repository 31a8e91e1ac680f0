#include "deliver/show.h"

#include "host/program.h"
#include "host/python.h"
#include "output/json_file.h"

#include <stdio.h>
#include <stdlib.h>

dae_status show_call(const char *const *arguments, FILE *in, FILE *out, dae_report *report)
{
    char *folder = python_show(report), *words = NULL;
    int answer = 0;
    if (!folder)
        return DAE_FILE;
    const dae_status status = python_run(folder, arguments, "it shows results: apt-get install python3-pandas "
                                         "python3-matplotlib python3-jinja2, or name a Python in DAELAB_PYTHON", in,
                                         out, &answer, &words, report);
    if (words)
        fputs(words, stderr);
    free(words);
    free(folder);
    return status;
}

static dae_status read_answer(FILE *out, json_t **answer, dae_report *report)
{
    json_error_t why;
    rewind(out);
    *answer = json_loadf(out, 0, &why);
    return *answer ? DAE_OK : dae_fail(report, DAE_FILE, "what shows results answers no JSON: %s", why.text);
}

dae_status show_run(const char *module, const json_t *request, json_t **answer, dae_report *report)
{
    FILE *in = program_file(report), *out = in ? program_file(report) : NULL;
    dae_status status = out ? DAE_OK : DAE_FILE;
    if (!status && (!request || !json_file_whole() || json_dumpf(request, in, JSON_COMPACT)))
        status = dae_fail(report, DAE_NO_MEMORY, "out of memory for what is to be shown");
    if (!status)
        status = show_call((const char *const[]){module, NULL}, in, out, report);
    if (!status && answer)
        status = read_answer(out, answer, report);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return status;
}
