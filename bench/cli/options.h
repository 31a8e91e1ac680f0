/* options.h - the command line, parsed and checked */
#ifndef DAELAB_OPTIONS_H
#define DAELAB_OPTIONS_H

#include "output/document.h"
#include "study/specification.h"

#include <stdint.h>
#include <stdio.h>

/* Exit status of the command. */
enum { EXIT_DONE = 0, EXIT_NUMERICAL = 1, EXIT_USAGE = 2, EXIT_SYSTEM = 3 };

/* The options, in whatever command; what each does stands in option_table.c. */
typedef enum { O_FORM, O_METHOD, O_STEP, O_RTOL, O_ATOL, O_MAX_STEP, O_FIRST_STEP, O_T_END, O_LEVELS,
               O_RATIO, O_SAMPLES, O_EVERY, O_STOP, O_NO_EVENTS, O_MAX_EVENTS, O_ACCUMULATION, O_AT, O_OF,
               O_BASELINE, O_RUNS, O_SECONDS, O_TIME, O_LIMIT, O_LIMIT_MEMORY, O_JOBS, O_FRESH,
               O_DIGITS, O_STRICT, O_PARAM, O_VARY, O_ALPHA, O_BETA,
               O_JACOBIAN, O_LINEAR, O_ERROR_TEST, O_PROJECT, O_REFERENCE, O_NO_CACHE, O_NO_CHECK,
               O_ESTIMATE, O_FORCE, O_START, O_FORMAT, O_JSON, O_PLUGIN,
               O_FIRST_ORDER, O_SWITCHING, O_A_METHOD, O_WORDS, O_LATEX, O_MINIMAL,
               O_FRAMES, O_FPS, O_OUTPUT, O_PLOT, O_PAGE, O_QUIET, O_HELP, OPTION_IDS } option_id;

enum { MAX_FRAMES = 10000, MAX_JOBS = 1024, MOST_SUBJECTS = 64 };

typedef struct {
    const char *subject;                    /* what the command is about: a name, or NULL */
    const char *subjects[MOST_SUBJECTS];    /* all of them, where it is about several */
    int subject_count;
    int one_of_several;                     /* bench: of a list of problems */
    unsigned command;                       /* its bit in option_table.h */
    const char *given[OPTION_IDS];          /* options as typed last ("" for a switch), or NULL */
    double *parameters;                     /* [of the problem] those of --param and defaults; NULL: none given */
    char *set;                              /* [of the problem] SET_ALONE, SET_WITH_ARRAY by --param; NULL: none */
    study_specification study;              /* what all these ask for */
    uint64_t asked;                         /* a number for what is to be run, whatever is made of it */
    int jobs, fresh;                        /* processes at once, 0: the cores; finished runs are forgotten */
    double limit_memory;                    /* [bytes] of a run; 0: none */
    int quiet;
    output_format format;
    int frames;                             /* animate; 0 where not given */
    double fps;                             /* NaN where not given */
    const char *output, *plot;              /* NULL: standard output, no plot */
} cli_options;

enum { SET_WITH_ARRAY = 1, SET_ALONE };

typedef int cli_command_function(const cli_options *options);

typedef struct {
    const char *name, *arguments, *summary;
    unsigned options;                       /* bits of the options that it takes */
    int takes_problem;
    cli_command_function *run;
} cli_command;

extern const cli_command cli_commands[];    /* ends with an entry without a name */

cli_command_function command_list, command_info, command_check, command_solve, command_converge,
    command_drift, command_bench, command_scale, command_animate, command_derive, command_new, command_help,
    command_version, command_report;

/* daelab COMMAND ...; the exit status. */
int cli_run_command(int argc, char **argv);

/* Parse argv[2..] for a command. 0 to go on, else the exit status + 1 (help was printed: 1). */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *options);

/* What the options own. */
void cli_free(cli_options *options);

/* Print the help of one command, or of all. */
void cli_help(const cli_command *command, FILE *out);

/* Print "daelab: ..." on stderr; answers status, to be returned. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The status of the last complaint. */
int cli_last_status(void);

/* The exit status for a failure of the library. */
int cli_exit_status(dae_status status);

/* The same for a report of it, and the exit status for its status. */
int cli_fail(dae_status status, const dae_report *report);

#endif
