#include "output/provenance.h"

#include "host/platform.h"

#include <daelab/daelab.h>
#include <daelab/study.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Of this process, set once. */
static struct { int count; char **argument; const char *commit; time_t begin; } made_by = {.commit = ""};

void provenance_begin(int argc, char **argv, const char *commit)
{
    made_by.count = argc;
    made_by.argument = argv;
    made_by.commit = commit;
    made_by.begin = time(NULL);
}

const char *provenance_commit(void) { return made_by.commit; }

/* "2026-01-31T12:00:00Z" */
static json_t *date_json(time_t when)
{
    struct tm utc;
    char text[40];
    if (!gmtime_r(&when, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return json_null();
    return json_string(text);
}

/* By its name alone, wherever it lies; a word that is no UTF-8 is missing. */
static json_t *command_json(void)
{
    json_t *words = json_array();
    for (int i = 0; words && i < made_by.count; i++) {
        json_t *word = json_string(i ? made_by.argument[i] : "daelab");
        json_array_append_new(words, word ? word : json_null());
    }
    return words;
}

/* ---- the machine ---- */

/* {"version": "6.4.1", "kind": ..., "optimised": true, false or null, "how": ...} */
static json_t *sundials_json(void)
{
    const dae_sundials_build build = dae_sundials_describe();
    char how[160];
    snprintf(how, sizeof how, "not known: daelab itself is not optimised, or the machine too busy");
    if (build.optimised)
        snprintf(how, sizeof how, "measured: N_VLinearSum takes %.1f times as long as the same "
                 "loop compiled with optimisation", build.slowness);
    return json_pack("{s:s, s:s, s:o, s:s}", "version", build.version, "kind",
                     build.distribution ? "distribution" : "own build", "optimised",
                     build.optimised ? json_boolean(build.optimised > 0) : json_null(), "how", how);
}

json_t *machine_json(void)
{
    char cpu[128], os[256];
    struct utsname system;
    platform_processor(cpu, sizeof cpu);
    if (uname(&system) == 0)
        snprintf(os, sizeof os, "%s %s %s", system.sysname, system.release, system.machine);
    else
        snprintf(os, sizeof os, "unknown");
    return json_pack("{s:s, s:I, s:s, s:o, s:s}", "cpu", cpu, "cores",
                     (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "system", os, "sundials",
                     sundials_json(), "compiler",
#ifdef __clang__
                     "clang " __clang_version__
#else
                     "gcc " __VERSION__
#endif
    );
}

/* ---- libraries that are loaded ---- */

typedef struct { const char *begins; char path[PATH_MAX]; } wanted_library;

static int look_at(const platform_object *object, void *context)
{
    wanted_library *wanted = context;
    const char *slash = strrchr(object->name, '/');
    if (!slash || strncmp(slash + 1, wanted->begins, strlen(wanted->begins)) != 0)
        return 0;
    if (!realpath(object->name, wanted->path))
        snprintf(wanted->path, sizeof wanted->path, "%s", object->name);
    return 1;
}

/* The file of the first of these that is loaded; null where there is none, as in a static program. */
static json_t *library_json(const char *const *begins)
{
    for (; *begins; begins++) {
        wanted_library wanted = {.begins = *begins};
        if (platform_objects(look_at, &wanted))
            return json_string(wanted.path);
    }
    return json_null();
}

/* ---- all of it ---- */

#ifdef __OPTIMIZE__
enum { OPTIMISED = 1 };
#else
enum { OPTIMISED = 0 };
#endif

json_t *provenance_json(void)
{
    static const char *const klu[] = {"libklu.so", NULL};
    static const char *const blas[] = {"libmkl_rt", "libopenblas", "libblis", "libsatlas", "libtatlas", "libblas.so",
                                       "libcblas", NULL};
    json_t *all = machine_json();
    json_t *more = json_pack("{s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "date", date_json(made_by.begin),
                             "end", date_json(time(NULL)), "command", command_json(), "version", DAELAB_VERSION,
                             "commit", made_by.commit, "flags", DAELAB_BUILD_FLAGS, "build", DAELAB_BUILD_TYPE,
                             "optimised", OPTIMISED, "klu", library_json(klu), "blas", library_json(blas));
    if (all && more && !json_object_update(more, all)) {
        json_decref(all);
        return more;
    }
    json_decref(all);
    json_decref(more);
    return NULL;
}
