#include "cli/options.h"

#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/platform.h"
#include "pool/runner.h"
#include "store/store.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int made;                /* folders that make_folder has created on the way to the folder of the results */

static int is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

int folder_is_named(const char *path) { return (*path && path[strlen(path) - 1] == '/') || is_folder(path); }

const char *cli_output_folder(const cli_options *o)
{
    for (int i = 0; i < o->outputs; i++)
        if (folder_is_named(o->output[i]))
            return o->output[i];
    return NULL;
}

/* The folder and those above it. 0 with a complaint. */
static int make_folder(const char *folder)
{
    char *path = allocate_print("%s/", folder);
    const int error = kept_make_folders(path, 0777, &made);
    free(path);
    return !error || !cli_error(EXIT_SYSTEM, "the folder %s: %s", folder, strerror(error));
}

/* Remove those of them into which nothing was written, from the innermost on. */
static void remove_folders(const char *folder)
{
    char *path = allocate_text(folder);
    for (char *at = path; made > 0 && rmdir(at) == 0; made--)
        at = dirname(at);
    free(path);
}

char *folder_path(const char *folder, const char *name, const char *ending)
{
    return allocate_print("%s%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name, ending);
}

static void say(void *context, const char *sentence)
{
    const cli_options *o = context;
    if (!o->quiet)
        fprintf(stderr, "daelab: %s\n", sentence);
}

int study_runner_begin(cli_options *o)
{
    dae_report why = {0};
    if (!(o->command & STUDIES) || o->study.run.runner)
        return 0;
    if (o->limit_memory > 0 && isnan(platform_resident()))
        return cli_error(EXIT_SYSTEM, "--limit-memory: this system does not say how much memory a process has");
    const int cached = !cli_output_folder(o);
    if (!cached && !make_folder(cli_output_folder(o)))
        return EXIT_SYSTEM;
    char *path = cached ? kept_place("study", o->asked, ".db") : folder_path(cli_output_folder(o), "study.db", "");
    const runner_options how = {
        .file = path, .cached = cached, .fresh = o->fresh, .jobs = o->jobs,
        .limits = {isnan(o->study.limit) ? 0 : o->study.limit, o->limit_memory}, .say = say, .context = o};
    const dae_status status = runner_create(&o->study.run.runner, &how, &why);
    free(path);
    if (!status && !o->quiet)
        terminal_watch(o->study.run.runner);
    return status ? cli_fail(status, &why) : 0;
}

void study_runner_results(const cli_options *o)
{
    interrupt_defer(0);
    if (!runner_follows(o->study.run.runner))
        return;
    runner_finish(o->study.run.runner, 0, NULL);
    exit(EXIT_DONE);
}

/* A study that a signal has ended. */
static int interrupted(const cli_options *o, int status, int left, int kept)
{
    if (left && !o->quiet)
        terminal_tell_end(kept);
    return status == EXIT_SYSTEM ? status : 128 + interrupt_noted();
}

int study_runner_end(cli_options *o, int status)
{
    runner *r = o->study.run.runner;
    dae_report why = {0};
    const int left = runner_interrupted(r);
    const int kept = runner_kept(r) > 0;
    const char *folder = cli_output_folder(o);
    o->study.run.runner = NULL;
    if (r && !o->quiet)
        terminal_tell_before();                         /* where nothing was left to compute */
    interrupt_defer(0);
    if (runner_finish(r, status != EXIT_SYSTEM, &why))
        status = cli_fail(why.status, &why);
    if (folder)
        remove_folders(folder);
    return interrupt_noted() ? interrupted(o, status, left, kept) : status;
}
