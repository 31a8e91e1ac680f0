/* test_planted_changes.c - one slip in one row of one function of each problem, and what a check says of it
 *
 * A factor of 1.001, another sign, exchanged rows or arguments in all passes, as an author makes them; and in
 * one pass alone a factor, a lost derivative, lost digits. Each must be found with its function and its row,
 * unless planted_rules.h says why it contradicts nothing. This test takes a part of them, other ones of each
 * problem; the target daelab-planted takes all.
 */
#include "planted_verdicts.h"

#ifdef SANITIZED
enum { STRIDE = 97 };
#else
enum { STRIDE = 11 };
#endif

TEST(test_planted_changes)
{
    tally = (planted_tally){.loud = 1};
    for (int i = 0; dae_problems[i]; i++)
        try_problem(dae_problems[i], STRIDE);
    say_tally("all problems");
    if (tally.missed)
        fail_msg("%d missed, the first: %s", tally.missed, tally.first);
    assert_true(tally.planted > 0 && tally.found > tally.planted / 4);
}
