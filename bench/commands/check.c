/* check.c - daelab check: does a model agree with itself? */
#include "catalogue/enum_order.h"
#include "cli/options.h"
#include "deliver/deliver.h"
#include "host/allocate.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* What only the source of a file says, before all else: with parameters exchanged nothing else is right. */
static void look_at_source(check_result *r, const char *subject)
{
    dae_finding found;
    const size_t length = subject ? strlen(subject) : 0;
    if (length < 2 || strcmp(subject + length - 2, ".c") != 0 || !enum_order(subject, r->spec.run.problem, &found))
        return;
    const int kept = r->count < CHECK_FINDINGS ? r->count : CHECK_FINDINGS - 1;
    memmove(r->found + 1, r->found, (size_t)kept * sizeof *r->found);
    r->found[0] = found;
    r->count = kept + 1;
    r->failed++;
}

/* Of one problem, or of several with their own settings. */
static int check(const cli_options *o, const study_specification *specs, int count)
{
    dae_report why = {0};
    dae_status status = DAE_OK;
    int failed = 0;
    check_result *r = allocate((size_t)count, sizeof *r);
    for (int i = 0; i < count && !status; i++) {
        status = check_study(r + i, specs + i, &why);
        if (!status && count == 1)
            look_at_source(r, o->subject);
        failed |= r[i].failed > 0;
    }
    const int code = status ? cli_fail(status, &why)
                            : output_result(count == 1 ? check_report(r) : check_summary(r, count), o);
    free(r);
    return code ? code : failed ? EXIT_NUMERICAL : EXIT_DONE;
}

int command_check(const cli_options *o)
{
    const dae_problem *problems[MAX_NAMES];
    study_specification specs[MAX_NAMES];
    if (!choose_several(o->subject))
        return check(o, &o->study, 1);
    if (o->given[O_PARAM])
        return cli_error(EXIT_USAGE, "--param %s is of one problem, and %s are several",
                         o->given[O_PARAM], o->subject);
    const int count = choose_problems(o->subject, 0, 0, problems);
    for (int i = 0; i < count; i++) {
        specs[i] = study_default_specification(problems[i]);
        specs[i].run.front = o->study.run.front;
    }
    return count ? check(o, specs, count) : cli_last_status();
}
