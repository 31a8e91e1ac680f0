/* compiler.c - the compiler of models
 *
 * Its headers are those beside the program where it was installed, else those of the tree that it was built
 * in: paths and flags come from cmake/beside.cmake and generated.cmake.
 */
#include "catalogue/compiler.h"

#include "catalogue/diagnostics.h"
#include "host/place.h"
#include "host/program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 16384, FEWEST_FREE = 16 };

static const char *const flags[] = {
#include "compiler_flags.def"
};

static dae_status find_headers(compiler *cc, dae_report *report)
{
    char *folder = place_folder(DAELAB_INCLUDE_BESIDE, DAELAB_INCLUDE_OF_TREE, "daelab/plugin.h");
    dae_status status = DAE_OK;
    if (!folder)
        status = dae_fail(report, DAE_FILE, "the headers of daelab are neither in %s nor in %s beside the program",
                          DAELAB_INCLUDE_BESIDE, DAELAB_INCLUDE_OF_TREE);
    else if (asprintf(&cc->include, "-I%s", folder) < 0)
        status = dae_fail(report, DAE_NO_MEMORY, "out of memory");
    free(folder);
    return status;
}

static int add(compiler *cc, char *argument)
{
    if (cc->arguments > MOST_ARGUMENTS - FEWEST_FREE)
        return 0;
    cc->argument[cc->arguments++] = argument;
    cc->argument[cc->arguments] = NULL;
    return 1;
}

dae_status compiler_find(compiler *cc, dae_report *report)
{
    const char *chosen = getenv("CC"), *blanks = " \t";
    char *rest, *word;
    int whole = 1;
    *cc = (compiler){0};
    cc->command = strdup(chosen && chosen[strspn(chosen, blanks)] ? chosen : DAELAB_COMPILER);
    if (!cc->command)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    if (chosen && chosen[strspn(chosen, blanks)])
        for (word = strtok_r(cc->command, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest))
            whole = whole && add(cc, word);
    else
        whole = add(cc, cc->command);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        whole = whole && add(cc, (char *)(uintptr_t)flags[i]);
    dae_status status = whole ? find_headers(cc, report)
                              : dae_fail(report, DAE_BAD_ARGUMENT, "CC: more than %d words and flags",
                                         MOST_ARGUMENTS - FEWEST_FREE);
    if (!status)
        add(cc, cc->include);
    return status;
}

void compiler_free(compiler *cc)
{
    free(cc->command);
    free(cc->include);
    *cc = (compiler){0};
}

/* What was said, cut at the end of a line where it is long; to be freed. */
static char *read_words(FILE *from)
{
    char *text = malloc(MOST_WORDS + 8);
    if (!text)
        return NULL;
    rewind(from);
    size_t length = fread(text, 1, MOST_WORDS, from);
    text[length] = 0;
    if (length == MOST_WORDS) {
        char *end = strrchr(text, '\n');
        strcpy(end ? end + 1 : text + length - 1, "...\n");
    }
    diagnostics_once(text);
    if (*text)
        return text;
    free(text);
    return NULL;
}

dae_status compiler_run(const compiler *cc, const char *const *more, const char *source, FILE *out,
                        char **words, dae_report *report)
{
    char *arguments[MOST_ARGUMENTS + 1];
    int count = cc->arguments, said_no = 0;
    memcpy(arguments, cc->argument, (size_t)count * sizeof *arguments);
    for (; *more && count < MOST_ARGUMENTS; more++)
        arguments[count++] = (char *)(uintptr_t)*more;
    arguments[count] = NULL;
    *words = NULL;
    FILE *in = program_file(report), *said = in ? program_file(report) : NULL;
    dae_status status = said ? DAE_OK : DAE_FILE;
    if (!status)
        status = program_run_aside(arguments, "it compiles models: install a C compiler, or name one in CC", in,
                                   out, said, &said_no, report);
    if (said_no) {
        *words = read_words(said);
        dae_fail(report, DAE_FILE, "%s does not compile; %s says%s", source, arguments[0],
                 *words ? ":" : " nothing");
    }
    if (in)
        fclose(in);
    if (said)
        fclose(said);
    return status;
}

static void drop(compiler *cc, const char *flag)
{
    int kept = 0;
    for (int i = 0; i < cc->arguments; i++)
        if (strcmp(cc->argument[i], flag) != 0)
            cc->argument[kept++] = cc->argument[i];
    cc->arguments = kept;
    cc->argument[kept] = NULL;
}

static int takes(const compiler *cc, const char *flag)
{
    const char *const more[] = {flag, "-E", "-x", "c", "/dev/null", NULL};
    compiler bare = *cc;
    char *words = NULL;
    FILE *out = program_file(NULL);
    drop(&bare, flag);
    const int taken = out && compiler_run(&bare, more, "", out, &words, NULL) == DAE_OK;
    if (out)
        fclose(out);
    free(words);
    return taken;
}

void compiler_settle(compiler *cc)
{
    static const char *const not_everywhere[] = {"-fcx-limited-range", "-ftrack-macro-expansion=0"};
    for (size_t i = 0; i < sizeof not_everywhere / sizeof *not_everywhere; i++)
        if (strcmp(cc->argument[0], DAELAB_COMPILER) != 0 && !takes(cc, not_everywhere[i]))
            drop(cc, not_everywhere[i]);
}
