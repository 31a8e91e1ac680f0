/* compiled.c - a problem file in C to a shared object, by a call of the C compiler
 *
 * The headers of daelab are those beside the installed program, else those of the tree that it was built in: paths come
 * from cmake/beside.cmake, flags from cmake/generated.cmake.
 */
#include "catalogue/compiled.h"

#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 128, FEWEST_FREE = 16, MOST_WORDS = 16384 };

static const char *const flags[] = {
#include "compiler_flags.def"
};

/* A command: the words of $CC, or the compiler that daelab was built with, flags, and -I with the headers. */
typedef struct {
    char *command, *include;    /* the texts of $CC and -I, which arguments point into */
    int arguments;
    char *argument[MOST_ARGUMENTS];
} compiler;

typedef struct {
    const char *source, *called;
    char **words;
    dae_report *report;
} work;

/* ---- the compiler ---- */

static int add(compiler *cc, const char *argument)
{
    const int is_room = cc->arguments < MOST_ARGUMENTS - FEWEST_FREE;
    if (is_room)
        cc->argument[cc->arguments++] = (char *)(uintptr_t)argument;
    return is_room;
}

/* Run the compiler with more arguments (ending with NULL) and the output out. Where it fails *words is what it said,
 * cut after a whole line where that is long, to be freed; else NULL. */
static dae_status call(const compiler *cc, const char *const *more, const char *source, FILE *out, char **words,
                       dae_report *report)
{
    char *arguments[MOST_ARGUMENTS + 1];
    int count = cc->arguments, said_no = 0;
    memcpy(arguments, cc->argument, (size_t)count * sizeof *arguments);
    while (*more && count < MOST_ARGUMENTS)
        arguments[count++] = (char *)(uintptr_t)*more++;
    arguments[count] = NULL;
    const dae_status status = program_run(arguments, "it compiles models: install a C compiler, or name one in CC",
                                          NULL, out, words, &said_no, report);
    if (said_no) {
        char *text = *words;
        if (strlen(text) > MOST_WORDS + 8) {
            text[MOST_WORDS] = 0;
            char *end = strrchr(text, '\n');
            strcpy(end ? end + 1 : text + MOST_WORDS - 1, "...\n");
        }
        compiled_words_once(text);
        return dae_fail(report, DAE_FILE, "%s does not compile; %s says%s", source, arguments[0],
                        *text ? ":" : " nothing");
    }
    return status;
}

/* Has the compiler this flag? */
static int takes(const compiler *cc, const char *flag)
{
    const char *const more[] = {flag, "-E", "-x", "c", "/dev/null", NULL};
    char *words = NULL;
    FILE *out = program_file(NULL);
    const int taken = out && call(cc, more, "", out, &words, NULL) == DAE_OK;
    if (out)
        fclose(out);
    free(words);
    return taken;
}

/* Every compiler has it; another one than daelab's need not have the other flags. */
static int is_portable_flag(const char *flag)
{
    return strcmp(flag, "-fcx-limited-range") != 0 && strcmp(flag, "-ftrack-macro-expansion=0") != 0;
}

static dae_status find(compiler *cc, dae_report *report)
{
    const char *blanks = " \t", *chosen = getenv("CC");
    char *folder = program_folder("the headers of daelab are", DAELAB_INCLUDE_BESIDE, DAELAB_INCLUDE_OF_TREE,
                                  "daelab/plugin.h", report), *rest;
    chosen = chosen && chosen[strspn(chosen, blanks)] ? chosen : NULL;
    *cc = (compiler){.command = allocate_text(chosen ? chosen : DAELAB_COMPILER),
                     .include = allocate_print("-I%s", folder ? folder : "")};
    if (!folder)
        return DAE_FILE;
    free(folder);
    int whole = chosen || add(cc, cc->command);
    for (char *word = chosen ? strtok_r(cc->command, blanks, &rest) : NULL; word; word = strtok_r(NULL, blanks, &rest))
        whole = whole && add(cc, word);
    const int other = strcmp(cc->argument[0], DAELAB_COMPILER) != 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (is_portable_flag(flags[i]) || !other || takes(cc, flags[i]))
            whole = whole && add(cc, flags[i]);
    return whole && add(cc, cc->include) ? DAE_OK : dae_fail(report, DAE_BAD_ARGUMENT, "CC: more than %d words and "
                                                             "flags", MOST_ARGUMENTS - FEWEST_FREE);
}

/* ---- an object ---- */

/* Compile to path, and open it. Stripped (-s), the same source gives the same object, whatever its file is called. */
static dae_status compile_to(const work *w, const char *path, int *object)
{
    const char *const more[] = {"-iquote", ".", "-shared", "-fPIC", "-fvisibility=hidden", "-s", "-o", path, "-x", "c",
                                w->source, "-lm", NULL};
    compiler cc;
    dae_status status = find(&cc, w->report);
    FILE *out = status ? NULL : program_file(w->report);
    if (!status)
        status = out ? call(&cc, more, w->called, out, w->words, w->report) : DAE_FILE;
    if (out)
        fclose(out);
    free(cc.command);
    free(cc.include);
    if (!status && (*object = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) < 0)
        status = dae_fail(w->report, DAE_FILE, "%s: %s", path, strerror(errno));
    return status;
}

/* In a new folder of $TMPDIR that is gone afterwards, also where SIGINT, SIGTERM or SIGHUP ends the program. */
static dae_status compile_aside(const work *w, int *object)
{
    const char *place = getenv("TMPDIR");
    char *folder = allocate_print("%s/daelab-XXXXXX", place && *place ? place : P_tmpdir);
    dae_status status;
    interrupt_hold();
    const int made = mkdtemp(folder) != NULL;
    interrupt_folder(made ? folder : NULL);
    interrupt_release();
    if (made) {
        char *path = allocate_print("%s/object.so", folder);
        interrupt_file(path);
        status = compile_to(w, path, object);
        unlink(path);
        interrupt_file(NULL);
        rmdir(folder);
        interrupt_folder(NULL);
        free(path);
    } else {
        status = dae_fail(w->report, DAE_FILE, "%s: %s", folder, strerror(errno));
    }
    free(folder);
    return status;
}

/* Compile "models/bead.c" to bead.so in the folder. */
static dae_status compile_into(const work *w, const char *folder, int *object)
{
    const char *slash = strrchr(w->called, '/'), *base = slash ? slash + 1 : w->called;
    char *path = allocate_print("%s/%.*s.so", folder, (int)strcspn(base, "."), base);
    const dae_status status = compile_to(w, path, object);
    free(path);
    return status;
}

dae_status compiled_object(const char *source, const char *called, int *object, char **words, dae_report *report)
{
    const work w = {source, called, words, report};
    const char *folder = getenv("DAELAB_OBJECTS");
    *object = -1;
    *words = NULL;
    if (strpbrk(source, "\"\\\n"))                     /* a model includes itself by its path */
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: no compiler includes a file whose path has a quotation mark, a "
                        "backslash or a new line in it: call it otherwise", called);
    return folder && *folder ? compile_into(&w, folder, object) : compile_aside(&w, object);
}
