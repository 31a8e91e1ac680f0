/* drift.c - daelab drift: how far each run leaves the constraints, the balance of energy and the
 * invariants, with and without projections */
#include "cli/choices.h"
#include "cli/finish.h"
#include "plots/plots.h"
#include "report/drift_report.h"

static int finish(const drift_result *r, const cli_options *o)
{
    dae_report why = {0};
    const int status = finish_document(drift_report(r), o);
    if (!status && o->plot && drift_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : finish_tally(&r->tally);
}

int command_drift(const cli_options *given)
{
    cli_options options = *given;
    drift_result result;
    dae_report why = {0};
    const int wrong = choose_defaults(&options);
    if (wrong)
        return wrong;
    const dae_status status = drift_study(&result, &options.study, &why);
    const int code = status ? cli_fail(status, &why) : finish(&result, &options);
    drift_result_free(&result);
    return code;
}
