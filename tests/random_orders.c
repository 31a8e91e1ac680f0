/* random_orders.c - daelab-orders [SETS [SEED [PROBLEM...]]]: verdicts with other parameters
 *
 * Every problem without events that is smooth at the scale of fixed steps, or those named, with
 * SETS (20) sets of parameters and intervals drawn from half to twice the record's, goes through
 * daelab converge, all formulations by all methods. Printed are the verdicts that slopes taken
 * elsewhere contradict (own_slopes.h) and those that are "below"; the exit status says whether
 * there are any.
 */
#include "own_slopes.h"

#include "base/numbers.h"

#include <stdio.h>
#include <stdlib.h>

static run_setting draw(const dae_problem *problem, uint64_t *seed, double *p)
{
    run_setting o = run_default_setting(problem);
    o.parameters = p;
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_default(problem, i)
               * (dae_parameter_at(problem, i)->range != DAE_COUNT ? exp2(dae_random(seed)) : 1);
    o.t_end = problem->t0 + (problem->t_end - problem->t0) * exp2(dae_random(seed));
    return o;
}

static void say(const run_setting *o, const tally *sum)
{
    printf("%s", o->problem->name);
    for (int i = 0; i < dae_parameter_count(o->problem); i++)
        printf(" %s=%.6g", dae_parameter_at(o->problem, i)->name, o->parameters[i]);
    printf(" t_end=%.6g: %d orders, %d determined, %d agree, %d below, %d compared, "
           "%d contradicted\n",
           o->t_end, sum->declared, sum->determined, sum->agree, sum->below, sum->compared,
           sum->contradicted);
    fflush(stdout);
}

static void add(tally *all, const tally *one)
{
    all->declared += one->declared;
    all->determined += one->determined;
    all->agree += one->agree;
    all->below += one->below;
    all->compared += one->compared;
    all->contradicted += one->contradicted;
}

/* One set; 0 where it has no consistent start, no reference, or is not smooth. */
static int try(const dae_problem *problem, uint64_t *seed, tally *all)
{
    double p[MOST_PARAMETERS];
    run_setting o = draw(problem, seed, p);
    tally sum = {0};
    study s;
    if (study_begin(&s, &o, REFERENCE_NONE, 0, NULL))
        return 0;
    const double pace = study_pace(&s);
    study_end(&s);
    if (pace >= OWN_MANY || study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL))
        return 0;
    if (s.sampled)
        check_study(&s, 0, &sum);
    study_end(&s);
    if (!s.sampled)
        return 0;
    say(&o, &sum);
    add(all, &sum);
    return 1;
}

static int is_wanted(const dae_problem *problem, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], problem->name) == 0)
            return 1;
    return argc <= 3 && !problem->events && !problem->modes;
}

int main(int argc, char **argv)
{
    const int sets = argc > 1 ? atoi(argv[1]) : 20;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tally all = {0};
    int tried = 0;
    for (int p = 0; dae_problems[p]; p++)
        for (int k = 0; k < sets && is_wanted(dae_problems[p], argc, argv); k++)
            tried += try(dae_problems[p], &seed, &all);
    printf("%d sets: %d orders, %d determined, %d agree, %d below, %d compared, "
           "%d contradicted\n", tried,
           all.declared, all.determined, all.agree, all.below, all.compared, all.contradicted);
    return all.below > 0 || all.contradicted > 0;
}
