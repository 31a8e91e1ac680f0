/* help.h - the pages of daelab help TOPIC, which are the files of docs/help, and command lines that show what commands
 * do: help ends with them, and a test runs each */
#ifndef DAELAB_HELP_H
#define DAELAB_HELP_H

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
