#include "study/plan.h"

#include "pool/runner.h"

#include <math.h>

const char *const study_kind_names[STUDY_KINDS] = {
    [STUDY_SOLVE] = "solve", [STUDY_CONVERGE] = "converge", [STUDY_DRIFT] = "drift", [STUDY_WORK] = "bench",
    [STUDY_SCALE] = "scale", [STUDY_FIT] = "fit"};

/* A first step or tolerance alone begins a ladder. */
static int lacks_levels(study_kind kind, const study_specification *s)
{
    const study_range *range = isnan(s->run.step) ? &s->rtols : &s->steps;
    const int ladder = kind == STUDY_CONVERGE || (kind == STUDY_WORK && !s->digits);
    return ladder && !s->levels && !range->count && isnan(range->last) ? LACKED_LEVELS : 0;
}

dae_status plan_fill_in(study_kind kind, study_specification *spec, int *by_default, dae_report *report)
{
    *by_default = 0;
    spec->lacked = (spec->forms ? 0 : LACKED_FORM) | (spec->methods ? 0 : LACKED_METHOD)
                   | (isnan(spec->run.step) && isnan(spec->run.rtol) ? LACKED_LEVEL : lacks_levels(kind, spec));
    switch (kind) {
    case STUDY_SOLVE: return solve_fill_in(spec, report);
    case STUDY_WORK: return work_fill_in(spec, report);
    case STUDY_SCALE: return scale_fill_in(spec, by_default, report);
    case STUDY_FIT: return fit_fill_in(spec, report);
    default: return DAE_OK;
    }
}

static void free_result(study_item *item)
{
    if (!item->run)
        return;
    switch (item->kind) {
    case STUDY_SOLVE: solve_result_free(&item->result.solve); break;
    case STUDY_CONVERGE: converge_result_free(&item->result.converge); break;
    case STUDY_DRIFT: drift_result_free(&item->result.drift); break;
    case STUDY_WORK: work_result_free(&item->result.work); break;
    case STUDY_FIT: fit_result_free(&item->result.fit); break;
    default: scale_result_free(&item->result.scale); break;
    }
    item->run = 0;
}

/* A study that was open goes on with what is known now: convergence with its curves that are not complete, as what
 * follows from a curve takes time; others from the begin. */
void plan_run_item(study_item *item)
{
    const study_specification *spec = &item->spec;
    dae_report *why = &item->why;
    const int again = item->run && item->kind == STUDY_CONVERGE;
    if (item->status)
        return;
    if (!again)
        free_result(item);
    item->run = 1;
    switch (item->kind) {
    case STUDY_SOLVE: item->status = solve_study(&item->result.solve, spec, why); break;
    case STUDY_CONVERGE: item->status = again ? converge_again(&item->result.converge, why)
                                              : converge_study(&item->result.converge, spec, why); break;
    case STUDY_DRIFT: item->status = drift_study(&item->result.drift, spec, why); break;
    case STUDY_WORK: item->status = work_study(&item->result.work, spec, why); break;
    case STUDY_FIT: item->status = fit_study(&item->result.fit, spec, why); break;
    default: item->status = scale_study(&item->result.scale, spec, item->by_default, why);
    }
}

/* How many curves it has: by that the length of a study is guessed. */
static double size_of(const study_item *item)
{
    const int curves = item->spec.forms * item->spec.methods;
    return curves > 0 ? curves : 1;
}

/* Which one begins, and the share of all that is done with it. */
static void tell(const study_plan *plan, int begins)
{
    double all = 0, with_this = 0;
    for (int i = 0; i < plan->count; i++) {
        all += size_of(&plan->item[i]);
        with_this += i <= begins ? size_of(&plan->item[i]) : 0;
    }
    const run_setting *run = &plan->item[begins].spec.run;
    front_item(&run->front, with_this / all, plan->count > 1 ? run->problem->name : "");
}

/* Those that are open yet, once more; how many are open then. */
static int run_round(study_plan *plan, const struct runner *of)
{
    int open = 0;
    for (int i = 0; i < plan->count; i++) {
        study_item *item = &plan->item[i];
        const long before = runner_open(of);
        tell(plan, i);
        if (item->status || (item->run && !item->open))
            continue;
        plan_run_item(item);
        item->open = runner_open(of) != before;
        if (item->open)
            item->status = DAE_OK;
        open += item->open;
    }
    return open;
}

void plan_run(study_plan *plan, struct runner *of)
{
    while (run_round(plan, of))
        runner_next_round(of);
}

static const run_tally *tally_of(const study_item *item)
{
    switch (item->kind) {
    case STUDY_CONVERGE: return &item->result.converge.tally;
    case STUDY_DRIFT: return &item->result.drift.tally;
    case STUDY_WORK: return &item->result.work.tally;
    default: return &item->result.scale.tally;
    }
}

dae_status plan_item_status(const study_item *item, dae_report *report)
{
    if (item->status) {
        *report = item->why;
        return item->status;
    }
    if (item->kind == STUDY_FIT) {
        const fit_result *fit = &item->result.fit;
        return fit->status ? dae_fail(report, fit->status, "%s", fit->message) : DAE_OK;
    }
    if (item->kind != STUDY_SOLVE)
        return run_tally_status(tally_of(item), item->spec.run.problem->name, report);
    const solve_run *run_of = &item->result.solve.run;
    if (run_of->status < 0)
        *report = *dae_hybrid_report(run_of->hybrid);
    return run_of->status;
}

void plan_free_results(study_plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        free_result(&plan->item[i]);
}
