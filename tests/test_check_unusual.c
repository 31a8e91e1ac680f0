/* test_check_unusual.c - a check finds nothing wrong with unusual problems that are right, and the slip of others
 *
 * The problems of tests/unusual are right: constraints that move, M(q), units of 1e-21 and 1e33, t0 = 1e6,
 * kinks, jumps, the edge of a domain, nothing that moves. Those of tests/wrong have one slip each, of kinds
 * that a changed row of a function (test_planted_changes.c) is not.
 */
#include "support.h"

#include <daelab/check.h>


enum { MOST_FINDINGS = 64 };

/* ---- right -------------------------------------------------------------------------------- */

#define RIGHT(PROBLEM)                                                                            \
    PROBLEM(dae_moving_pivot) PROBLEM(dae_two_rods) PROBLEM(dae_kinks) PROBLEM(dae_draining_tank) \
    PROBLEM(dae_very_stiff) PROBLEM(dae_nanometres) PROBLEM(dae_astronomical)                     \
    PROBLEM(dae_late_start) PROBLEM(dae_index2_scales) PROBLEM(dae_index3_micrometres)            \
    PROBLEM(dae_carousel) PROBLEM(dae_switched_heater) PROBLEM(dae_at_rest) PROBLEM(dae_lorenz)   \
    PROBLEM(dae_four_bar) PROBLEM(dae_wearing_ball) PROBLEM(dae_traces) PROBLEM(dae_coin)         \
    PROBLEM(dae_skaters) PROBLEM(dae_near_the_pole) PROBLEM(dae_driven_bead)                      \
    PROBLEM(dae_two_strings) PROBLEM(dae_heard_falling) PROBLEM(dae_uncharged)                     \
    PROBLEM(dae_square_wave) PROBLEM(dae_parallelogram)
#define DECLARE(record) extern const dae_problem record;
#define NAME(record) &record,
RIGHT(DECLARE)
static const dae_problem *const right[] = {RIGHT(NAME) NULL};

static int check(const dae_problem *problem, int quick, dae_finding *findings)
{
    int count = 0;
    dae_report why = {0};
    const dae_check_options how = {.quick = quick};
    if (dae_check_model(problem, NULL, NULL, &how, findings, MOST_FINDINGS, &count, &why))
        fail_msg("%s: %s", problem->name, why.message);
    return count < MOST_FINDINGS ? count : MOST_FINDINGS;
}

TEST(test_right_problems)
{
    dae_finding findings[MOST_FINDINGS];
    int wrong = 0;
    for (int k = 0; right[k]; k++)
        for (int quick = 0; quick <= 1; quick++) {
            const int count = check(right[k], quick, findings);
            for (int i = 0; i < count; i++)
                if (findings[i].failed) {
                    print_error("%s%s: %s, row %d: %s\n", right[k]->name, quick ? ", quick" : "",
                                findings[i].function, findings[i].row, findings[i].sentence);
                    wrong++;
                }
        }
    assert_int_equal(wrong, 0);
}

/* ---- wrong -------------------------------------------------------------------------------- */

