/* options.h - the command line: commands and their options, as a table, as typed, and parsed; names looked up; what is
 * said of mistakes
 */
#ifndef DAELAB_OPTIONS_H
#define DAELAB_OPTIONS_H

#include "catalogue/load.h"
#include "host/exit_status.h"
#include "table/format.h"
#include "study/plan.h"

#include <daelab/daelab.h>

#include <stdint.h>
#include <stdio.h>

/* ---- what is said against a command line or a file, on standard error, and the exit status for it ---- */

/* Print "daelab: ..." on stderr; answers status, to be returned. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where what is complained of from now on stands: in a line of a file, "FILE, line 7: ...", or with line 0 in the file,
 * "FILE: ...", in both without the dashes of options; file NULL: on the command line. The name is not copied. */
void cli_at(const char *file, int line);
void cli_at_line(int line);                             /* another line of the same file */

/* The status of the last complaint. */
int cli_last_status(void);

/* The exit status for a failure of the library. */
int cli_exit_status(dae_status status);

/* cli_error of report->message; answers the exit status for the failure. */
int cli_fail(dae_status status, const dae_report *report);

/* ---- commands, and their options as parsed ---- */

/* The options, in whatever command; what each does stands in option_table.c. */
typedef enum {
#define SETTING(ID, ...) O_##ID,                /* the first ones are numbered as their settings, setting_id */
#include "run/settings.def"
               O_FORM, O_METHOD, O_LEVELS, O_RATIO, O_SAMPLES, O_EVERY, O_SHOW, O_AT, O_OF, O_AXES,
               O_BASELINE, O_RUNS, O_SECONDS, O_TIME, O_LIMIT, O_LIMIT_MEMORY, O_JOBS, O_FRESH,
               O_DIGITS, O_DATA, O_FIT, O_BOUNDS, O_SD, O_USE,
               O_STRICT, O_PARAM, O_SET, O_VARY, O_REFERENCE, O_ESTIMATE, O_FORCE, O_FORMAT, O_JSON, O_PLUGIN,
               O_FIRST_ORDER, O_SWITCHING, O_A_METHOD, O_WORDS, O_LATEX, O_MINIMAL,
               O_FRAMES, O_FPS, O_OUTPUT, O_PLOT, O_PAGE, O_TABLE, O_TOLERANCE, O_TIME_TOLERANCE, O_SAVE,
               O_PART, O_PLOT_SIZE, O_PLOT_FONT, O_PLOT_TITLE,
               O_TRANSPARENT, O_PLOT_DATA, O_QUIET, O_HELP, OPTION_IDS } option_id;

enum { MAX_FRAMES = 10000, MAX_JOBS = 1024, MOST_SUBJECTS = 64, MAX_OUTPUTS = 16, MOST_STARTS = 64 };

struct option_list;
struct runner;

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
    int one_of_several;                     /* the problem is one of several: formulations that it lacks are left out */
    struct option_list *list;               /* all that was given, word for word, or NULL */
    unsigned command;                       /* its bit, see below */
    const char *given[OPTION_IDS];          /* options as typed last ("" for a switch), or NULL */
    int line[OPTION_IDS];                   /* of a study file, where the option stands; 0: none */
    char common[OPTION_IDS];                /* 1: all parts of a study file have it */
    double *parameters;                     /* [of the problem] those of --param and defaults; NULL: none given */
    char *set;                              /* [of the problem] how each was set, SET_.., or 0; NULL: none */
    int starts;                             /* options --set, */
    const char *start[MOST_STARTS];         /* "x=0.1,vx=0" each */
    int varied[MAX_VARIED], varies;         /* parameters by which items differ, so many */
    study_specification study;              /* what all these ask for */
    uint64_t asked;                         /* a hash of what is to be run: it names the file of the cache */
    int jobs, fresh;                        /* processes at once, 0: the cores; finished runs are forgotten */
    double limit_memory;                    /* [bytes] of a run; 0: none */
    int quiet;
    output_format format;
    int frames;                             /* animate; 0 where not given */
    double fps;                             /* NaN where not given */
    int outputs, plots;                     /* so many were given; none: standard output, no plot */
    const char *output[MAX_OUTPUTS], *plot[MAX_OUTPUTS];
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
const cli_command *cli_find_command(const char *name);  /* or NULL */

