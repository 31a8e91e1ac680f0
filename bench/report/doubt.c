#include "report/doubt.h"

#include "report/run_output.h"
#include "cli/usage.h"

#include <math.h>
#include <string.h>

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
    return index < 0 ? problem->first_order.index
           : index > 1 && problem->mechanical.nq > 0 && !constrained(problem) ? 1 : index;
}

double doubt_order(const dae_problem *problem, const dae_formulation *form,
                   const dae_method *method, dae_class c)
{
    return dae_method_order(method, form, index_of(problem, form), c);
}

int doubt_wrong(const cli_options *o, const dae_formulation *form, const dae_method *method,
                dae_class c)
{
    return !usage_chooses_steps(o, method) && doubt_order(o->problem, form, method, c) == 0;
}

void doubt_remark(document *doc, const cli_options *o, const dae_formulation *form,
                  const dae_method *method)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o, c) && doubt_wrong(o, form, method, c))
            document_remark(doc, "%s %s: %s has order 0, and converges to something else than the "
                            "solution%s", dae_formulation_describe(form).name,
                            dae_method_describe(method).name, run_class_names[c],
                            c == DAE_MULTIPLIER ? "; recovered holds that" : "");
}

static dae_class main_class(const dae_problem *problem)
{
    return problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
}

double doubt_slow(const cli_options *o, const dae_formulation *form, const dae_method *method)
{
    const double order = doubt_order(o->problem, form, method, main_class(o->problem));
    return usage_chooses_steps(o, method) && index_of(o->problem, form) == 3 && order <= 2 ? order
                                                                                           : 0;
}

void doubt_remark_slow(document *doc, const cli_options *o, const dae_formulation *form,
                       const dae_method *method)
{
    const double order = doubt_slow(o, form, method);
    if (order > 0)
        document_remark(doc, "%s %s: order %g in index 3, where errors may be far above the "
                        "tolerance; daelab solve estimates them",
                        dae_formulation_describe(form).name, dae_method_describe(method).name,
                        order);
}

int doubt_unknown(const cli_options *o, const dae_formulation *form, const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    int declares = 0;
    for (int index = 0; index <= DAE_MAX_INDEX; index++)
        for (dae_class c = 0; c < DAE_CLASSES; c++)
            declares |= info.order[index][c] != DAE_UNDECLARED;
    return declares && isnan(doubt_order(o->problem, form, method, main_class(o->problem)));
}
