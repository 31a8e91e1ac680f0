#include "cli/complaint.h"

#include "cli/option_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

static int is_option(const char *name, size_t length)
{
    for (const option_row *row = option_rows; row->name; row++)
        if ((row->commands & RUNS) && strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return row->id != O_HELP;
    return 0;
}

/* "--step 0.1 is too long" as of a file, where it is "step 0.1 is too long" */
static void put_without_dashes(const char *text)
{
    for (; *text; text++) {
        if (strncmp(text, "--", 2) == 0 && is_option(text + 2, strspn(text + 2, "abcdefghijklmnopqrstuvwxyz-")))
            text += 2;
        fputc(*text, stderr);
    }
}

/* The sentence behind its place in the file. */
static void complain_of_file(const char *format, va_list arguments)
{
    char *sentence = NULL;
    fprintf(stderr, file_line ? "%s, line %d: " : "%s: ", file_name, file_line);
    if (vasprintf(&sentence, format, arguments) >= 0)
        put_without_dashes(sentence);
    else
        fputs("out of memory", stderr);
    free(sentence);
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