cli_command_function command_list, command_info, command_check, command_run, command_study, command_animate,
    command_derive, command_new, command_help, command_version, command_report, command_export, command_compare;

/* ---- the table of options: for parser, help and suggestions ---- */

/* The commands that take an option. */
enum {
    LIST = 1, INFO = 2, SOLVE = 4, CONVERGE = 8, DRIFT = 16, BENCH = 32, SCALE = 64,
    ANIMATE = 128, CHECK = 256, NEW = 512, DERIVE = 1024, STUDY = 2048, EXPORT = 4096, COMPARE = 8192, REPORT = 16384,
    FIT = 32768,
    HELP_ONLY = 1 << 20,    /* help and version, for which no files are loaded */
    LEVELS = CONVERGE | BENCH,
    RUNS = SOLVE | LEVELS | DRIFT | SCALE | FIT, STUDIES = RUNS | STUDY, RESULTS = LIST | INFO | CHECK | STUDIES,
    SOLVES = RUNS | ANIMATE,
    SEVERAL = COMPARE | REPORT,                       /* take several names */
    OF_PROGRAM = 1 << 21,   /* the option says where results go or what is said, not what is computed */
    AGAIN = 1 << 22         /* it may be given more than once: it adds to what was given before */
};

typedef struct {
    const char *name, *argument;            /* argument NULL: a switch */
    unsigned commands;
    option_id id;
    const char *help;                       /* words in braces, as {first}, stand for names of methods, formulations
                                               or formats (help.c) */
} option_row;

enum { MOST_OPTIONS = 160 };                 /* rows, at most */
extern const option_row option_rows[];      /* ends with a row without a name */

/* Its help, with names in place of words in braces; to be freed. */
char *option_help(const option_row *row);

/* ---- what was given, word for word: of a command line, or of a part of a file ---- */

enum { MOST_GIVEN = 256 };

typedef struct {
    const option_row *row;
    const char *text;           /* NULL: a switch */
    int line;                   /* of a file; 0: of the command line */
    int common;                 /* of a file: what all parts share, whether each can use it or not */
} given_option;

typedef struct option_list {
    const cli_command *command;
    const char *subject;        /* "pendulum,kepler"; NULL: none was given */
    const char *subjects[MOST_SUBJECTS];        /* all of them, of a command that takes several */
    int subject_count;
    int subject_line;
    int count;
    given_option option[MOST_GIVEN];
} option_list;

/* The option of this name that one of these commands takes, or NULL. */
const option_row *option_find(unsigned commands, const char *name);

/* Add one; 0 having complained: it is given twice, or there are too many. */
int option_list_add(option_list *list, given_option given);

/* Add one in place of what was given of the same option; 0 having complained. */
int option_list_replace(option_list *list, given_option given);

/* The last one of this option; NULL: it was not given. */
const given_option *option_list_last(const option_list *list, option_id id);

/* Texts that options point to, owned here. */
typedef struct { char **text; int count; } kept_texts;
const char *kept_text(kept_texts *texts, char *text);           /* text, which they own from now on */
void kept_free(kept_texts *texts);

/* Of the command line argv[1..]: options and the subject in any order, whatever POSIXLY_CORRECT says. 0 to go
 * on, else the exit status + 1 (help was printed: 1). */
int option_list_read(option_list *list, int argc, char **argv);

/* Does the option say where results go or what is said, and not what is computed? */
int option_of_program(const option_row *row);

/* Store an option in *options, whose study.run.problem is set where it is one of a study; 0 having complained. */
int option_apply(const given_option *given, cli_options *options);

/* After the last option_apply: what several options decide together; 0 having complained that they exclude each
 * other. */
int options_complete(cli_options *options);

/* ---- taken one by one ---- */

/* daelab COMMAND ...; the exit status. */
int cli_run_command(int argc, char **argv);

