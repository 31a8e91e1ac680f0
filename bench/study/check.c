#include "study/check.h"

#include "host/timing.h"

static void tell(void *context, double part) { front_part(context, part); }

dae_status check_study(check_result *r, const study_specification *spec, dae_report *report)
{
    const double begin = seconds_of(CLOCK_MONOTONIC);
    *r = (check_result){.spec = *spec};
    const dae_check_options how = {.progress = tell, .context = &r->spec.run.front};
    front_run(&spec->run.front, "check", spec->run.problem->name, spec->run.problem->t_end);
    const dae_status status = dae_check_model(spec->run.problem, spec->run.parameters,
                                              &spec->run.baumgarte, &how, r->found, CHECK_FINDINGS,
                                              &r->count, report);
    front_end(&spec->run.front);
    r->count = r->count < CHECK_FINDINGS ? r->count : CHECK_FINDINGS;
    for (int i = 0; i < r->count; i++)
        r->failed += r->found[i].failed;
    r->seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    return status;
}
