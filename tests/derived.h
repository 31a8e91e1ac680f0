/* derived.h - models in words as records: for tests that solve them, and compare them with problems of the table
 *
 * A test that includes it needs a folder of its own (cli_begin), and is skipped where there is no SymPy.
 */
#ifndef DAELAB_TEST_DERIVED_H
#define DAELAB_TEST_DERIVED_H

#include "cli.h"

#include "catalogue/catalogue.h"
#include "catalogue/load.h"

/* Whether derive has what it needs: asked once, for it takes a second. What it said is in derive.txt. */
static inline int derive_works(void)
{
    enum { SYSTEM = 3 };
    static int asked, works;
    char command[600];
    if (asked)
        return works;
    snprintf(command, sizeof command, "'%s/scripts/derive' '%s/examples/pendulum.yaml' >/dev/null 2>'%s/derive.txt'",
             DAELAB_SOURCE_DIR, DAELAB_SOURCE_DIR, cli_folder);
    const int status = system(command);
    asked = 1;
    return works = !WIFEXITED(status) || WEXITSTATUS(status) != SYSTEM;
}

/* Skip the test, with the sentence of derive, where Python, SymPy or PyYAML are missing. */
static inline void need_sympy(void)
{
    if (derive_works())
        return;
    cli_read("derive.txt", cli_said.err);
    print_message("skipped: %s", cli_said.err);
    skip();
}

/* The record that a file offers, compiled once for all tests of a program; without SymPy the test is skipped. */
static inline const dae_problem *loaded_from(const char *path)
{
    enum { MOST_LOADED = 32 };
    static struct { char path[512]; const dae_problem *problem; } loaded[MOST_LOADED];
    int i = 0;
    need_sympy();
    while (i < MOST_LOADED - 1 && loaded[i].problem && strcmp(loaded[i].path, path) != 0)
        i++;
    if (!loaded[i].problem || strcmp(loaded[i].path, path) != 0) {
        load_result r = {0};
        dae_report why = {0};
        char *words = NULL;
        if (load_file(path, &r, &words, &why))
            fail_msg("%s: %s\n%s", path, why.message, words ? words : "");
        free(words);
        snprintf(loaded[i].path, sizeof loaded[i].path, "%s", path);
        loaded[i].problem = catalogue_problem(r.first_problem);
    }
    return loaded[i].problem;
}

/* That of examples/NAME.yaml */
static inline const dae_problem *example(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", DAELAB_SOURCE_DIR, name);
    return loaded_from(path);
}

/* The mode of this name; NULL: that in which the problem begins. */
static inline const dae_problem *mode_named(const dae_problem *problem, const char *name)
{
    if (!name || (problem->mode && strcmp(problem->mode, name) == 0))
        return problem;
    for (int i = 0; problem->modes && problem->modes[i]; i++)
        if (strcmp(problem->modes[i]->name, name) == 0)
            return problem->modes[i];
    fail_msg("%s has no mode %s", problem->name, name);
    return NULL;
}

#endif
