/* sundials_build.c - which SUNDIALS is in use, and was it compiled with optimisation?
 *
 *     z = a x + b y,   n = 512, in the first cache,
 *
 * by N_VLinearSum and by the same loop compiled here, each the fastest of many turns of many calls.
 * Compiled with optimisation, vectorised or not, SUNDIALS' loop takes 1 to 2 times as long as this
 * one; without, 4 to 8 times. In between, on a machine that is busy, nothing is said.
 */
#define _GNU_SOURCE             /* dladdr */
#include "sundials.h"

#include "base/no_fast_math.h"
#include "daelab/study.h"

#include <dlfcn.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* Is there an optimised loop of ours to compare with? */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define CHECKED 1
#endif
#endif
#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined CHECKED
enum { COMPARABLE = 1 };
#else
enum { COMPARABLE = 0 };
#endif

enum { N = 512, TURNS = 40, CALLS = 20 };

static const double FAST = 2.2, SLOW = 3;

/* [ns] */
static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void linear_sum(double a, const double *restrict x, double b, const double *restrict y,
                       double *restrict z)
{
    for (int i = 0; i < N; i++)
        z[i] = a * x[i] + b * y[i];
}

/* The fastest turn of each, in alternation, so that a disturbance meets both. */
static double ratio(N_Vector x, N_Vector y, N_Vector z)
{
    double theirs = HUGE_VAL, ours = HUGE_VAL;
    volatile double a = 0.25, b = 0.75;
    for (int turn = 0; turn < TURNS; turn++) {
        const int64_t begin = now();
        for (int k = 0; k < CALLS; k++)
            N_VLinearSum(a, x, b, y, z);
        const int64_t middle = now();
        for (int k = 0; k < CALLS; k++)
            linear_sum(a, N_VGetArrayPointer(x), b, N_VGetArrayPointer(y), N_VGetArrayPointer(z));
        const int64_t end = now();
        if (middle > begin)
            theirs = fmin(theirs, (double)(middle - begin));
        if (end > middle)
            ours = fmin(ours, (double)(end - middle));
    }
    return theirs / ours;
}

/* How many times as long as ours; NaN where that cannot be said. */
static double slowness(void)
{
    SUNContext context;
    dae_words words;
    double times = NAN;
    const int code = dae_sundials_context(&context, &words);
    N_Vector x = code ? NULL : N_VNew_Serial(N, context);
    N_Vector y = code ? NULL : N_VNew_Serial(N, context);
    N_Vector z = code ? NULL : N_VNew_Serial(N, context);
    if (x && y && z) {
        N_VConst(1, x);
        N_VConst(2, y);
        N_VConst(0, z);
        times = ratio(x, y, z);
    }
    N_Vector vectors[] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (context)
        SUNContext_Free(&context);
    return times;
}

/* Does IDA come from the system's folders? */
static int from_distribution(void)
{
    Dl_info where;
    if (!dladdr((const void *)(uintptr_t)&IDASolve, &where) || !where.dli_fname)
        return 0;
    const char *path = where.dli_fname;
    return strstr(path, "libsundials")
           && (strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "/lib", 4) == 0);
}

dae_sundials_build dae_sundials_describe(void)
{
    dae_sundials_build build = {.distribution = from_distribution(), .slowness = NAN};
    dae_sundials_version(build.version, (int)sizeof build.version);
    if (COMPARABLE)
        build.slowness = slowness();
    if (isfinite(build.slowness))
        build.optimised = build.slowness < FAST ? 1 : build.slowness > SLOW ? -1 : 0;
    return build;
}
