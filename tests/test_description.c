/* test_description.c - description.h says what the records of the problems say */
#include <daelab/problem.h>

#include "support.h"

TEST(test_records)
{
    for (int k = 0; dae_problems[k]; k++) {
        const dae_problem *problem = dae_problems[k];
        const dae_problem_info info = dae_problem_describe(problem);
        assert_ptr_equal(problem->name, info.name);
        assert_ptr_equal(problem->title, info.title);
        assert_ptr_equal(problem->citation, info.citation);
        assert_ptr_equal(problem->equations, info.equations);
        assert_ptr_equal(problem->variables, info.variables);
        assert_ptr_equal(problem->units, info.units);
        assert_true(problem->t0 == info.t0 && problem->t_end == info.t_end);
        assert_int_equal(problem->mechanical.nq, info.positions);
        assert_int_equal(problem->mechanical.nl, info.multipliers);
        assert_int_equal(problem->first_order.n, info.unknowns);
        assert_int_equal(problem->first_order.index, info.index);
        assert_int_equal(problem->mechanical.minimal.n, info.coordinates);
        assert_int_equal(problem->invariants.n, info.invariants);
        for (int i = 0; i < info.parameters; i++) {
            char name[64];
            dae_parameter_name(problem, i, name, (int)sizeof name);
            assert_int_equal(i, dae_parameter_index(problem, name));
        }
        assert_int_equal(info.parameters, dae_parameter_count(problem));
        assert_null(dae_parameter_at(problem, info.parameters));
        assert_null(dae_parameter_at(problem, -1));
    }
}

TEST(test_events_and_modes)
{
    static const struct { const char *name; int events, modes; } known[] = {
        {"pendulum", 0, 1}, {"bouncing_ball", 1, 1}, {"string_pendulum", 1, 2}, {"box", 5, 2}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const dae_problem_info info = dae_problem_describe(problem_named(known[k].name));
        assert_int_equal(known[k].events, info.events);
        assert_int_equal(known[k].modes, info.modes);
    }
}

TEST(test_nothing)
{
    const dae_problem_info info = dae_problem_describe(NULL);
    assert_null(info.name);
    assert_int_equal(0, info.modes);
    assert_null(dae_parameter_at(NULL, 0));
}
