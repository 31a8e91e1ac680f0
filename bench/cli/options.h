/* options.h - the command line, parsed and checked */
#ifndef DAELAB_OPTIONS_H
#define DAELAB_OPTIONS_H

#include "daelab/daelab.h"
#include "daelab/problem.h"
#include "daelab/study.h"

#include <stdio.h>

/* Exit status of the command. */
enum { EXIT_DONE = 0, EXIT_NUMERICAL = 1, EXIT_USAGE = 2, EXIT_SYSTEM = 3 };

/* The options, in whatever command; what each does stands in option_table.c. */
typedef enum { O_FORM, O_METHOD, O_STEP, O_RTOL, O_ATOL, O_T_END, O_LEVELS, O_RATIO, O_SAMPLES,
               O_EVERY, O_STOP, O_MAX_EVENTS, O_ACCUMULATION, O_AT, O_OF, O_BASELINE, O_RUNS,
               O_SECONDS, O_TIME, O_LIMIT, O_PARAM, O_VARY, O_ALPHA, O_BETA, O_JACOBIAN, O_LINEAR,
               O_ERROR_TEST, O_PROJECT, O_REFERENCE, O_NO_CACHE, O_ESTIMATE, O_FORCE, O_START, O_FORMAT, O_JSON,
               O_FRAMES, O_FPS, O_OUTPUT, O_PLOT, O_QUIET, O_HELP, OPTION_IDS } option_id;

typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN } output_format;

enum { MAX_CHOICES = 32, MAX_TARGETS = 16, MAX_LEVELS = 64, MAX_VALUES = 16, MAX_PROJECTS = 8,
       MAX_ROWS = 1000000, MAX_RUNS = 131072, MAX_FRAMES = 10000, MAX_STOPS = 8 };

typedef struct {
    const char *subject;                    /* what the command is about: a name, or NULL */
    int one_of_several;                     /* bench: of a list of problems */
    unsigned command;                       /* its bit in option_table.h */
    const char *given[OPTION_IDS];          /* options as typed last ("" for a switch), or NULL */
    const dae_problem *problem;             /* where the command takes one */
    double parameters[DAE_MAX_PARAMETERS];
    char set[DAE_MAX_PARAMETERS];           /* by --param */
    int values, varied;                     /* --vary: so many values of which parameter */
    double value[MAX_VALUES];
    int forms, methods;                     /* how many are chosen; 0: the command's default */
    const dae_formulation *form[MAX_CHOICES];
    const dae_method *method[MAX_CHOICES];
    double step, rtol, atol, t_end;         /* NaN where not given */
    double rtol_last;                       /* B of --rtol A:B; NaN where not given */
    int levels, samples;                    /* 0 where not given */
    double ratio, every;                    /* NaN where not given */
    int stops;                              /* --stop NAME=VALUE, as typed */
    const char *stop[MAX_STOPS];
    int max_events;                         /* 0 where not given */
    double accumulation;                    /* NaN where not given */
    dae_formulation_options baumgarte;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    dae_error_test error_test;
    unsigned project;                       /* DAE_PROJECT_*; of the last --project */
    int projects;                           /* drift: one run for each --project */
    unsigned each_project[MAX_PROJECTS];
    int referenced;                         /* drift: --reference */
    int no_cache;                           /* references are neither looked up nor kept */
    int estimated;                          /* solve: --estimate */
    int forced;                             /* solve: --force */
    int as_given, quiet;
    int targets;                            /* bench: --at, --baseline, --of, --runs, --seconds */
    double target[MAX_TARGETS];
    const dae_method *baseline;             /* or NULL */
    dae_class of;                           /* DAE_CLASSES where not given */
    int runs;                               /* 0 where not given */
    int smallest;                           /* the smallest time of the repeats, not the median */
    double seconds, limit;                  /* NaN where not given */
    output_format format;
    int frames;                             /* animate; 0 where not given */
    double fps;                             /* NaN where not given */
    const char *output, *plot;              /* NULL: standard output, no plot */
} cli_options;

typedef int cli_command_function(const cli_options *options);

typedef struct {
    const char *name, *arguments, *summary;
    unsigned options;                       /* bits of the options that it takes */
    int takes_problem;
    cli_command_function *run;
} cli_command;

extern const cli_command cli_commands[];    /* ends with an entry without a name */

cli_command_function command_list, command_info, command_solve, command_converge, command_drift,
    command_bench, command_scale, command_animate;

/* daelab COMMAND ...; the exit status. */
int cli_run_command(int argc, char **argv);

/* Parse argv[2..] for a command. 0 to go on, else the exit status + 1 (help was printed: 1). */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *options);

/* Print the help of one command, or of all. */
void cli_help(const cli_command *command, FILE *out);

/* Print "daelab: ..." on stderr; answers status, to be returned. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit status for a failure of the library. */
int cli_exit_status(dae_status status);

/* Names as the options spell them. */
const char *cli_jacobian_name(dae_jacobian_kind kind);
const char *cli_linear_name(dae_linear_kind kind);
const char *cli_error_test_name(dae_error_test which);
const char *cli_project_name(unsigned project);     /* "none", "position,velocity", ... */

#endif
