/* test_auto_memory.c - auto takes memory for its second part when it first switches, never again,
 * and says so where there is none
 *
 * The program's own malloc stands in front of the C library's, counts, and refuses one request.
 */
#include "support.h"

static _Thread_local volatile int armed;
static _Thread_local volatile long requests, refuse;    /* while armed; which to refuse, or 0 */
static _Thread_local volatile long in_use;              /* blocks taken while armed and not freed */

#ifndef SANITIZED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void __libc_free(void *memory);

static void *counted(void *memory)
{
    in_use += armed && memory;
    return memory;
}

void *malloc(size_t size)
{
    return armed && ++requests == refuse ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return armed && ++requests == refuse ? NULL : counted(__libc_calloc(count, size));
}

void free(void *memory)
{
    in_use -= armed && memory;
    __libc_free(memory);
}
#endif

/* The stiff spring, k = 1e6 N/m: switches once. */
static dae_system *spring(dae_solver **solver, double *u, dae_report *why)
{
    const dae_options options = dae_default_options();
    dae_system *sys = system_at_start("spring_pendulum", "native", 1, u);
    requests = in_use = 0;
    armed = 1;
    dae_solver_create(solver, sys, dae_find_method("auto"), &options, why);
    return sys;
}

/* Refused at any place, also in the middle of a run, where the second part is created. */
TEST(test_no_memory)
{
    dae_status status = DAE_NO_MEMORY;
    int in_the_run = 0;
    for (refuse = 1; status == DAE_NO_MEMORY; refuse++) {
        double u[MOST_UNKNOWNS];
        dae_solver *solver;
        dae_report why = {0};
        dae_system *sys = spring(&solver, u, &why);
        status = !solver ? DAE_NO_MEMORY : dae_solver_start(solver, 0, u);
        if (!status && (status = dae_solver_advance(solver, 1, u)) != DAE_OK) {
            why = *dae_solver_report(solver);
            in_the_run += dae_solver_time(solver) > 0;
        }
        dae_solver_free(solver);
        armed = 0;
        dae_system_free(sys);
        if (requests == 0)
            skip();                                     /* another malloc stands in front */
        assert_true(!status || why.message[0]);
        assert_int_equal(0, in_use);
    }
    refuse = 0;
    assert_int_equal(DAE_OK, status);
    assert_true(in_the_run > 0);
}

/* The first run takes memory at its switch, the second none. */
TEST(test_no_allocation)
{
    double start[MOST_UNKNOWNS], u[MOST_UNKNOWNS];
    dae_solver *solver;
    dae_system *sys = spring(&solver, start, NULL);
    armed = 0;
    assert_non_null(solver);
    const long created = requests;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, start));
        requests = 0;
        armed = 1;
        const dae_status status = dae_solver_advance(solver, 2, u);
        armed = 0;
        assert_int_equal(DAE_OK, status);
        assert_int_equal(1, dae_solver_statistics(solver).switches);
        assert_true(created == 0 || round == 1 || requests > 0);
        assert_true(round == 0 || requests == 0);
    }
    dae_solver_free(solver);
    dae_system_free(sys);
}
