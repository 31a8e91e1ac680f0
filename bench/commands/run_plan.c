#include "commands/run_plan.h"

#include "cli/finish.h"
#include "cli/study_runner.h"
#include "deliver/outputs.h"
#include "deliver/pictures.h"
#include "deliver/strict.h"
#include "overview/overview.h"

/* How the items ended: the worst, having said what went wrong in each. */
static int tell_failures(const study_plan *plan, const cli_options *front)
{
    int worst = EXIT_DONE;
    for (int i = 0; i < plan->count; i++) {
        dae_report why = {0};
        const dae_status status = plan_item_status(&plan->item[i], &why);
        const int one = status < 0 ? cli_fail(status, &why) : strict_status(&plan->item[i], front);
        worst = one > worst ? one : worst;
    }
    return worst;
}

static int write_results(const study_plan *plan, const cli_options *front)
{
    study_runner_results(front);
    const int status = outputs_write(plan, overview(plan, finish_people(front)), front);
    return status || !front->plot ? status : pictures_write(plan, front->plot, front);
}

static int run(const study_plan *plan, const cli_options *front)
{
    for (int i = 0; i < plan->count; i++)
        plan_run_item(&plan->item[i]);
    const int nothing = plan->count == 1 && plan->item[0].status && !plan->item[0].spec.digits;
    const int unwritten = nothing ? 0 : write_results(plan, front);
    const int status = tell_failures(plan, front);
    return unwritten ? unwritten : status;
}

int run_plan(planned *p, const cli_options *front)
{
    const int wrong = finish_check_files(front);
    const int status = wrong ? wrong : run(&p->plan, front);
    planning_free(p);
    return status;
}

/* converge, drift, bench, scale, solve: a plan of one part */
int command_run(const cli_options *o)
{
    planned p = {.plan = {.title = "", .question = ""}};
    const int good = planning_add(&p, o->list, o->list->command->name, o);
    if (good)
        return run_plan(&p, o);
    planning_free(&p);
    return cli_last_status();
}
