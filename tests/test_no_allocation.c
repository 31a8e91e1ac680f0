/* test_no_allocation.c - a step takes no memory: every allocation is counted while a solver
 * advances
 *
 * The program puts its own malloc in front of the C library's, for all libraries it is linked with;
 * AddressSanitizer has a malloc of its own and reports through a hook.
 */
#include "support.h"

/* ---- counting ------------------------------------------------------------------------------ */

/* Of the thread that steps; an idle thread of a BLAS library may do as it likes. */
static _Thread_local volatile int counting;
static _Thread_local volatile long allocations;

#ifdef SANITIZED
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void note_malloc(const volatile void *memory, size_t size)
{
    allocations += counting;
}

static void note_free(const volatile void *memory) { }

static int install(void **state)
{
    return __sanitizer_install_malloc_and_free_hooks(note_malloc, note_free) > 0 ? 0 : -1;
}
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    allocations += counting;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations += counting;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations += counting;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    allocations += counting;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    allocations += counting;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;                            /* ENOMEM */
}

static int install(void **state) { return 0; }
#endif

/* ---- runs ---------------------------------------------------------------------------------- */

typedef struct {
    const char *method, *formulation;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    int first_steps;            /* 1: the first steps may allocate; a sparse LU learns its fill */
} run;

static const run runs[] = {
    {"cros", "index3", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"cros", "index3", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"cros", "index3", DAE_JACOBIAN_FD, DAE_LINEAR_DENSE, 0},
    {"cros", "index2", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"cros", "index1", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"cros", "baumgarte", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"cros", "ggl", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"cros", "ode", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"cros", "index2", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_KLU, 1},
    {"cros", "index3", DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU, 1},
    {"euler", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0},
    {"heun", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0},
    {"rk4", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0},
    {"dopri5", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0},
    {"dop853", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0},
    {"rodas4", "index1", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"rodas5p", "baumgarte", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"radau5", "index2", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"radau", "index1", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 0},
    {"radau", "ggl", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_KLU, 1},
    {"cros4", "index1", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"excros", "index2", DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE, 0},
    {"erk", "ode", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 1},
    {"dirk", "ode", DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE, 1},
};
enum { RUNS = sizeof runs / sizeof *runs, UNKNOWNS = 24 };

/* DAE_PROJECT_*: positions, velocities and invariants; a full M(q) */
static const struct { const char *problem; unsigned project; run run; } projections[] = {
    {"pendulum", 3, {"rk4", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0}},
    {"spherical_pendulum", 7, {"cros", "index2", DAE_JACOBIAN_BEST, DAE_LINEAR_DENSE, 0}},
    {"slider_crank", 3, {"radau5", "index1", DAE_JACOBIAN_BEST, DAE_LINEAR_DENSE, 0}},
    {"kepler", 4, {"dopri5", "native", DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, 0}},
    {"predator_prey", 4, {"radau5", "native", DAE_JACOBIAN_BEST, DAE_LINEAR_DENSE, 0}},
};
enum { PROJECTIONS = sizeof projections / sizeof *projections };

/* How often memory was taken in 500 steps. */
static long allocations_of(const char *problem, unsigned project, const run *r,
                           dae_observer *observer)
{
    dae_report why;
    double u[UNKNOWNS];
    dae_options options = dae_default_options();
    options.step = 1e-3;
    options.jacobian = r->jacobian;
    options.linear = r->linear;
    options.project = project;
    dae_system *sys = system_of(problem_named(problem), r->formulation, NULL, NULL);
    assert_true(dae_system_size(sys) <= UNKNOWNS);
    assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
    dae_solver *solver = solver_of(sys, dae_find_method(r->method), &options, 0, u);
    dae_solver_observe(solver, observer, NULL);
    if (r->first_steps)
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.1, u));
    allocations = 0;
    counting = 1;
    const dae_status status = dae_solver_advance(solver, r->first_steps ? 0.6 : 0.5, u);
    counting = 0;
    assert_int_equal(DAE_OK, status);
    assert_true(dae_solver_statistics(solver).steps >= 500);
    dae_solver_free(solver);
    dae_system_free(sys);
    return allocations;
}

TEST(steps_take_no_memory)
{
    for (int i = 0; i < RUNS; i++) {
        const long taken = allocations_of("pendulum", 0, &runs[i], NULL);
        if (taken)
            fail_msg("%s, %s, run %d: %ld allocations", runs[i].method, runs[i].formulation, i,
                     taken);
    }
}

TEST(projections_take_no_memory)
{
    for (int i = 0; i < PROJECTIONS; i++)
        assert_int_equal(0, allocations_of(projections[i].problem, projections[i].project,
                                           &projections[i].run, NULL));
}

static int greedy(void *context, double t, const double *u)
{
    void *volatile memory = malloc(16);
    free(memory);
    return 0;
}

/* The count does see memory that is taken in a step, and gives it for each. */
TEST(taking_memory_is_seen)
{
    assert_int_equal(500, allocations_of("pendulum", 0, &runs[0], greedy));
}

int main(void) { return run_all(install, NULL); }
