#include "report/remarks.h"

#include "catalogue/events_off.h"

#include <math.h>

void remark_wrong(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o->problem, c) && doubt_wrong(o, form, method, c))
            document_remark(doc, "%s %s: %s has order 0, and converges to something else than the "
                            "solution%s", dae_formulation_describe(form).name,
                            dae_method_describe(method).name, run_class_names[c],
                            c == DAE_MULTIPLIER ? "; recovered holds that" : "");
}

void remark_slow(document *doc, const run_setting *o, const dae_formulation *form,
                       const dae_method *method)
{
    const double order = doubt_slow(o, form, method);
    if (order > 0)
        document_remark(doc, "%s %s: order %g in index 3, where errors may be far above the "
                        "tolerance; daelab solve estimates them",
                        dae_formulation_describe(form).name, dae_method_describe(method).name,
                        order);
}

/* By steps that are too long for the problem? */
static int may_be_steps(dae_status status)
{
    return status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE || status == DAE_SINGULAR
           || status == DAE_ERROR_TEST;
}

void remark_fixed(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method, dae_status status)
{
    const dae_method_info info = dae_method_describe(method);
    if (!may_be_steps(status) || !info.adaptive || run_chooses_steps(o, method) || !isnan(o->step))
        return;
    document_remark(doc, "%s %s failed with fixed steps of %g: with %s it chooses them",
                    dae_formulation_describe(form).name, info.name, run_level(o, method),
                    front_field(&o->front, "rtol").text);
}

void remark_events(document *doc, const dae_problem *problem)
{
    char words[1024];
    if (events_off_words(problem, words, sizeof words))
        document_remark(doc, "%s: %s", problem->name, words);
}
