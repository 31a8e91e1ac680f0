/* converge.c - daelab converge: errors at falling steps or tolerances, and the orders they show */
#include "cli/choices.h"
#include "cli/finish.h"
#include "deliver/outputs.h"
#include "deliver/strict.h"
#include "plots/plots.h"
#include "report/converge_report.h"

static int finish(const study_item *item, const cli_options *o)
{
    const converge_result *r = &item->result.converge;
    const study_plan plan = {.title = "", .question = "", .count = 1, .item = (study_item *)item};
    dae_report why = {0};
    const int status = outputs_write(&plan, converge_report(r, finish_people(o)), o);
    if (!status && o->plot && converge_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    const int failed = status ? status : finish_tally(&r->tally), low = status ? 0 : strict_status(item, o);
    return failed ? failed : low;
}

int command_converge(const cli_options *given)
{
    cli_options options = *given;
    study_item item = {.part = study_kind_names[STUDY_CONVERGE], .kind = STUDY_CONVERGE};
    dae_report why = {0};
    const int wrong = choose_defaults(&options);
    if (wrong)
        return wrong;
    const dae_status status = converge_study(&item.result.converge, &options.study, &why);
    item.spec = options.study;
    const int code = status ? cli_fail(status, &why) : finish(&item, &options);
    converge_result_free(&item.result.converge);
    return code;
}
