/* cli.h - run the daelab program as a user does, and keep what it said */
#ifndef DAELAB_TEST_CLI_H
#define DAELAB_TEST_CLI_H

#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CLI_TEXT = 1 << 23 };

typedef struct {
    int status;                 /* exit status, or -1 */
    char out[CLI_TEXT], err[CLI_TEXT];
} cli_result;

static cli_result cli_said;     /* of the last call */
static char cli_folder[] = P_tmpdir "/daelab-test-XXXXXX";

static void cli_read(const char *name, char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, CLI_TEXT - 1, file) : 0;
    text[length] = 0;
    if (file)
        fclose(file);
}

/* A folder of the test's own. References and derived texts that another test had are taken from the cache of all of
 * them, which CTest names; a test that looks at what is kept has a cache of its own, in its folder. */
static int cli_begin(void **state)
{
    (void)state;
    return mkdtemp(cli_folder) && setenv("DAELAB_CACHE", cli_folder, 0) == 0 ? 0 : -1;
}

static inline int cli_begin_empty_cache(void **state)
{
    return unsetenv("DAELAB_CACHE") || cli_begin(state);
}

/* For cli_run, where nobody looks at what Python shows: a folder does without its pictures and its page. */
#define UNDRAWN "DAELAB_PYTHON=/nowhere"

/* The same for all of a test. */
static inline int cli_begin_undrawn(void **state)
{
    return cli_begin(state) || setenv("DAELAB_PYTHON", "/nowhere", 1);
}

static int cli_end(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", cli_folder);
    return system(command);
}

/* Run `daelab ARGUMENTS` in the test's folder; environment ("PATH=/nowhere") may be "". */
static inline int cli_run(const char *environment, const char *arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && env %s '%s' 2>err.txt >out.txt %s", cli_folder,
             environment, DAELAB_PROGRAM, arguments);
    const int status = system(command);
    cli_said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    cli_read("out.txt", cli_said.out);
    cli_read("err.txt", cli_said.err);
    return cli_said.status;
}

/* Is there a Python that draws? Asked once. */
static inline int cli_can_draw(void)
{
    static int asked, draws;
    draws = asked ? draws : cli_run("", "solve pendulum --samples 3 --plot drawn.svg -q") == 0;
    asked = 1;
    return draws;
}

static inline int cli_exists(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    return access(path, F_OK) == 0;
}

#endif
