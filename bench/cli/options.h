/* options.h - the command line, parsed and checked */
#ifndef DAELAB_OPTIONS_H
#define DAELAB_OPTIONS_H

#include "cli/complaint.h"
#include "table/format.h"
#include "study/plan.h"

#include <stdint.h>
#include <stdio.h>

/* The options, in whatever command; what each does stands in option_table.c. */
typedef enum {
#define SETTING(ID, ...) O_##ID,                /* the first ones are numbered as their settings, setting_id */
#include "run/settings.def"
               O_FORM, O_METHOD, O_LEVELS, O_RATIO, O_SAMPLES, O_EVERY, O_AT, O_OF, O_AXES,
               O_BASELINE, O_RUNS, O_SECONDS, O_TIME, O_LIMIT, O_LIMIT_MEMORY, O_JOBS, O_FRESH,
               O_DIGITS, O_STRICT, O_PARAM, O_VARY, O_REFERENCE, O_ESTIMATE, O_FORCE, O_FORMAT, O_JSON, O_PLUGIN,
               O_FIRST_ORDER, O_SWITCHING, O_A_METHOD, O_WORDS, O_LATEX, O_MINIMAL,
               O_FRAMES, O_FPS, O_OUTPUT, O_PLOT, O_PAGE, O_TABLE, O_TOLERANCE, O_TIME_TOLERANCE, O_SAVE,
               O_PART, O_PLOT_SIZE, O_PLOT_FONT, O_PLOT_TITLE,
               O_TRANSPARENT, O_PLOT_DATA, O_QUIET, O_HELP, OPTION_IDS } option_id;

enum { MAX_FRAMES = 10000, MAX_JOBS = 1024, MOST_SUBJECTS = 64, MAX_OUTPUTS = 16 };

struct option_list;

/* How pictures look. */
enum { PLOT_FACE = 48 };
typedef struct {
    double width, height;       /* [mm] of a page; 0: as the panels need */
    double font;                /* [pt] of the letters; 0: 8 */
    char face[PLOT_FACE];       /* the font; "": Helvetica, in LaTeX that of the document always */
    const char *title;          /* in place of the figure's; NULL: that */
    int transparent;
    int data;                   /* leave the points of the curves as CSV beside the picture */
} plot_look;

typedef struct {
    const char *subject;                    /* what the command is about: a name, or NULL */
    const char *subjects[MOST_SUBJECTS];    /* all of them, where it is about several */
    int subject_count;
    int one_of_several;                     /* problems of a list: formulations that it does not have are left out */
    struct option_list *list;               /* all that was given, word for word, or NULL */
    unsigned command;                       /* its bit in option_table.h */
    const char *given[OPTION_IDS];          /* options as typed last ("" for a switch), or NULL */
    int line[OPTION_IDS];                   /* of a file where that stands, or 0 */
    char common[OPTION_IDS];                /* of a file: it is what parts share */
    double *parameters;                     /* [of the problem] those of --param and defaults; NULL: none given */
    char *set;                              /* [of the problem] SET_ALONE, SET_WITH_ARRAY by --param; NULL: none */
    int varied[MAX_VARIED], varies;         /* parameters by which items differ, so many */
    study_specification study;              /* what all these ask for */
    uint64_t asked;                         /* a number for what is to be run, whatever is made of it */
    int jobs, fresh;                        /* processes at once, 0: the cores; finished runs are forgotten */
    double limit_memory;                    /* [bytes] of a run; 0: none */
    int quiet;
    output_format format;
    int frames;                             /* animate; 0 where not given */
    double fps;                             /* NaN where not given */
    const char *output, *plot;              /* the first of those below; NULL: standard output, no plot */
    int outputs, plots;                     /* so many were given */
    const char *output_at[MAX_OUTPUTS], *plot_at[MAX_OUTPUTS];
    double tolerance, time_tolerance;       /* compare; NaN where not given */
    const char *table;                      /* the one that is written as CSV; NULL: that of the command */
    plot_look look;                         /* of plots */
    const char *save;                       /* the file that runs the study again; NULL: none */
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

cli_command_function command_list, command_info, command_check, command_run, command_study, command_animate,
    command_derive, command_new, command_help, command_version, command_report, command_export, command_compare;

/* daelab COMMAND ...; the exit status. */
int cli_run_command(int argc, char **argv);

/* Parse argv[2..] for a command. 0 to go on, else the exit status + 1 (help was printed: 1). Of a study
 * the options of the program are taken (option_list.h), and the list is left of which its plan is made. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *options);

/* Options of a command, nothing given yet but those of the program, of which front is a copy, or NULL; then,
 * where it is about a problem, those of the problem. They stay where they are. */
void options_begin(cli_options *options, const cli_command *command, const cli_options *front);
void options_set_problem(cli_options *options, const dae_problem *problem);

/* Will there be pictures: by --plot, or in the folder of --output? */
int cli_draws(const cli_options *options);

/* What the options own. */
void cli_free(cli_options *options);

/* Print the help of one command, or of all. */
void cli_help(const cli_command *command, FILE *out);

#endif
