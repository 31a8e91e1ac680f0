/* examples.h - command lines that show what commands do; help ends with them, and a test runs each */
#ifndef DAELAB_EXAMPLES_H
#define DAELAB_EXAMPLES_H

typedef struct {
    const char *command;        /* its name */
    const char *line;           /* "daelab list problems" */
    const char *comment;        /* what it shows */
} cli_example;

/* Example 0, 1, ... of a command, of any one where command is NULL; NULL behind the last. The order is one in which
 * they can be run: what a file is made by stands before what takes it. */
const cli_example *example_at(const char *command, int i);

#endif
