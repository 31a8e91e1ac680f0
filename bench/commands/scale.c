/* scale.c - daelab scale: time and memory against the size of a problem, and their exponents */
#include "cli/choices.h"
#include "cli/finish.h"
#include "deliver/outputs.h"
#include "plots/plots.h"
#include "report/scale_report.h"

static int finish(const study_item *item, const cli_options *o)
{
    const scale_result *r = &item->result.scale;
    const study_plan plan = {.title = "", .question = "", .count = 1, .item = (study_item *)item};
    dae_report why = {0};
    const int status = outputs_write(&plan, scale_report(r, finish_people(o)), o);
    if (!status && o->plot && scale_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : finish_tally(&r->tally);
}

int command_scale(const cli_options *given)
{
    cli_options options = *given;
    study_item item = {.part = study_kind_names[STUDY_SCALE], .kind = STUDY_SCALE};
    dae_report why = {0};
    int by_default;
    dae_status status = scale_fill_in(&options.study, &by_default, &why);
    const int wrong = status ? cli_fail(status, &why) : choose_defaults(&options);
    if (wrong)
        return wrong;
    status = scale_study(&item.result.scale, &options.study, by_default, &why);
    item.spec = options.study;
    const int code = status ? cli_fail(status, &why) : finish(&item, &options);
    scale_result_free(&item.result.scale);
    return code;
}
