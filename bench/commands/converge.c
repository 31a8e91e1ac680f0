/* converge.c - daelab converge: errors at falling steps or tolerances, and the orders they show */
#include "cli/choices.h"
#include "cli/finish.h"
#include "plots/plots.h"
#include "report/converge_report.h"

static int finish(const converge_result *r, const cli_options *o)
{
    dae_report why = {0};
    const int status = finish_document(converge_report(r, finish_people(o)), o);
    if (!status && o->plot && converge_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : finish_tally(&r->tally);
}

int command_converge(const cli_options *given)
{
    cli_options options = *given;
    converge_result result;
    dae_report why = {0};
    const int wrong = choose_defaults(&options);
    if (wrong)
        return wrong;
    const dae_status status = converge_study(&result, &options.study, &why);
    const int code = status ? cli_fail(status, &why) : finish(&result, &options);
    converge_result_free(&result);
    return code;
}