/* Parse argv[2..] for a command. 0 to go on, else the exit status + 1 (help was printed: 1). Of a study
 * the options of the program are taken, and the list is left of which its plan is made. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *options);

/* begin: the options of a command, of which none is given but those of the program, in *inherited, which may be NULL.
 * set_problem: study.run by the defaults of the problem; it points to *options from now on. */
void options_begin(cli_options *options, const cli_command *command, const cli_options *inherited);
void options_set_problem(cli_options *options, const dae_problem *problem);

/* Will there be pictures: by --plot, or in the folder of --output? */
int cli_draws(const cli_options *options);

/* What the options own. */
void cli_free(cli_options *options);

/* Print the help of one command, or (NULL) of the program; all: with every option, not only those that most need. */
void cli_help(const cli_command *command, int all, FILE *out);

/* ---- numbers and words of options, read whole or refused with a sentence ---- */

/* Each answers 0 having complained of "--name text". */
int value_number(const option_row *row, const char *text, double above, double *x);
int value_integer(const option_row *row, const char *text, int least, int most, int *x);
/* A, A:B or A,B,..: the largest one, and the rest */
int value_levels(const option_row *row, const char *text, double *first, study_range *rest);
/* 8cmx6cm or 8cm, in mm (height 0); SIZE or NAME,SIZE */
int value_size(const option_row *row, const char *text, double *width, double *height);
int value_font(const option_row *row, const char *text, plot_look *look);
/* x[] := A,B,..; most of them, at most */
int value_numbers(const option_row *row, const char *text, int most, double *x, int *count);
int value_atols(const option_row *row, const char *text, run_setting *setting);     /* --atol */
int value_axes(const option_row *row, const char *text, study_specification *spec);      /* X:Y */
const char *value_axis(int i);               /* the word for work_quantity i, as tables have it: "F", "LU" */
int value_word(const option_row *row, const char *text, cli_options *o);
int value_setting(const option_row *row, const char *text, run_setting *setting);   /* as its kind says */

/* --sd: x=0.01,y=0.02 */
int value_deviations(const option_row *row, const char *text, fit_source *data);

/* The words that an option takes, where it takes some of a list; how many, 0 where it takes something else. */
enum { MOST_VALUES = 32 };
int value_words(option_id id, const char *words[MOST_VALUES]);

/* A finite number that is all of text[length]? */
int value_read(const char *text, size_t length, double *x);

/* Bytes: a number above 0 with k, M, G, powers of 1024, or nothing behind it. */
int value_bytes(const option_row *row, const char *text, double *bytes);

/* ---- names, looked up in the tables ---- */

enum { MAX_NAMES = 256 };                   /* of one table */

typedef enum { A_PROBLEM, A_FORMULATION, A_METHOD } choice_kind;

/* All names of a table; how many there are. */
int choice_names(choice_kind kind, const char *names[MAX_NAMES]);
enum { PROJECTIONS = 4 };
extern const char *const projection_names[PROJECTIONS + 1];     /* ends with NULL */

/* Each complains on stderr, with the nearest known name, and answers NULL or 0 where one is wrong.
 *
 * smooth: for scale, which takes problems without events only; without_events: the problem with its events left out
 * (events_off.h). */
const dae_problem *choose_problem(const char *name, int smooth, int without_events);
int choose_forms(const char *list, cli_options *options);       /* "index2,ggl" or "all" */
int choose_methods(const char *list, cli_options *options);
int choose_projection(const char *list, cli_options *options);   /* "position,velocity" */
int choose_baseline(const char *name, cli_options *options);

/* "robertson,hires" or "all"? */
int choose_several(const char *subject);

/* The problems of such a list, each once; how many, or 0 having complained. */
int choose_problems(const char *list, int smooth, int without_events, const dae_problem *problems[MAX_NAMES]);

/* Formulations and methods where none are named; does the specification fit together? An exit status, having
 * complained, or 0. Then, for what is run alone: is each option used, can the files be written? */
