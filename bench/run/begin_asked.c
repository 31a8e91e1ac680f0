#include "run/begin_asked.h"

#include "store/reference_text.h"
#include "run/fields.h"
#include "output/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000 };        /* [s] a reference gives up by itself before that */
enum { TIMES_LIMIT = 10, LEAST_LIMIT = 60 };    /* of a reference, against a run */

typedef struct {
    const run_setting *setting;
    reference_kind wanted;
    double limit;
} request;

static json_t *known_json(const study *s)
{
    const int smooth = run_is_smooth(s->setting->problem);
    return json_pack("{s:i, s:b, s:b, s:o, s:o, s:o, s:o}", "status", 0, "referenced", s->referenced, "from_cache",
                     s->from_cache, "path",
                     s->referenced && smooth ? field_pieces(reference_text(&s->path, RUN_SAMPLES)) : json_null(),
                     "events",
                     s->referenced && !smooth ? field_pieces(event_reference_text(&s->events)) : json_null(), "pace",
                     field_number(s->pace), "why_not", json_text(s->why_not));
}

/* A study that does not begin says no more than that: who asks hears why by trying. */
static json_t *compute(void *context)
{
    const request *q = context;
    const study of = {.setting = q->setting};
    study_copy copy;
    study s;
    study_copy_quiet(&copy, &of);
    const dae_status status = study_begin(&s, &copy.setting, q->wanted, NULL);
    if (status)
        return status == DAE_NO_MEMORY ? NULL : json_pack("{s:i}", "status", (int)status);
    json_t *answer = known_json(&s);
    study_end(&s);
    return answer;
}

static json_t *begin_cell(const request *q)
{
    const study s = {.setting = q->setting, .t0 = q->setting->problem->t0, .t_end = run_end(q->setting)};
    json_t *cell = study_cell(&s, "begin");
    if (cell && json_object_set_new(cell, "wanted", json_integer(q->wanted)) == 0
        && cell_set_settings(cell, q->setting, KEY_BEGIN))
        return cell;
    json_decref(cell);
    return NULL;
}

/* 0 where the study has not begun there. */
static int read_known(const json_t *answer, int smooth, study_known *known)
{
    const json_t *status = json_object_get(answer, "status");
    const char *why_not = json_string_value(json_object_get(answer, "why_not"));
    *known = (study_known){.referenced = json_is_true(json_object_get(answer, "referenced")),
                           .from_cache = json_is_true(json_object_get(answer, "from_cache"))};
    if (!json_is_integer(status) || json_integer_value(status) || !why_not
        || !field_number_at(json_object_get(answer, "pace"), &known->pace))
        return 0;
    snprintf(known->why_not, sizeof known->why_not, "%s", why_not);
    if (!known->referenced)
        return 1;
    char *text = field_joined(json_object_get(answer, smooth ? "path" : "events"));
    const int found = text && (smooth ? reference_read(text, RUN_SAMPLES, &known->path)
                                      : event_reference_read(text, RUN_SAMPLES, &known->events));
    free(text);
    return found;
}

/* Nobody knows more than that the process has ended. */
static dae_status explain(const run_setting *setting, const runner_reply *reply, dae_report *report)
{
    run_result ended = {.status = DAE_OK};
    if (reply->end == RUNNER_NOT_RUN || reply->end == RUNNER_LATER)
        return dae_fail(report, DAE_BACKEND, "%s: the study was stopped before its first run",
                        setting->problem->name);
    run_was_ended(&ended, reply);
    return dae_fail(report, ended.status < 0 ? ended.status : DAE_BACKEND, "%s: %s, in its functions at the start",
                    setting->problem->name, ended.message);
}

/* Without a reference, as looking for it has ended so. */
static dae_status begin_without(study *s, const request *q, const runner_reply *reply, dae_report *report)
{
    run_result ended = {.status = DAE_OK};
    run_was_ended(&ended, reply);
    if (ended.status == DAE_NO_MEMORY && ended.outcome == RUN_BY_ITSELF)        /* at no limit: nothing is left */
        return dae_fail(report, DAE_NO_MEMORY, "%s: out of memory for the reference", q->setting->problem->name);
    const dae_status status = study_begin_asked(s, q->setting, REFERENCE_NONE, q->limit, report);
    if (!status)
        snprintf(s->why_not, sizeof s->why_not, "%s", ended.message);
    return status;
}

static double limit_of(const request *q)
{
    const double references = fmax(LEAST_LIMIT, TIMES_LIMIT * q->limit);
    return !(q->limit > 0) ? LONGEST : q->wanted == REFERENCE_NONE ? fmax(LEAST_LIMIT, q->limit) : references;
}

static runner_reply ask(request *q, json_t *cell)
{
    const study none = {.setting = q->setting};
    char what[64];
    snprintf(what, sizeof what, "reference in quad precision to t = %g", run_end(q->setting));
    return ask_within(&none, cell, 1, (runner_question){.limits.seconds = limit_of(q), .compute = compute,
                                                        .context = q,
                                                        .what = q->wanted == REFERENCE_NONE ? NULL : what});
}

dae_status study_begin_asked(study *s, const run_setting *setting, reference_kind wanted, double limit,
                             dae_report *report)
{
    request q = {setting, wanted, limit};
    study_known known;
    json_t *cell = setting->runner && !run_check_setting(setting, NULL) ? begin_cell(&q) : NULL;
    if (!cell)
        return study_begin(s, setting, wanted, report);
    const runner_reply reply = ask(&q, cell);
    const int again = wanted != REFERENCE_NONE && reply.end != RUNNER_NOT_RUN && reply.end != RUNNER_LATER;
    if (reply.end != RUNNER_ANSWERED)
        return again ? begin_without(s, &q, &reply, report) : explain(setting, &reply, report);
    const int found = read_known(reply.answer, run_is_smooth(setting->problem), &known);
    json_decref(reply.answer);
    return found ? study_begin_known(s, setting, wanted, &known, report)
                 : study_begin(s, setting, wanted, report);
}
