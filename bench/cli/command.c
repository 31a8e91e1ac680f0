/* command.c - daelab COMMAND ...: find the command, parse its options, run it */
#include "catalogue/catalogue.h"
#include "host/apart.h"
#include "cli/options.h"

#include <signal.h>
#include <string.h>

static int unknown_command(const char *typed)
{
    const char *names[32];
    int count = 0;
    for (; cli_commands[count].name; count++)
        names[count] = cli_commands[count].name;
    const char *near = dae_nearest(typed, names, count);
    return near ? cli_error(EXIT_USAGE, "there is no command %s; did you mean %s?", typed, near)
                : cli_error(EXIT_USAGE, "there is no command %s; see daelab --help", typed);
}

typedef struct {
    const cli_command *command;
    cli_options *options;
} call;

static int run_here(void *context)
{
    const call *c = context;
    return c->command->run(c->options);
}

/* Has a file added anything? Rows of files come last. */
static int any_foreign(void)
{
    return catalogue_file(catalogue_problem(catalogue_problems() - 1))
           || catalogue_file(catalogue_method(catalogue_methods() - 1));
}

/* Commands without a runner call models here: those of a file in a process that may crash. */
static int run_apart(call *c)
{
    char name[SIGNAL_NAME];
    const int status = apart_run(run_here, c);
    const int by_user = status == -SIGINT || status == -SIGTERM || status == -SIGHUP;
    if (by_user) {
        signal(-status, SIG_DFL);
        raise(-status);
    }
    const char *subject = c->options->subject ? c->options->subject : c->command->name;
    if (status == APART_ENDED)
        return cli_error(EXIT_NUMERICAL, "%s: the code of a file has ended the program", subject);
    return status >= 0 ? status : cli_error(EXIT_NUMERICAL, "%s: killed by %s, in the code of a file", subject,
                                            apart_signal_name(-status, name));
}

static int run(const cli_command *command, cli_options *options)
{
    if ((command->options & (LIST | INFO | CHECK | ANIMATE)) && any_foreign())
        return run_apart(&(call){command, options});
    const int status = study_runner_begin(options);
    return study_runner_end(options, status ? status : command->run(options));
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        cli_help(NULL, 0, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return command_version(NULL);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_help(NULL, 0, stdout);
        return EXIT_DONE;
    }
    const cli_command *command = cli_find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    cli_options options;
    const int stop = cli_parse(command, argc - 1, argv + 1, &options);
    const int status = stop ? stop - 1 : run(command, &options);
    cli_free(&options);
    return status;
}

int cli_run_command(int argc, char **argv)
{
    const int status = dispatch(argc, argv);
    if ((fflush(stdout) || ferror(stdout)) && status != EXIT_SYSTEM)
        return cli_error(EXIT_SYSTEM, "standard output cannot be written");
    return status;
}
