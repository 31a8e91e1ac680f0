/* cli_says.h - the program in the test's folder, and what it says there */
#ifndef CLI_SAYS_H
#define CLI_SAYS_H

#include "cli.h"

enum { DONE, NUMERICAL, USAGE, SYSTEM };          /* exit status */

static inline void in_folder(const char *shell)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && %s", cli_folder, shell);
    if (system(command) != 0)
        fail_msg("%s", command);
}

static inline void says(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

static inline void runs(const char *environment, const char *arguments)
{
    if (cli_run(environment, arguments) != DONE)
        fail_msg("%s %s: %s", environment, arguments, cli_said.err);
}

/* It ends with this status, and the first line on standard error is a sentence of the program with these words. */
static inline void refused(const char *environment, const char *arguments, int status, const char *words)
{
    if (cli_run(environment, arguments) != status)
        fail_msg("%s %s ended with %d, not %d: %s", environment, arguments, cli_said.status, status, cli_said.err);
    assert_true(strncmp(cli_said.err, "daelab: ", 8) == 0);
    says(cli_said.err, words);
    assert_string_equal(cli_said.out, "");
}

#endif
