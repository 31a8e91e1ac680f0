/* drift.c - daelab drift: how far each run leaves the constraints, the balance of energy and the
 * invariants, with and without projections */
#include "cli/choices.h"
#include "cli/finish.h"
#include "deliver/outputs.h"
#include "plots/plots.h"
#include "report/drift_report.h"

static int finish(const study_item *item, const cli_options *o)
{
    const drift_result *r = &item->result.drift;
    const study_plan plan = {.title = "", .question = "", .count = 1, .item = (study_item *)item};
    dae_report why = {0};
    const int status = outputs_write(&plan, drift_report(r), o);
    if (!status && o->plot && drift_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : finish_tally(&r->tally);
}

int command_drift(const cli_options *given)
{
    cli_options options = *given;
    study_item item = {.part = study_kind_names[STUDY_DRIFT], .kind = STUDY_DRIFT};
    dae_report why = {0};
    const int wrong = choose_defaults(&options);
    if (wrong)
        return wrong;
    const dae_status status = drift_study(&item.result.drift, &options.study, &why);
    item.spec = options.study;
    const int code = status ? cli_fail(status, &why) : finish(&item, &options);
    drift_result_free(&item.result.drift);
    return code;
}
