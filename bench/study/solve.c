#include "study/solve.h"

#include "catalogue/catalogue.h"
#include "host/allocate.h"
#include "run/run_asked.h"
#include "numbers/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dae_status solve_fill_in(study_specification *o, dae_report *report)
{
    const run_front *front = &o->run.front;
    study_adaptive_run(o);
    if (o->forms > 1 || o->methods > 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "solve takes one formulation and one method");
    if (o->samples && !isnan(o->every))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s and %s exclude each other",
                        front_field(front, "samples").text, front_field(front, "every").text);
    return DAE_OK;
}

static const char *behind_comma(const char *text)
{
    const char *comma = strchr(text, ',');
    return comma ? comma + 1 : NULL;
}

int solve_shows(const study_specification *o, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = o->show; at; at = behind_comma(at))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    return !o->show;
}

/* Each name that is to be shown is a column of the run. */
static dae_status check_shown(const solve_result *r, const column_set *columns, dae_report *report)
{
    enum { LISTED = 8 };
    const char **names = allocate((size_t)columns->count, sizeof *names), *near = NULL;
    char word[LABEL] = "", all[LISTED * (LABEL + 2) + 32] = "";
    int known = 1;
    for (int i = 0; i < columns->count; i++)
        names[i] = columns->label[i].name;
    for (const char *at = r->spec.show; at && known; at = behind_comma(at)) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        known = 0;
        for (int i = 0; i < columns->count; i++)
            known = known || strcmp(names[i], word) == 0;
        near = known ? NULL : dae_nearest(word, names, columns->count);
    }
    for (int i = 0; i < columns->count && i < LISTED; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
    if (columns->count > LISTED)
        snprintf(all + strlen(all), sizeof all - strlen(all), " and %d more", columns->count - LISTED);
    free(names);
    return known ? DAE_OK : dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s has no column '%s'; %s%s%s has %s",
                                     front_field(&r->spec.run.front, "show").text, r->spec.run.problem->name, word,
                                     near ? "did you mean " : "", near ? near : "", near ? "? It" : "it", all);
}

static int observe(void *context, dae_hybrid *hybrid)
{
    solve_run *run = context;
    return dae_rank_run_observe(run->ranks, hybrid) | trajectory_observe(&run->tr, hybrid);
}

/* From the start, which may be an event that ends the run, to the end. */
static dae_status integrate(solve_result *r, solve_run *run, dae_report *report)
{
    const run_setting *o = &r->spec.run;
    const dae_formulation *form = r->spec.form[0];
    const trajectory_rows rows = {r->s.t0, r->s.t_end, r->every, r->spec.picture};
    front_plan(&o->front, 1, 0);
    dae_status status = trajectory_begin(&run->tr, run->hybrid, form, o, &rows, report);
    if (!status)
        status = check_shown(r, &run->tr.columns, report);
    if (status)
        return status;
    front_run(&o->front, dae_formulation_describe(form).name,
              dae_method_describe(r->spec.method[0]).name,
              run->options.step > 0 ? run->options.step : run->options.rtol);
    const dae_status watched = dae_rank_run_create(&run->ranks, run->hybrid, &run->options, report);
    if (watched)
        return watched;
    dae_hybrid_observe(run->hybrid, observe, run);
    if (!run->status)
        run->status = dae_hybrid_advance(run->hybrid, r->s.t_end);
    front_end(&o->front);
    trajectory_end(&run->tr);
    return dae_rank_run_end(run->ranks, &run->lost, report);
}

/* Numbers of which nothing is known. */
static dae_status refuse(const study_specification *o, dae_report *report)
{
    const dae_doubt doubt = run_doubt(&o->run, o->form[0], o->method[0]);
    return o->forced ? DAE_OK
                     : dae_doubt_refuse(&doubt, front_field(&o->run.front, "method").text,
                                        front_field(&o->run.front, "force").text, report);
}

static dae_status run_once(solve_result *r, solve_run *run, dae_report *report)
{
    const study_specification *o = &r->spec;
    dae_status status = dae_hybrid_create(&run->hybrid, o->run.problem, o->form[0],
                                          o->run.parameters, &o->run.baumgarte, o->method[0],
                                          &run->options, report);
    if (!status)
        status = refuse(o, report);
    if (!status)
        status = stops_begin(&run->stops, run->hybrid, &o->run, report);
    if (status)
        return status;
    run->status = dae_hybrid_start(run->hybrid, o->run.as_given, &run->change);
    return run->status < 0 ? dae_fail(report, run->status, "%s",
                                      dae_hybrid_report(run->hybrid)->message)
                           : integrate(r, run, report);
}

/* The run once more, more accurately. */
static dae_status run_finer(solve_result *r, dae_report *report)
{
    solve_run *finer = &r->second;
    finer->options.step = r->run.options.step / 2;
    finer->options.rtol = decimal_clean(r->run.options.rtol / 10);
    finer->options.atol = decimal_clean(r->run.options.atol / 10);
    for (int k = 0; k < finer->options.atol_count; k++)
        finer->atols[k] = (dae_atol){r->run.atols[k].of, decimal_clean(r->run.atols[k].atol / 10)};
    finer->options.atol_of = finer->options.atol_count ? finer->atols : NULL;
    const dae_status status = run_once(r, finer, report);
    if (status)
        return status;
    if (finer->status == DAE_NO_MEMORY)
        return dae_fail(report, DAE_NO_MEMORY, "%s", dae_hybrid_report(finer->hybrid)->message);
    if (finer->status < 0)
        r->no_finer = dae_hybrid_report(finer->hybrid)->message;
    else
        r->finer = 1;
    return DAE_OK;
}

