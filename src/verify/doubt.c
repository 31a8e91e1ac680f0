/* doubt.c - what speaks against the numbers of a run, as numbers and as sentences */
#include "daelab/doubt.h"

#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    snprintf(text, length, "%s: at t = %.9g %s %s %s within the error of the run: multipliers need not exist there, "
             "the solution need not be unique, and what follows may be another branch of it", run, lost->t,
             some ? "the gradients of constraints" : "the gradient of constraint", lost->which,
             some ? "become dependent" : "vanishes");
    return 1;
}

/* By how many tolerances an unknown is off. */
static double tolerances(const dae_doubt *d, const dae_estimate *e) { return e->error / (d->rtol * e->size + e->atol); }

/* The estimate of the unknown that is off by most tolerances; NULL: none is known to be. */
static const dae_estimate *worst_of(const dae_doubt *d)
{
    const dae_estimate *worst = NULL;
    for (const dae_estimate *e = d->estimate; e && e < d->estimate + d->estimates; e++)
        if (tolerances(d, e) > (worst ? tolerances(d, worst) : 0))
            worst = e;
    return worst;
}

/* Of a method of low order in index 3. */
static int say_slow(const dae_doubt *d, const char *run, char *text, size_t length)
{
    const double order = dae_doubt_slow(d);
    const dae_estimate *e = worst_of(d);
    const int pure = !e || strcmp(e->unit, "-") == 0;
    if (!(order > 0) || (d->estimates && !e))
        return 0;
    if (e)
        snprintf(text, length, "order %g in index 3: the error of %s is estimated at %.2g%s%s, %.2g times the "
                 "tolerance", order, e->name, e->error, pure ? "" : " ", pure ? "" : e->unit, tolerances(d, e));
    else
        snprintf(text, length, "%s: order %g in index 3, where errors may be far above the tolerance; daelab solve "
                 "estimates them", run, order);
    return 1;
}

static int say_far(const dae_doubt *d, char *text, size_t length)
{
    static const double FAR = 100;      /* tolerances: worth a sentence */
    const dae_estimate *e = worst_of(d);
    if (!d->chosen || !e || !(tolerances(d, e) > FAR))
        return 0;
    snprintf(text, length, "the error is far above the tolerance: that of %s is estimated at %.0f times atol + rtol of "
             "its size", e->name, tolerances(d, e));
    return 1;
}

/* A multiplier that is far from the one that the acceleration level asks for, and does not come nearer to it. */
static int say_apart(const dae_doubt *d, int i, char *text, size_t length)
{
    static const double ALIKE = 10;     /* differences: more than both runs tell */
    const dae_estimate *e = i < d->estimates ? d->estimate + i : NULL;
    if (!e || !e->recovered || !(e->apart > ALIKE * fmax(e->error, e->recovered_error)))
        return 0;
    snprintf(text, length, "%s is wrong by about %.2g %s: it converges to something else than the constraints ask for; "
             "%s holds that", e->name, e->apart, e->unit, e->recovered);
    return 1;
}

int dae_doubt_says(const dae_doubt *d, dae_saying what, int i, char *text, size_t length)
{
    static const double digit = 0.1;
    char name[128];
    const char *run = name_run(d, name, sizeof name);
    if (what == DAE_SAYS_LOOSE && d->rtol > digit) {
        snprintf(text, length, "%s asks for no digit: what is neglected in an estimate of the error need not be small "
                 "beside it, and the result may be anything", d->rtol_is);
        return 1;
    }
    const dae_class c = (dae_class)i;
    if (what == DAE_SAYS_WRONG && has_class(d->problem, c) && dae_doubt_wrong(d, c)) {
        snprintf(text, length, "%s: %s has order 0, and converges to something else than the solution%s", run,
                 dae_class_name(c), c == DAE_MULTIPLIER ? "; recovered holds that" : "");
        return 1;
    }
    return what == DAE_SAYS_SLOW   ? say_slow(d, run, text, length)
           : what == DAE_SAYS_RANK ? say_rank(d->lost, run, text, length)
           : what == DAE_SAYS_FAR  ? say_far(d, text, length)
           : what == DAE_SAYS_APART ? say_apart(d, i, text, length) : 0;
}
