/* option_table.h - the options of the command line: one table for parser, help and suggestions */
#ifndef DAELAB_OPTION_TABLE_H
#define DAELAB_OPTION_TABLE_H

/* The commands that take an option. */
enum {
    LIST = 1, INFO = 2, SOLVE = 4, CONVERGE = 8, DRIFT = 16, BENCH = 32, SCALE = 64,
    ANIMATE = 128, LEVELS = CONVERGE | BENCH, RUNS = SOLVE | LEVELS | DRIFT | SCALE,
    RESULTS = LIST | INFO | RUNS, SOLVES = RUNS | ANIMATE
};

typedef enum { O_FORM, O_METHOD, O_STEP, O_RTOL, O_ATOL, O_T_END, O_LEVELS, O_RATIO, O_SAMPLES,
               O_EVERY, O_STOP, O_MAX_EVENTS, O_ACCUMULATION, O_AT, O_OF, O_BASELINE, O_RUNS,
               O_SECONDS, O_TIME, O_LIMIT, O_PARAM, O_VARY, O_ALPHA, O_BETA, O_JACOBIAN, O_LINEAR,
               O_ERROR_TEST, O_PROJECT, O_REFERENCE, O_ESTIMATE, O_START, O_FORMAT, O_JSON, O_FRAMES, O_FPS,
               O_OUTPUT, O_PLOT, O_QUIET, O_HELP } option_id;

typedef struct {
    const char *name, *argument;            /* argument NULL: a switch */
    unsigned commands;
    option_id id;
    const char *help;
} option_row;

enum { MOST_OPTIONS = 64 };                 /* rows, at most */
extern const option_row option_rows[];      /* ends with a row without a name */

#endif