/* What is said of it: failed, or worth knowing only; function; row, 0: any. */
#define WRONG(SLIP)                                                                               \
    SLIP(wrong_pi, 1, "rate", 1)                                                                  \
    SLIP(wrong_centrifugal, 1, "acceleration", 1)                                                 \
    SLIP(wrong_pivot, 1, "acceleration", 1)                                                       \
    SLIP(wrong_lever, 1, "reaction", 0)                                                           \
    SLIP(wrong_late, 1, "reaction", 1)                                                            \
    SLIP(wrong_spell, 1, "rhs", 2)                                                                \
    SLIP(wrong_branch, 1, "exact", 2)                                                             \
    SLIP(wrong_indefinite, 1, "inertia", 0)                                                       \
    SLIP(wrong_massless, 1, "inertia", 0)                                                         \
    SLIP(wrong_unsymmetric, 1, "inertia", 0)                                                      \
    SLIP(wrong_weight, 1, "inertia", 2)                                                           \
    SLIP(wrong_drag, 1, "force", 1)                                                               \
    SLIP(wrong_table, 1, "force", 1)                                                              \
    SLIP(wrong_friction, 1, "force", 0)                                                           \
    SLIP(wrong_height, 1, "force", 2)                                                             \
    SLIP(wrong_degrees, 1, "minimal.chart", 1)                                                    \
    SLIP(wrong_swing, 1, "minimal.acceleration", 1)                                               \
    SLIP(wrong_twice, 1, "constraint", 0)                                                         \
    SLIP(wrong_words, 1, "variables", 0)                                                          \
    SLIP(wrong_names, 1, "variables", 0)                                                          \
    SLIP(wrong_place, 1, "start", 0)                                                              \
    SLIP(wrong_range, 1, "parameters", 0)                                                         \
    SLIP(wrong_index, 1, "index", 0)                                                              \
    SLIP(wrong_index_of_ode, 1, "index", 0)                                                       \
    SLIP(wrong_layout, 1, "jacobian", 0)                                                          \
    SLIP(wrong_clock, 1, "jacobian", 2)                                                           \
    SLIP(wrong_drive, 1, "rhs", 2)                                                                \
    SLIP(wrong_log, 1, "rhs", 2)                                                                  \
    SLIP(wrong_phase, 1, "exact", 0)                                                              \
    SLIP(wrong_memory, 1, "rhs", 2)                                                               \
    SLIP(wrong_three, 1, "start", 0)                                                              \
    SLIP(wrong_reduced, 1, "reduced", 3)                                                          \
    SLIP(wrong_pull, 1, "reaction", 1)                                                            \
    SLIP(wrong_action, 1, "events.low", 3)                                                        \
    SLIP(wrong_mode, 1, "events.low", 0)                                                          \
    SLIP(wrong_rank, 1, "index", 0)                                                               \
    SLIP(wrong_mass, 1, "mass", 2)                                                                \
    SLIP(wrong_constant, 1, "invariants", 1)
#define DECLARE_WRONG(record, failed, function, row) extern const dae_problem record;
#define ENTRY(record, failed, function, row) {&record, failed, function, row},
WRONG(DECLARE_WRONG)
static const struct {
    const dae_problem *problem;
    int failed;
    const char *function;
    int row;
} wrong[] = {WRONG(ENTRY)};

static int speaks_of(const dae_finding *f, const char *function)
{
    const size_t length = strlen(function);
    return strncmp(f->function, function, length) == 0
           && (f->function[length] == 0 || strchr(" .", f->function[length]));
}

TEST(test_wrong_problems)
{
    dae_finding findings[MOST_FINDINGS];
    int missed = 0;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const int count = check(wrong[k].problem, 0, findings);
        int found = 0;
        for (int i = 0; i < count; i++)
            found |= (findings[i].failed || !wrong[k].failed) && speaks_of(&findings[i], wrong[k].function)
                     && (!wrong[k].row || findings[i].row == wrong[k].row);
        if (found)
            continue;
        missed++;
        print_error("%s: nothing of %s, row %d\n", wrong[k].problem->name, wrong[k].function, wrong[k].row);
        for (int i = 0; i < count; i++)
            print_error("    %s, row %d%s: %s\n", findings[i].function, findings[i].row,
                        findings[i].failed ? ", failed" : "", findings[i].sentence);
    }
    assert_int_equal(missed, 0);
}

/* What is wrong for a part of the interval only, and what no derivative shows, is found by the quick check of commands,
 * too. */
TEST(test_quick)
{
    const dae_problem *const late[] = {&wrong_late, &wrong_spell, &wrong_mass, &wrong_phase, &wrong_constant};
    dae_finding findings[MOST_FINDINGS];
    for (int k = 0; k < 5; k++)
        assert_true(check(late[k], 1, findings) > 0 && findings[0].failed);
}
