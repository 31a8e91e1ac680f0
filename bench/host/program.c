#include "host/program.h"

#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/platform.h"

#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- where files are ---- */

/* The folder below that of this program that holds the file; NULL where there is none, or that is not known. */
static char *beside_program(const char *below, const char *file)
{
    char *program = platform_program(), *slash = program ? strrchr(program, '/') : NULL;
    char *folder = slash ? allocate_print("%.*s/%s", (int)(slash - program), program, below) : NULL;
    char *path = folder ? allocate_print("%s/%s", folder, file) : NULL;
    if (path && access(path, R_OK)) {
        free(folder);
        folder = NULL;
    }
    free(path);
    free(program);
    return folder;
}

char *program_folder(const char *what, const char *below, const char *another, const char *file, dae_report *report)
{
    char *first = beside_program(below, file), *folder = first ? first : beside_program(another, file);
    if (!folder)
        dae_fail(report, DAE_FILE, "%s neither in %s nor in %s beside the program", what, below, another);
    return folder;
}

FILE *program_file(dae_report *report)
{
    FILE *f = tmpfile();
    if (!f)
        dae_fail(report, DAE_FILE, "a temporary file: %s", strerror(errno));
    return f;
}

char *program_text(FILE *from)
{
    fseek(from, 0, SEEK_END);
    const long length = ftell(from);
    char *text = allocate((size_t)(length > 0 ? length : 0) + 1, 1);
    rewind(from);
    if (length > 0)
        text[fread(text, 1, (size_t)length, from)] = 0;
    return text;
}

/* ---- programs ---- */

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

/* in and words are empty files of the caller's. */
static dae_status run(char *const *arguments, const char *purpose, FILE *in, FILE *out, FILE *words, int *said_no,
                      dae_report *report)
{
    pid_t child;
    int state = 0, error;
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

dae_status program_run(char *const *arguments, const char *purpose, FILE *in, FILE *out, char **words, int *said_no,
                       dae_report *report)
{
    FILE *from = in ? in : program_file(report), *said = from ? program_file(report) : NULL;
    *said_no = 0;
    const dae_status status = said ? run(arguments, purpose, from, out, said, said_no, report) : DAE_FILE;
    *words = *said_no ? program_text(said) : NULL;
    if (said)
        fclose(said);
    if (from && from != in)
        fclose(from);
    return status;
}

/* ---- in Python ---- */

enum { MOST_WORDS = 96, USAGE = 2 };

/* One sentence is the report's, then *words is none. */
static dae_status explain(const char *folder, int answer, char **words, dae_report *report)
{
    const dae_status status = answer == USAGE ? DAE_BAD_ARGUMENT : DAE_FILE;
    char *said = *words, *end = strchr(said, '\n');
    const int one = end && !end[1] && (size_t)(end - said) < sizeof report->message;
    if (*said && !one)
        return dae_fail(report, status, "%s ended with status %d:", folder, answer);
    if (one)
        dae_fail(report, status, "%.*s", (int)(end - said), said);
    else
        dae_fail(report, status, "%s ended with status %d, without a word", folder, answer);
    free(said);
    *words = NULL;
    return status;
}

dae_status program_run_python(const char *folder, const char *const *arguments, const char *purpose, FILE *in,
                              FILE *out, char **words, dae_report *report)
{
    const char *chosen = getenv("DAELAB_PYTHON");
    char *line[MOST_WORDS] = {(char *)(uintptr_t)(chosen && *chosen ? chosen : "python3"),
                              (char *)(uintptr_t)"-B", (char *)(uintptr_t)folder};     /* -B: it writes nothing there */
    int count = 3, answer;
    *words = NULL;
    for (; *arguments && count < MOST_WORDS - 1; arguments++)
        line[count++] = (char *)(uintptr_t)*arguments;
    if (*arguments)
        return dae_fail(report, DAE_BAD_ARGUMENT, "at most %d arguments are passed on", MOST_WORDS - 4);
    const dae_status status = program_run(line, purpose, in, out, words, &answer, report);
    return answer ? explain(folder, answer, words, report) : status;
}
