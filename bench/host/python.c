#include "host/python.h"

#include "host/place.h"
#include "host/program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 96, USAGE = 2 };

char *python_show(dae_report *report)
{
    char *folder = place_folder(DAELAB_SHOW_BESIDE, DAELAB_SHOW_OF_TREE, "__main__.py");
    if (!folder)
        dae_fail(report, DAE_FILE, "what shows results is neither in %s nor in %s beside the program",
                 DAELAB_SHOW_BESIDE, DAELAB_SHOW_OF_TREE);
    return folder;
}

/* All of a file, to be freed; NULL where memory is short. */
static char *read_all(FILE *from)
{
    char *text = NULL, buffer[1024];
    size_t length, n;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static dae_status explain(const char *folder, int answer, char *said, char **words, dae_report *report)
{
    const dae_status status = answer == USAGE ? DAE_BAD_ARGUMENT : DAE_FILE;
    char *end = strchr(said, '\n');
    if (!*said)
        return dae_fail(report, DAE_FILE, "%s ended with status %d, without a word", folder, answer);
    if (end && !end[1] && (size_t)(end - said) < sizeof report->message) {
        *end = 0;
        return dae_fail(report, status, "%s", said);
    }
    *words = strdup(said);
    return dae_fail(report, status, "%s ended with status %d:", folder, answer);
}

static dae_status say_why(const char *folder, int answer, FILE *from, char **words, dae_report *report)
{
    char *said = read_all(from);
    if (!said)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    const dae_status status = explain(folder, answer, said, words, report);
    free(said);
    return status;
}

dae_status python_run(const char *folder, const char *const *arguments, const char *purpose, FILE *in, FILE *out,
                      int *answer, char **words, dae_report *report)
{
    const char *chosen = getenv("DAELAB_PYTHON");
    char *line[MOST_WORDS] = {(char *)(uintptr_t)(chosen && *chosen ? chosen : "python3"),
                              (char *)(uintptr_t)"-B", (char *)(uintptr_t)folder};     /* -B: it writes nothing there */
    int count = 3;
    *answer = 0;
    *words = NULL;
    for (; *arguments && count < MOST_WORDS - 1; arguments++)
        line[count++] = (char *)(uintptr_t)*arguments;
    if (*arguments)
        return dae_fail(report, DAE_BAD_ARGUMENT, "at most %d arguments are passed on", MOST_WORDS - 4);
    FILE *said = program_file(report);
    dae_status status = said ? program_run_aside(line, purpose, in, out, said, answer, report) : DAE_FILE;
    if (*answer)
        status = say_why(folder, *answer, said, words, report);
    if (said)
        fclose(said);
    return status;
}
