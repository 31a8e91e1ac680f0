/* option_list.h - what was given, word for word: the options of a command line, or of a part of a file */
#ifndef DAELAB_OPTION_LIST_H
#define DAELAB_OPTION_LIST_H

#include "cli/option_table.h"

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

/* Add one in place of what was given of it. */
int option_list_replace(option_list *list, given_option given);

/* The last one of this option; NULL: it was not given. */
const given_option *option_list_last(const option_list *list, option_id id);

/* Texts that options point to and nothing else holds, freed together. */
typedef struct { char **text; int count; } kept_texts;
const char *kept_text(kept_texts *texts, char *text);           /* text, which they own from now on */
void kept_free(kept_texts *texts);

/* Of the command line argv[1..]: options and the subject in any order, whatever POSIXLY_CORRECT says. 0 to go
 * on, else the exit status + 1 (help was printed: 1). */
int option_list_read(option_list *list, int argc, char **argv);

/* Is it of the program, not of what is computed: where results go, what is said? */
int option_is_front(const option_row *row);

/* Take one that is of the program, or of a study, of the problem that the options have; 0 having complained. */
int option_apply(const given_option *given, cli_options *options);

/* All have been taken; 0 having complained that they do not go together. */
int options_complete(cli_options *options);

#endif
