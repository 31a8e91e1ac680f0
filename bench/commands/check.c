/* check.c - daelab check: does a model agree with itself? */
#include "catalogue/enum_order.h"
#include "cli/choices.h"
#include "deliver/deliver.h"
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

static int finish(document *doc, int failed, const cli_options *o)
{
    if (!doc)
        return cli_error(EXIT_SYSTEM, "out of memory");
    const int status = output_result(doc, o);
    return status ? status : failed ? EXIT_NUMERICAL : EXIT_DONE;
}

static int check_one(const cli_options *o)
{
    dae_report why = {0};
    check_result *r = calloc(1, sizeof *r);
    if (!r)
        return cli_error(EXIT_SYSTEM, "out of memory");
    const dae_status status = check_study(r, &o->study, &why);
    if (!status)
        look_at_source(r, o->subject);
    const int code = status ? cli_fail(status, &why) : finish(check_report(r), r->failed, o);
    free(r);
    return code;
}

static int check_several(const cli_options *o, const dae_problem *const *problems, int count)
{
    dae_report why = {0};
    dae_status status = DAE_OK;
    int failed = 0;
    check_result *r = calloc((size_t)count, sizeof *r);
    if (!r)
        return cli_error(EXIT_SYSTEM, "out of memory");
    for (int i = 0; i < count && !status; i++) {
        study_specification spec = study_default_specification(problems[i]);
        spec.run.front = o->study.run.front;
        status = check_study(r + i, &spec, &why);
        failed |= r[i].failed > 0;
    }
    const int code = status ? cli_fail(status, &why) : finish(check_summary(r, count), failed, o);
    free(r);
    return code;
}

int command_check(const cli_options *o)
{
    const dae_problem *problems[MAX_NAMES];
    if (!choose_several(o->subject))
        return check_one(o);
    if (o->given[O_PARAM])
        return cli_error(EXIT_USAGE, "--param %s is of one problem, and %s are several",
                         o->given[O_PARAM], o->subject);
    const int count = choose_problems(o->subject, NULL, 0, problems);
    return count ? check_several(o, problems, count) : cli_last_status();
}