int choose_check(cli_options *options);
int choose_defaults(cli_options *options);
int vary_parameter(const char *assignment, cli_options *options);       /* "L=2.5,5,10" */
int vary_to(const char *assignment, cli_options *options);              /* "L=2.5", of items that differ in it */
int choose_stop(const char *assignment, cli_options *options);          /* "x=3" */
int set_parameter(const char *assignment, cli_options *options);        /* "L=2.5", "k[3]=2", "k=1,2,3" */
int choose_sensitivity(const char *names, cli_options *options);        /* "L,k[3]", "k" of all its elements */
int choose_fitted(const char *names, cli_options *options);     /* "L,k[3],start:x" */
int choose_bounds(const char *bounds, cli_options *options);    /* "L=0.5:2,start:x=0:", of what is fitted */
int set_starts(cli_options *options);                   /* all of --set, once the parameters are known */

/* Say that there is no such thing, and what known name is nearest. */
void choice_unknown(const char *what, const char *typed, const char *const *names, int count);

/* ---- options that nothing of what was chosen would take: a mistake, and said before anything runs ---- */

/* An exit status, having complained, or 0: is every option that was given used by some run of some
 * of these items, the options of one problem each? Forms and methods are chosen, defaults filled in. common: only
 * what parts of a file share is looked at, of the items of all of them; else only the rest. */
int unused_options_check(const cli_options *const *item, int items, int common);

/* ---- files of problems and methods, on the command line and in the environment ---- */

/* Each complains on stderr, with the words of the compiler below, and answers 0 or NULL where it fails. */
int plugins_begin(void);                                        /* the folders of $DAELAB_PLUGINS */
int plugins_load(const char *path, load_result *r);             /* r may be NULL */
int plugins_load_all(const option_list *list);                  /* of each --plugin */

/* The only problem of a file; its only method; the name of the only thing, of both, that it offers. */
const dae_problem *plugins_problem(const char *path);
const dae_method *plugins_method(const char *path);
const char *plugins_name(const char *path);

/* ---- a study on a terminal: progress and warnings on standard error, fields as options ---- */

/* They speak of the options, which stay where they are until the study is over; quiet: no progress and
 * no warnings. */
run_front terminal_front(const cli_options *options);
run_front terminal_quiet(const cli_options *options);

/* What a runner tells goes to the line of progress. */
void terminal_watch(struct runner *r);

/* Once: how many runs were there before, where there were some. How many are kept of a study that was ended. */
void terminal_tell_before(void);
void terminal_tell_end(int kept);

/* ---- the runner of a command: where its file lies, what limits it has, how the command ends ---- */

/* Puts a runner into the setting of the options, unless there is one: its file is study.db in the folder that
 * --output names, which is made, or a file of the cache under the name of what was asked for. An exit
 * status, having complained, or 0. */
int study_runner_begin(cli_options *options);

/* The study is over and its results will be written: signals act at once from here on, and another rank than the
 * first, under mpirun, ends here. */
void study_runner_results(const cli_options *options);

/* The end of a command with this exit status: frees the runner, says how to go on where a signal has ended the
 * study. The exit status of the program. */
int study_runner_end(cli_options *options, int status);

/* The folder that --output names, "results/" or one that exists; NULL: it names a file, or nothing. */
const char *cli_output_folder(const cli_options *options);

/* Does a path name one: does it end so, or is it one? "FOLDER/NAME.ENDING", to be freed. */
int folder_is_named(const char *path);
char *folder_path(const char *folder, const char *name, const char *ending);

/* ---- the pages of daelab help TOPIC, which are the files of docs/help, and command lines that show what commands
 * do: help ends with them, and a test runs each ---- */

typedef struct {
    const char *name, *title;
    const char *text;           /* lines, the first of which is the title */
} cli_topic;

/* Page 0, 1, ... in the order of their names; NULL behind the last. */
const cli_topic *topic_at(int i);
const cli_topic *topic_find(const char *name);

typedef struct {
    const char *command;        /* its name */
    const char *line;           /* "daelab list problems" */
    const char *comment;        /* what it shows */
} cli_example;

/* Example 0, 1, ... of a command, of any one where command is NULL; NULL behind the last. The order is one in which
 * they can be run: what a file is made by stands before what takes it. */
const cli_example *example_at(const char *command, int i);

#endif
