/* derive.c - daelab derive FILE.yaml: what a model in words becomes */
#include "catalogue/deriver.h"
#include "deliver/deliver.h"
#include "host/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int check_subject(const char *model)
{
    const char *end = model ? strrchr(model, '.') : NULL;
    if (!model)
        return cli_error(EXIT_USAGE, "derive what? daelab derive FILE.yaml; daelab new NAME --words writes one");
    return end && strcmp(end, ".yaml") == 0
           ? 0 : cli_error(EXIT_USAGE, "derive %s: a model in words is a file that ends in .yaml", model);
}

/* The model is not lost. */
static int check_output(const cli_options *o)
{
    struct stat model, output;
    if (o->output[0] && stat(o->subject, &model) == 0 && stat(o->output[0], &output) == 0
        && model.st_dev == output.st_dev && model.st_ino == output.st_ino)
        return cli_error(EXIT_USAGE, "--output %s is the model itself", o->output[0]);
    return outputs_possible(o);
}

static dae_status derive(const cli_options *o, FILE *out, char **words, dae_report *report)
{
    const char *options[3] = {0};
    char *package;
    uint64_t hash;
    int count = 0;
    dae_status status = deriver_find(&package, &hash, report);
    if (status)
        return status;
    if (o->given[O_LATEX])
        options[count++] = "--latex";
    if (o->given[O_MINIMAL])
        options[count++] = "--minimal";
    status = deriver_run(package, o->subject, options, out, words, report);
    free(package);
    return status;
}

int command_derive(const cli_options *o)
{
    dae_report report = {0};
    char *words = NULL;
    int status = check_subject(o->subject);
    if (!status)
        status = check_output(o);
    if (status)
        return status;
    FILE *text = program_file(&report);
    if (!text || derive(o, text, &words, &report)) {
        status = cli_fail(report.status, &report);
        fputs(words ? words : "", stderr);
    } else {
        status = output_write(o->output[0], (output_content){.text = text});
    }
    if (text)
        fclose(text);
    free(words);
    return status;
}
