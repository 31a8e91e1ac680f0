/* option_table.h - the options of the command line: one table for parser, help and suggestions */
#ifndef DAELAB_OPTION_TABLE_H
#define DAELAB_OPTION_TABLE_H

#include "cli/options.h"

/* The commands that take an option. */
enum {
    LIST = 1, INFO = 2, SOLVE = 4, CONVERGE = 8, DRIFT = 16, BENCH = 32, SCALE = 64,
    ANIMATE = 128, CHECK = 256, NEW = 512, DERIVE = 1024, STUDY = 2048, EXPORT = 4096, COMPARE = 8192, REPORT = 16384,
    TELL = 1 << 20, LEVELS = CONVERGE | BENCH,
    RUNS = SOLVE | LEVELS | DRIFT | SCALE, STUDIES = RUNS | STUDY, RESULTS = LIST | INFO | CHECK | STUDIES,
    SOLVES = RUNS | ANIMATE,
    SEVERAL = COMPARE | REPORT,                       /* take several names */
    FRONT = 1 << 21,        /* the option is of the program, not of what is computed: where results go, what is said */
    AGAIN = 1 << 22         /* it may be given more than once: it adds to what was given before */
};

typedef struct {
    const char *name, *argument;            /* argument NULL: a switch */
    unsigned commands;
    option_id id;
    const char *help;                       /* {first}, {one run}, {scaling}, {digits}, {index 1},
                                               {feedback}: names that the tables choose */
} option_row;

enum { MOST_OPTIONS = 160 };                 /* rows, at most */
extern const option_row option_rows[];      /* ends with a row without a name */

/* Its help, with names in place of words in braces; to be freed. */
char *option_help(const option_row *row);

#endif