static dae_status run_study(solve_result *r, dae_report *report)
{
    const study_specification *o = &r->spec;
    const dae_method *method = o->method[0];
    const dae_doubt doubt = run_doubt(&o->run, o->form[0], method);
    r->run.options = run_options(&o->run, method, run_level(&o->run, method));
    run_set_atols(&o->run, NULL, &r->run.options, r->run.atols);
    r->second.options = r->run.options;
    r->every = !isnan(o->every) ? o->every
               : (r->s.t_end - r->s.t0) / (o->samples ? o->samples : o->picture ? 400 : 10);
    const dae_status status = run_once(r, &r->run, report);
    if (status)
        return status;
    if (r->run.tr.refused.status)
        front_warn(&r->spec.run.front, "rows without values are not known: %s", r->run.tr.refused.message);
    return r->run.status >= 0
                   && (o->estimated || dae_doubt_slow(&doubt) > 0)
               ? run_finer(r, report) : DAE_OK;
}

static void free_run(solve_run *run)
{
    trajectory_free(&run->tr);
    stops_free(&run->stops);
    dae_hybrid_free(run->hybrid);
}

/* ---- code of files, and limits ------------------------------------------------------------------- */

/* The same study, of which only the end is of interest. */
static json_t *compute(void *context)
{
    const solve_result *of = context;
    solve_result r = {.spec = of->spec, .s = of->s};
    dae_report why = {0};
    const dae_status status = run_study(&r, &why);
    free_run(&r.run);
    free_run(&r.second);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    return json_pack("{s:i}", "status", (int)status);
}

static json_t *trial_cell(const solve_result *r)
{
    const study_specification *o = &r->spec;
    json_t *cell = pair_cell(&r->s, "trial", o->form[0], o->method[0]);
    json_object_set_new(cell, "step", field_number(o->run.step));
    json_object_set_new(cell, "rtol", field_number(o->run.rtol));
    json_object_set_new(cell, "rows", json_pack("[i, o, i, i]", o->samples, field_number(o->every), o->picture,
                                                o->estimated));
    return cell;
}

/* A run whose code comes from a file, or that has a limit, is made in another process first: it may not come
 * back from there. */
static dae_status try_apart(solve_result *r, dae_report *report)
{
    const study_specification *o = &r->spec;
    const int foreign = catalogue_file(o->run.problem) || catalogue_file(o->method[0]);
    json_t *cell = o->run.runner && (foreign || !isnan(o->limit)) ? trial_cell(r) : NULL;
    run_result ended = {.status = DAE_OK};
    if (!cell)
        return DAE_OK;
    const runner_reply reply = ask_within(&r->s, cell, 1, (runner_question){
        .limits.seconds = study_limit(o), .compute = compute, .context = r});
    json_decref(reply.answer);
    if (reply.end == RUNNER_ANSWERED)
        return DAE_OK;
    run_was_ended(&ended, &reply);
    return dae_fail(report, ended.status == DAE_NO_MEMORY ? DAE_NO_MEMORY : DAE_BACKEND, "%s, %s, %s: %s",
                    o->run.problem->name, dae_formulation_describe(o->form[0]).name,
                    dae_method_describe(o->method[0]).name, ended.message);
}

dae_status solve_study(solve_result *r, const study_specification *spec, dae_report *report)
{
    *r = (solve_result){.spec = *spec};
    const dae_status status = study_begin_runs(&r->s, spec, &r->spec.run, REFERENCE_NONE, report);
    if (status)
        return status;
    r->begun = 1;
    const double span = r->s.t_end - r->s.t0;
    if (span < spec->every || span / spec->every > MAX_ROWS)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: at most the interval of %g, at least a "
                        "millionth of it",
                        front_value(&spec->run.front, "every", spec->every).text, span);
    const dae_status tried = try_apart(r, report);
    return tried ? tried : run_study(r, report);
}

void solve_result_free(solve_result *r)
{
    free_run(&r->run);
    free_run(&r->second);
    if (r->begun)
        study_end(&r->s);
    *r = (solve_result){.begun = 0};
}

/* Of column i over the rows that both runs have at one time in one mode. */
static solve_difference differ(const trajectory *a, const trajectory *b, int i)
{
    solve_difference d = {NAN, NAN, 0};
    const size_t width = (size_t)a->width;
    size_t r = trajectory_listed(a, 0), s = trajectory_listed(b, 0);
    while (r < a->count && s < b->count) {
        const double *x = a->rows + r * width, *y = b->rows + s * width;
        const double apart = fabs(x[i] - y[i]), close = 1e-6 * a->every;
        if (fabs(x[0] - y[0]) <= close && a->mark[r].mode == b->mark[s].mode && !isnan(apart)) {
            d.size = fmax(d.size, fmax(fabs(x[i]), fabs(y[i])));
            if (!(d.largest >= apart)) {
                d.largest = apart;
                d.at = x[0];
            }
        }
        const double t = x[0];
        if (t <= y[0] + close)
            r = trajectory_listed(a, r + 1);
        if (y[0] <= t + close)
            s = trajectory_listed(b, s + 1);
    }
    return d;
}

solve_difference solve_differs(const solve_result *r, int column)
{
    return differ(&r->run.tr, &r->second.tr, column + 1);
}
