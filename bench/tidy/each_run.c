/* each_run.c - the runs of an item in their order, of whichever kind it is */
#include "tidy/tidy_run.h"

#include <math.h>

static tidy_run begin(const study_item *item, const run_setting *setting, const study *s)
{
    return (tidy_run){.setting = setting, .t0 = s ? s->t0 : setting->problem->t0,
                      .t_end = s ? s->t_end : run_end(setting), .step = NAN, .rtol = NAN, .varied = -1,
                      .project = item->spec.run.project, .jacobian = setting->jacobian, .linear = setting->linear};
}

static void take_result(tidy_run *run, const run_result *r)
{
    run->run = r;
    run->step = r->step;
    run->rtol = r->rtol;
    run->jacobian = r->jacobian;
    run->linear = r->linear;
}

/* Visit as number first + *count of the item. */
static void tell(const tidy_item *t, tidy_run *run, tidy_visit *visit, int *count)
{
    run->number = t->first + (*count)++;
    if (visit)
        visit(t, run);
}

tidy_run tidy_no_run(const study_item *item)
{
    return begin(item, &item->spec.run, NULL);
}

/* ---- converge ---- */

tidy_run tidy_curve_run(const converge_result *r, int i)
{
    const converge_curve *c = &r->curves[i];
    const int v = i / (r->count / r->values);
    const run_setting *setting = &r->each[v].run;
    tidy_run run = {.setting = setting, .t0 = r->s[v].t0, .t_end = r->s[v].t_end, .form = c->subject.form,
                    .method = c->subject.method, .step = NAN, .rtol = NAN, .project = setting->project,
                    .jacobian = setting->jacobian, .linear = setting->linear, .varied = -1};
    if (c->levels)
        take_result(&run, &c->runs[0]);
    run.run = NULL;
    return run;
}

static int each_of_converge(const tidy_item *t, tidy_visit *visit)
{
    const converge_result *r = &t->item->result.converge;
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++) {
            tidy_run run = tidy_curve_run(r, i);
            take_result(&run, &r->curves[i].runs[k]);
            run.begins = k == 0;
            tell(t, &run, visit, &count);
        }
    return count;
}

/* ---- drift, work ---- */

static int each_of_drift(const tidy_item *t, tidy_visit *visit)
{
    const drift_result *r = &t->item->result.drift;
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        tidy_run run = begin(t->item, &r->spec.run, &r->s);
        run.form = r->runs[i].form;
        run.method = r->runs[i].method;
        run.drift = &r->runs[i];
        take_result(&run, &r->runs[i].run);
        run.project = r->runs[i].project;
        tell(t, &run, visit, &count);
    }
    return count;
}

tidy_run tidy_work_curve_run(const study_item *item, int i)
{
    const work_result *r = &item->result.work;
    tidy_run run = begin(item, &r->spec.run, &r->s);
    run.form = r->curves[i].form;
    run.method = r->curves[i].method;
    if (r->curves[i].levels)
        take_result(&run, &r->curves[i].point[0].run);
    run.run = NULL;
    return run;
}

static int each_of_work(const tidy_item *t, tidy_visit *visit)
{
    const work_result *r = &t->item->result.work;
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++) {
            tidy_run run = tidy_work_curve_run(t->item, i);
            run.work = &r->curves[i].point[k];
            take_result(&run, &run.work->run);
            run.begins = k == 0;
            tell(t, &run, visit, &count);
        }
    return count;
}

/* ---- scale, solve ---- */

static int each_of_scale(const tidy_item *t, tidy_visit *visit)
{
    const scale_result *r = &t->item->result.scale;
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->pairs[i].points; k++) {
            const scale_pair *pair = &r->pairs[i];
            tidy_run run = begin(t->item, &r->spec.run, &r->s);
            run.form = pair->form;
            run.method = pair->method;
            run.size = &pair->point[k];
            run.step = pair->step;
            run.rtol = pair->rtol;
            run.jacobian = run.size->jacobian;
            run.linear = run.size->linear;
            run.varied = r->spec.varied;
            run.value = run.size->value;
            run.begins = k == 0;
            tell(t, &run, visit, &count);
        }
    return count;
}

static int each_of_solve(const tidy_item *t, tidy_visit *visit)
{
    const solve_result *r = &t->item->result.solve;
    const dae_options *options = &r->run.options;
    int count = 0;
    tidy_run run = begin(t->item, &r->spec.run, &r->s);
    run.form = r->spec.form[0];
    run.method = r->spec.method[0];
    run.solution = &r->run;
    run.step = options->step > 0 ? options->step : NAN;
    run.rtol = options->step > 0 ? NAN : options->rtol;
    run.jacobian = dae_solver_jacobian(dae_hybrid_solver(r->run.hybrid));
    run.linear = dae_solver_linear(dae_hybrid_solver(r->run.hybrid));
    tell(t, &run, visit, &count);
    return count;
}

int tidy_has_run(const study_item *item) { return item->run && item->status >= 0; }

int tidy_each_run(const tidy_item *t, tidy_visit *visit)
{
    static int (*const each[STUDY_KINDS])(const tidy_item *, tidy_visit *) = {
        [STUDY_SOLVE] = each_of_solve, [STUDY_CONVERGE] = each_of_converge, [STUDY_DRIFT] = each_of_drift,
        [STUDY_WORK] = each_of_work,   [STUDY_SCALE] = each_of_scale};
    return !tidy_has_run(t->item) ? 0 : each[t->item->kind](t, visit);
}
