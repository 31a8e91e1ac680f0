/* scale.c - daelab scale: time and memory against the size of a problem, and their exponents */
#include "cli/choices.h"
#include "cli/finish.h"
#include "plots/plots.h"
#include "report/scale_report.h"

static int finish(const scale_result *r, const cli_options *o)
{
    dae_report why = {0};
    const int status = finish_document(scale_report(r, finish_people(o)), o);
    if (!status && o->plot && scale_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : finish_tally(&r->tally);
}

int command_scale(const cli_options *given)
{
    cli_options options = *given;
    scale_result result;
    dae_report why = {0};
    int by_default;
    dae_status status = scale_fill_in(&options.study, &by_default, &why);
    const int wrong = status ? cli_fail(status, &why) : choose_defaults(&options);
    if (wrong)
        return wrong;
    status = scale_study(&result, &options.study, by_default, &why);
    const int code = status ? cli_fail(status, &why) : finish(&result, &options);
    scale_result_free(&result);
    return code;
}
