#include "commands/bench_digits.h"

#include "catalogue/catalogue.h"
#include "cli/choices.h"
#include "cli/finish.h"
#include "commands/bench_problems.h"
#include "report/digits_report.h"
#include "report/remarks.h"
#include "report/work_report.h"

#include <math.h>
#include <string.h>

typedef struct {
    grid *digits, *summary;
    document *doc;
} table;

/* One that cannot begin has its row, too. */
static int add_problem(const cli_options *o, table *t)
{
    work_result result;
    dae_report why = {0};
    const dae_status status = work_study(&result, &o->study, &why);
    int code = EXIT_DONE;
    if (status) {
        digits_add_failed(t->digits, t->doc, &o->study, &why);
        code = cli_fail(status, &why);
    } else {
        digits_add(t->digits, t->doc, &result);
        work_summary_add(t->summary, &result);
        code = finish_tally(&result.tally);
    }
    work_result_free(&result);
    return code;
}

/* What `all` leaves out, as bench compares with references; 1 where there is some. */
static int add_switching(const study_specification *o, table *t)
{
    int some = 0;
    for (int i = 0; catalogue_problem(i); i++)
        if (!run_is_smooth(catalogue_problem(i))) {
            digits_add_switching(t->digits, o, catalogue_problem(i));
            some = 1;
        }
    return some;
}

/* Of one problem with its parameters and interval; of several with the end that all of them were given. */
static document *begin(const cli_options *given, const study_specification *o)
{
    const run_setting *run = &o->run;
    if (!choose_several(given->subject))
        return report_begin("bench", o, run->problem->t0, run_end(run));
    const study_specification common = bench_common(given, o);
    document *doc = report_begin_several("bench", given->subject, &common);
    if (doc && isfinite(run->t_end)) {
        document_set(doc, "t_end", json_number(run->t_end));
        document_note(doc, "all of them to t = %g", run->t_end);
    }
    return doc;
}

int bench_digits(const cli_options *given, const cli_options *each, int count, document **doc)
{
    const study_specification *o = &each->study;
    table t = {.digits = digits_grid(o), .summary = work_summary_new(),
               .doc = begin(given, o)};
    int status = EXIT_DONE;
    *doc = t.doc;
    if (!t.digits || !t.summary || !t.doc) {
        grid_free(t.digits);
        grid_free(t.summary);
        document_free(t.doc);
        *doc = NULL;
        return cli_error(EXIT_SYSTEM, "out of memory");
    }
    for (int i = 0; i < count; i++) {
        const int one = add_problem(&each[i], &t);
        status = one > status ? one : status;
        if (choose_several(given->subject))
            remark_events(t.doc, each[i].study.run.problem);
    }
    const int switching = strcmp(given->subject, "all") == 0 && !o->run.no_events && add_switching(o, &t);
    document_set(t.doc, "digits", grid_json(t.digits));
    document_set(t.doc, "runs", grid_json(t.summary));
    grid_free(t.summary);
    document_section_add(t.doc, "correct digits (mescd)", t.digits);
    digits_note(t.doc, o, switching);
    return status;
}
