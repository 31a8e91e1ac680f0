/* test_no_memory.c - every allocation of a run fails once: the library answers DAE_NO_MEMORY with a
 * sentence, loses nothing and frees what it had
 *
 * The program's own malloc stands in front of the C library's and refuses the k-th request, for
 * k = 1, 2, ... until a run needs fewer. SUNDIALS is left out: its failures are its own.
 * AddressSanitizer has a malloc that cannot be refused; there the test is skipped.
 */
#include <daelab/reference.h>

#include "support.h"

#include "small_models.h"

#ifdef SANITIZED
TEST(no_memory_is_told)
{
    skip();
}
#else
static _Thread_local volatile long countdown;           /* > 0: requests until one is refused */
static _Thread_local volatile long in_use;              /* blocks taken and not freed, while
                                                           armed */
static _Thread_local volatile int armed;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static int refused(void)
{
    return armed && countdown > 0 && --countdown == 0;
}

static void *counted(void *memory)
{
    in_use += armed && memory;
    return memory;
}

void *malloc(size_t size)
{
    return refused() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (refused())
        return NULL;
    if (!memory)
        return counted(__libc_malloc(size));
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    in_use -= armed && memory;
    __libc_free(memory);
}

typedef struct {
    const char *problem, *form, *method;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    unsigned project;
} setting;

static const setting settings[] = {
    {"pendulum", "index3", "cros", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"pendulum", "ggl", "cros", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_KLU, 0},
    {"pendulum", "index2", "radau5", DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU, 0},
    {"pendulum", "index1", "rk4", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, DAE_PROJECT_POSITION},
    {"linear_dae", "native", "cros", DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU, 0},
    {NULL, "native", "cros", DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU, 0},         /* late */
    {NULL, "native", "excros", DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU, 0},
    {"kepler", "native", "radau5", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, DAE_PROJECT_INVARIANT},
};

/* A whole run: system, start, solver, steps, reference. */
static dae_status run(const setting *s, dae_report *why)
{
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_plain_reference reference;
    dae_problem late = dae_late;                        /* the pattern is found again on the way */
    dae_options options = dae_default_options();
    double u[MOST_UNKNOWNS], end = 0.01;
    late.parameters[0].value = 0.0052;
    options.step = 1e-3;
    options.jacobian = s->jacobian;
    options.linear = s->linear;
    options.project = s->project;
    dae_status status = dae_system_create(&sys, s->problem ? problem_named(s->problem) : &late,
                                          dae_find_formulation(s->form), NULL, NULL, why);
    if (!status)
        status = dae_system_start(sys, u, why);
    if (!status && s->problem)
        status = dae_plain_reference_solve(&reference, sys, 0, u, &end, 1, NULL, why);
    if (!status && s->problem)
        dae_plain_reference_free(&reference);
    if (!status)
        status = dae_solver_create(&solver, sys, dae_find_method(s->method), &options, why);
    if (!status)
        status = dae_solver_start(solver, 0, u);
    if (!status) {
        status = dae_solver_advance(solver, end, u);
        *why = *dae_solver_report(solver);
    }
    dae_solver_free(solver);
    dae_system_free(sys);
    return status;
}

TEST(no_memory_is_told)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        dae_status status = DAE_NO_MEMORY;
        long k = 0;
        while (status) {
            dae_report why = {0};
            countdown = ++k;
            in_use = 0;
            armed = 1;
            status = run(&settings[i], &why);
            armed = 0;
            if (in_use != 0)
                fail_msg("%s %s: request %ld refused, %ld blocks lost", settings[i].form,
                         settings[i].method, k, (long)in_use);
            if (status && (status != DAE_NO_MEMORY || !strstr(why.message, "memory")))
                fail_msg("%s %s: request %ld refused, but it says %s: '%s'", settings[i].form,
                         settings[i].method, k, dae_status_name(status), why.message);
            assert_true(k < 10000);
        }
        assert_true(k > 5);                             /* some requests were refused */
    }
}
#endif
