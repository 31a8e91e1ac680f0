#include "cli/finish.h"

#include "host/atomic_file.h"
#include "cli/study_runner.h"
#include "picture/plot.h"
#include "runner/runner.h"

#include <string.h>

int finish_people(const cli_options *o)
{
    return o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN;
}

int finish_check_files(const cli_options *o)
{
    dae_report why = {0};
    const char *const files[2] = {o->output, o->plot};
    if (o->output && o->plot && strcmp(o->output, o->plot) == 0)
        return cli_error(EXIT_USAGE, "--output and --plot both write %s", o->plot);
    if (o->plot && plot_check(o->plot, &why))
        return cli_error(cli_exit_status(why.status), "%s", why.message);
    for (int i = 0; i < 2; i++)
        if (files[i] && atomic_try(files[i], &why))
            return cli_error(EXIT_SYSTEM, "%s", why.message);
    return 0;
}

static int no_memory(void) { return cli_error(EXIT_SYSTEM, "out of memory for the result"); }

static int write_document(const document *doc, const cli_options *o)
{
    atomic_file file;
    dae_report report = {0};
    if (!doc || doc->failed)
        return no_memory();
    if (!o->output) {
        const int whole = document_write(doc, o->format, stdout);
        return fflush(stdout) || ferror(stdout)
                   ? cli_error(EXIT_SYSTEM, "standard output cannot be written")
                   : whole ? EXIT_DONE : no_memory();
    }
    if (atomic_open(&file, o->output, &report))
        return cli_error(EXIT_SYSTEM, "%s", report.message);
    if (!document_write(doc, o->format, file.stream)) {
        atomic_discard(&file);
        return no_memory();
    }
    return atomic_commit(&file, &report) ? cli_error(EXIT_SYSTEM, "%s", report.message)
                                         : EXIT_DONE;
}

static void say(void *context, const char *remark)
{
    (void)context;
    fprintf(stderr, "daelab: %s\n", remark);
}

int finish_document(document *doc, const cli_options *o)
{
    const int table = o->format == FORMAT_TABLE;
    study_runner_results(o);
    if (doc && runner_interrupted(o->study.run.runner))
        document_set(doc, "interrupted", json_true());
    const int status = write_document(doc, o);
    if (!status && !o->quiet && (o->output || !table))
        document_each_remark(doc, say, NULL);
    document_free(doc);
    return status;
}

int finish_tally(const run_tally *tally)
{
    dae_report report = {0};
    const dae_status status = run_tally_status(tally, &report);
    return status ? cli_fail(status, &report) : EXIT_DONE;
}
