/* machine.c - what ran: processor, system, compiler */
#include "output/machine.h"

#include "host/platform.h"

#include <daelab/daelab.h>
#include <daelab/study.h>

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

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
