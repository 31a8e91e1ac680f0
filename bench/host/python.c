#include "host/python.h"

#include "host/allocate.h"
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

/* All of a file, to be freed. */
static char *read_all(FILE *from)
{
    fseek(from, 0, SEEK_END);
    const long length = ftell(from);
    char *text = allocate((size_t)(length > 0 ? length : 0) + 1, 1);
    rewind(from);
    if (length > 0)
        text[fread(text, 1, (size_t)length, from)] = 0;
    return text;
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
    *words = allocate_text(said);
    return dae_fail(report, status, "%s ended with status %d:", folder, answer);
}

static dae_status say_why(const char *folder, int answer, FILE *from, char **words, dae_report *report)
{
    char *said = read_all(from);
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
