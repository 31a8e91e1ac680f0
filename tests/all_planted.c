/* all_planted.c - daelab-planted [--all] [PROBLEM...]: every planted change of all problems, or of those named
 *
 * Says each change that is not found with its function and row; with --all, that of changes which contradict
 * nothing, too, where a check complains. The exit status says whether any was missed.
 */
#include "planted_verdicts.h"

static int wanted(const dae_problem *problem, int argc, char **argv)
{
    int named = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], problem->name) == 0)
            return 1;
        named += strcmp(argv[i], "--all") != 0;
    }
    return !named;
}

int main(int argc, char **argv)
{
    int missed = 0, loud = 1;
    for (int i = 1; i < argc; i++)
        loud += strcmp(argv[i], "--all") == 0;
    for (int i = 0; dae_problems[i]; i++) {
        if (!wanted(dae_problems[i], argc, argv))
            continue;
        tally = (planted_tally){.loud = loud};
        try_problem(dae_problems[i], 1);
        say_tally(dae_problems[i]->name);
        fflush(stdout);
        missed += tally.missed;
    }
    return missed > 0;
}
