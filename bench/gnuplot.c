/* gnuplot.c - run gnuplot on a script, check its picture, put it in place */
#include "gnuplot.h"

#include "atomic_file.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

FILE *gnuplot_file(dae_report *report)
{
    FILE *f = tmpfile();
    if (!f)
        dae_fail(report, DAE_FILE, "a temporary file: %s", strerror(errno));
    return f;
}

/* What gnuplot said, on one line, without the arrows that point into the script. */
static void read_words(FILE *from, char *words, size_t size)
{
    size_t n = 0;
    int c;
    rewind(from);
    while ((c = getc(from)) != EOF && n + 1 < size) {
        if (!isspace(c) && c != '^')
            words[n++] = (char)c;
        else if (n > 0 && words[n - 1] != ' ')
            words[n++] = ' ';
    }
    words[n > 0 && words[n - 1] == ' ' ? n - 1 : n] = '\0';
}

/* The environment without GNUTERM, a terminal that need not be there; to be freed. */
static char **environment(void)
{
    static const char name[] = "GNUTERM=";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], name, sizeof name - 1) != 0)
            list[kept++] = environ[i];
    return list;
}

/* The three files were opened in the order of their numbers: none is overwritten before its turn,
 * even where the standard streams were closed. Answers an errno. */
static int start(FILE *script, FILE *out, FILE *words, pid_t *child)
{
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
    posix_spawn_file_actions_t actions;
    char **variables = environment();
    int error = variables ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (error) {
        free(variables);
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(words), STDERR_FILENO);
    if (!error)
        error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    return error;
}

static dae_status judge(int error, int state, FILE *from, dae_report *report)
{
    char words[256];
    if (error == ENOENT || (!error && WIFEXITED(state) && WEXITSTATUS(state) == 127))
        return dae_fail(report, DAE_FILE, "gnuplot is not installed; it draws the plots"
                                          " (Debian: gnuplot-nox)");
    if (error)
        return dae_fail(report, DAE_FILE, "gnuplot cannot be run: %s", strerror(error));
    if (WIFSIGNALED(state))
        return dae_fail(report, DAE_FILE, "gnuplot was ended by signal %d", WTERMSIG(state));
    if (WEXITSTATUS(state) == 0)
        return DAE_OK;
    read_words(from, words, sizeof words);
    return dae_fail(report, DAE_FILE, "gnuplot failed: %s", *words ? words : "without a word");
}

dae_status gnuplot_run(FILE *script, FILE *out, dae_report *report)
{
    pid_t child;
    int state = 0, error;
    if (fflush(script) || ferror(script))
        return dae_fail(report, DAE_FILE, "a temporary file cannot be written");
    FILE *words = gnuplot_file(report);
    if (!words)
        return DAE_FILE;
    rewind(script);
    error = start(script, out, words, &child);
    while (!error && waitpid(child, &state, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    const dae_status status = judge(error, state, words, report);
    fclose(words);
    return status;
}

/* A full disk does not make gnuplot fail. */
static int ends_with(FILE *f, const char *mark)
{
    char tail[65];
    fseek(f, 0, SEEK_END);
    const long size = ftell(f), skip = size > 64 ? size - 64 : 0;
    fseek(f, skip, SEEK_SET);
    const size_t n = fread(tail, 1, 64, f);
    return memmem(tail, n, mark, strlen(mark)) != NULL;
}

/* Answers an errno. */
static int copy(FILE *from, FILE *to)
{
    char buffer[8192];
    size_t n;
    rewind(from);
    errno = 0;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, n, to) != n)
            return errno ? errno : EIO;
    return ferror(from) ? EIO : 0;
}

dae_status gnuplot_deliver(FILE *picture, const char *mark, const char *path, dae_report *report)
{
    atomic_file file;
    if (!ends_with(picture, mark))
        return dae_fail(report, DAE_FILE, "gnuplot did not finish the picture");
    const dae_status status = atomic_open(&file, path, report);
    if (status)
        return status;
    const int error = copy(picture, file.stream);
    if (!error)
        return atomic_commit(&file, report);
    atomic_discard(&file);
    return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(error));
}
