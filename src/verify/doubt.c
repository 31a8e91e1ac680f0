/* doubt.c - what speaks against the numbers of a run, as numbers and as sentences */
#include "daelab/doubt.h"

#include "system/system.h"

#include <math.h>
#include <stdio.h>

/* Has some mode constraints? */
static int constrained(const dae_problem *problem)
{
    int nl = problem->mechanical.nl;
    for (int i = 0; problem->modes && problem->modes[i]; i++)
        nl += problem->modes[i]->mechanical.nl;
    return nl > 0;
}

int dae_index_as_written(const dae_problem *problem)
{
    const dae_first_order *f = &problem->first_order;
    return f->mass_kind == DAE_MASS_VARIES && f->index < 1 ? 1 : f->index;
}

/* What has no constraint is of index 1 at most, whatever the formulation. */
static int index_of(const dae_problem *problem, const dae_formulation *form)
{
    const int index = dae_formulation_describe(form).index;
    return index < 0 ? dae_index_as_written(problem)
           : index > 1 && problem->mechanical.nq > 0 && !constrained(problem) ? 1 : index;
}

double dae_doubt_order(const dae_doubt *run, dae_class c)
{
    return dae_method_order(run->method, run->form, index_of(run->problem, run->form), c);
}

int dae_doubt_wrong(const dae_doubt *run, dae_class c)
{
    return !run->chosen && dae_doubt_order(run, c) == 0;
}

static dae_class main_class(const dae_problem *problem)
{
    return problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
}

double dae_doubt_slow(const dae_doubt *run)
{
    const double order = dae_doubt_order(run, main_class(run->problem));
    return run->chosen && index_of(run->problem, run->form) == 3 && order <= 2 ? order : 0;
}

dae_status dae_doubt_refuse(const dae_doubt *run, const char *choose, const char *force, dae_report *report)
{
    const dae_method_info info = dae_method_describe(run->method);
    int declares = 0;
    for (int index = 0; index <= DAE_MAX_INDEX; index++)
        for (dae_class c = 0; c < DAE_CLASSES; c++)
            declares |= info.order[index][c] != DAE_UNDECLARED;
    if (!declares || !isnan(dae_doubt_order(run, main_class(run->problem))))
        return DAE_OK;
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no order in %s of %s: its result may be anything; choose another "
                    "%s, or %s it", info.name, dae_formulation_describe(run->form).name, run->problem->name, choose,
                    force);
}

/* ---- sentences ---- */

/* Of a mechanical problem those up to recovered multipliers, of another one those behind. */
static int has_class(const dae_problem *problem, dae_class c)
{
    return c < DAE_AUXILIARY && (c <= DAE_RECOVERED) == (problem->mechanical.nq > 0);
}

/* "index1 radau", in name[length] where the caller has no other */
static const char *name_run(const dae_doubt *run, char *name, size_t length)
{
    snprintf(name, length, "%s %s", dae_formulation_describe(run->form).name, dae_method_describe(run->method).name);
    return run->run ? run->run : name;
}

static int say_rank(const dae_rank_loss *lost, const char *run, char *text, size_t length)
{
    const int some = lost && lost->rows > 1;
    if (!lost || !lost->found)
        return 0;
    snprintf(text, length, "%s: at t = %.9g %s %s %s within the error of the run: multipliers need not exist there, the "
             "solution need not be unique, and what follows may be another branch of it", run, lost->t,
             some ? "the gradients of constraints" : "the gradient of constraint", lost->which,
             some ? "become dependent" : "vanishes");
    return 1;
}

int dae_doubt_says(const dae_doubt *d, dae_saying what, dae_class c, char *text, size_t length)
{
    static const double digit = 0.1;
    char name[128];
    const char *run = name_run(d, name, sizeof name);
    if (what == DAE_SAYS_LOOSE && d->rtol > digit) {
        snprintf(text, length, "%s asks for no digit: what is neglected in an estimate of the error need not be small "
                 "beside it, and the result may be anything", d->rtol_is);
        return 1;
    }
    if (what == DAE_SAYS_WRONG && has_class(d->problem, c) && dae_doubt_wrong(d, c)) {
        snprintf(text, length, "%s: %s has order 0, and converges to something else than the solution%s", run,
                 dae_class_name(c), c == DAE_MULTIPLIER ? "; recovered holds that" : "");
        return 1;
    }
    if (what == DAE_SAYS_SLOW && dae_doubt_slow(d) > 0) {
        snprintf(text, length, "%s: order %g in index 3, where errors may be far above the tolerance; daelab solve "
                 "estimates them", run, dae_doubt_slow(d));
        return 1;
    }
    return what == DAE_SAYS_RANK ? say_rank(d->lost, run, text, length) : 0;
}
