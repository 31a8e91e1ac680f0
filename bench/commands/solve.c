/* solve.c - daelab solve: one run, the solution against time */
#include "cli/choices.h"
#include "cli/finish.h"
#include "deliver/outputs.h"
#include "plots/plots.h"
#include "report/solve_report.h"

static int finish(const study_item *item, const cli_options *o)
{
    const solve_result *r = &item->result.solve;
    const study_plan plan = {.title = "", .question = "", .count = 1, .item = (study_item *)item};
    dae_report why = {0};
    const dae_status ended = r->run.status;
    int code = outputs_write(&plan, solve_report(r, finish_people(o)), o);
    if (!code && o->plot && solve_plot(r, o->plot, &why))
        code = cli_error(EXIT_SYSTEM, "%s", why.message);
    if (ended < 0)
        cli_error(0, "%s", dae_hybrid_report(r->run.hybrid)->message);
    return code ? code : cli_exit_status(ended);
}

int command_solve(const cli_options *given)
{
    cli_options options = *given;
    study_item item = {.part = study_kind_names[STUDY_SOLVE], .kind = STUDY_SOLVE};
    dae_report why = {0};
    solve_fill_in(&options.study);
    dae_status status = solve_check(&options.study, &why);
    const int wrong = status ? cli_fail(status, &why) : choose_defaults(&options);
    if (wrong)
        return wrong;
    status = solve_study(&item.result.solve, &options.study, &why);
    item.spec = options.study;
    const int code = status ? cli_fail(status, &why) : finish(&item, &options);
    solve_result_free(&item.result.solve);
    return code;
}
