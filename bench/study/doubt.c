#include "study/doubt.h"

#include "run/order.h"

#include <math.h>

/* Has some mode constraints? */
static int constrained(const dae_problem *problem)
{
    int nl = problem->mechanical.nl;
    for (int i = 0; problem->modes && problem->modes[i]; i++)
        nl += problem->modes[i]->mechanical.nl;
    return nl > 0;
}

/* What has no constraint is of index 1 at most, whatever the formulation. */
static int index_of(const dae_problem *problem, const dae_formulation *form)
{
    const int index = dae_formulation_describe(form).index;
    return index < 0 ? order_index_as_written(problem)
           : index > 1 && problem->mechanical.nq > 0 && !constrained(problem) ? 1 : index;
}

double doubt_order(const dae_problem *problem, const dae_formulation *form,
                   const dae_method *method, dae_class c)
{
    return dae_method_order(method, form, index_of(problem, form), c);
}

int doubt_wrong(const run_setting *o, const dae_formulation *form, const dae_method *method,
                dae_class c)
{
    return !run_chooses_steps(o, method) && doubt_order(o->problem, form, method, c) == 0;
}

static dae_class main_class(const dae_problem *problem)
{
    return problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
}

double doubt_slow(const run_setting *o, const dae_formulation *form, const dae_method *method)
{
    const double order = doubt_order(o->problem, form, method, main_class(o->problem));
    return run_chooses_steps(o, method) && index_of(o->problem, form) == 3 && order <= 2 ? order
                                                                                           : 0;
}

int doubt_unknown(const dae_problem *problem, const dae_formulation *form,
                  const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    int declares = 0;
    for (int index = 0; index <= DAE_MAX_INDEX; index++)
        for (dae_class c = 0; c < DAE_CLASSES; c++)
            declares |= info.order[index][c] != DAE_UNDECLARED;
    return declares && isnan(doubt_order(problem, form, method, main_class(problem)));
}
