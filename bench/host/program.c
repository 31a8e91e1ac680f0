/* program.c - run another program on files */
#include "host/program.h"

#include "host/interrupt.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

FILE *program_file(dae_report *report)
{
    FILE *f = tmpfile();
    if (!f)
        dae_fail(report, DAE_FILE, "a temporary file: %s", strerror(errno));
    return f;
}

extern char **environ;          /* POSIX leaves it to the program to say so */

/* The three files were opened in the order of their numbers: none is overwritten before its turn,
 * even where the standard streams were closed. Answers an errno. */
static int start(char *const *arguments, FILE *in, FILE *out, FILE *words, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(words), STDERR_FILENO);
    if (!error)
        error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static dae_status judge(const char *name, const char *purpose, int error, int state, dae_report *report)
{
    if (error == ENOENT || (!error && WIFEXITED(state) && WEXITSTATUS(state) == 127))
        return dae_fail(report, DAE_FILE, "%s is not installed; %s", name, purpose);
    if (error)
        return dae_fail(report, DAE_FILE, "%s cannot be run: %s", name, strerror(error));
    if (WIFSIGNALED(state))
        return dae_fail(report, DAE_FILE, "%s was ended by signal %d", name, WTERMSIG(state));
    return WEXITSTATUS(state) == 0 ? DAE_OK
           : dae_fail(report, DAE_FILE, "%s failed", name);
}

dae_status program_run_aside(char *const *arguments, const char *purpose, FILE *in, FILE *out, FILE *words,
                             int *said_no, dae_report *report)
{
    pid_t child;
    int state = 0, error;
    *said_no = 0;
    if (fflush(in) || ferror(in))
        return dae_fail(report, DAE_FILE, "a temporary file cannot be written");
    rewind(in);
    interrupt_hold();
    error = start(arguments, in, out, words, &child);
    interrupt_child(error ? 0 : child);
    interrupt_release();
    while (!error && waitpid(child, &state, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    interrupt_child(0);
    *said_no = !error && WIFEXITED(state) && WEXITSTATUS(state) != 127 ? WEXITSTATUS(state) : 0;
    return judge(arguments[0], purpose, error, state, report);
}
