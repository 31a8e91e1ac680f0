#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int last_status;         /* of a complaint */
static const char *file_name;   /* whose line is read */
static int file_line;

void cli_at(const char *file, int line)
{
    file_name = file;
    file_line = line;
}

void cli_at_line(int line) { file_line = line; }

/* "--step 0.1 is too long" as of a file, where it is "step 0.1 is too long" */
static void put_without_dashes(const char *text)
{
    for (; *text; text++) {
        char name[32] = "";
        sscanf(text, "--%31[a-z-]", name);
        const option_row *row = option_find(RUNS, name);
        text += row && row->id != O_HELP ? 2 : 0;
        fputc(*text, stderr);
    }
}

/* The sentence behind its place in the file. */
static void complain_of_file(const char *format, va_list arguments)
{
    char sentence[4096];
    fprintf(stderr, file_line ? "%s, line %d: " : "%s: ", file_name, file_line);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    put_without_dashes(sentence);
}

int cli_error(int status, const char *format, ...)
{
    va_list arguments;
    last_status = status;
    va_start(arguments, format);
    fputs("daelab: ", stderr);
    if (file_name)
        complain_of_file(format, arguments);
    else
        vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int cli_last_status(void) { return last_status; }

int cli_exit_status(dae_status status)
{
    switch (status) {
    case DAE_OK: return EXIT_DONE;
    case DAE_BAD_ARGUMENT: case DAE_UNSUPPORTED: return EXIT_USAGE;
    case DAE_FILE: case DAE_NO_MEMORY: return EXIT_SYSTEM;
    case DAE_EVENT: case DAE_ACCUMULATION: return EXIT_DONE;    /* early, but as it should */
    default: return EXIT_NUMERICAL;
    }
}

int cli_fail(dae_status status, const dae_report *report)
{
    return cli_error(cli_exit_status(status), "%s", report->message);
}
