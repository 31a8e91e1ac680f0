/* each_run.c - the runs of an item in their order, of whichever kind it is */
#include "tidy/tidy_run.h"

#include <math.h>

static tidy_run begin(const run_setting *setting, const study *s, const dae_formulation *form, const dae_method *method)
{
    return (tidy_run){.setting = setting, .t0 = s ? s->t0 : setting->problem->t0,
                      .t_end = s ? s->t_end : run_end(setting), .form = form, .method = method, .step = NAN,
                      .rtol = NAN, .varied = -1, .project = setting->project, .jacobian = setting->jacobian,
                      .linear = setting->linear};
}

static void take_result(tidy_run *run, const run_result *r)
{
    run->run = r;
    run->step = r->step;
    run->rtol = r->rtol;
    run->jacobian = r->jacobian;
    run->linear = r->linear;
}

/* Number the run, count it, and visit it. */
static void tell(const tidy_item *t, tidy_run *run, tidy_visit *visit, int *count)
{
    run->number = t->first + (*count)++;
    if (visit)
        visit(t, run);
}

tidy_run tidy_no_run(const study_item *item) { return begin(&item->spec.run, NULL, NULL, NULL); }

/* ---- curves: of converge, and of work ---- */

int tidy_curves(const study_item *item)
{
    return item->kind == STUDY_CONVERGE ? item->result.converge.count : item->result.work.count;
}

tidy_curve tidy_curve_at(const study_item *item, int i)
{
    if (item->kind == STUDY_CONVERGE) {
        const converge_result *r = &item->result.converge;
        const converge_curve *c = &r->curves[i];
        const int v = i / (r->count / r->values);
        return (tidy_curve){&r->each[v].run, &r->s[v], c->subject.form, c->subject.method, c->info.name,
                            c->subject.tolerances, c->levels, c->runs, NULL, c->order};
    }
    const work_result *r = &item->result.work;
    const work_curve *c = &r->curves[i];
    return (tidy_curve){&r->spec.run, &r->s, c->form, c->method, c->info.name, c->adaptive, c->levels, NULL, c->point,
                        c->order};
}

const run_result *tidy_curve_result(const tidy_curve *c, int k) { return c->points ? &c->points[k].run : &c->runs[k]; }

tidy_run tidy_curve_run(const tidy_curve *c)
{
    tidy_run run = begin(c->setting, c->study, c->form, c->method);
    if (c->levels)
        take_result(&run, tidy_curve_result(c, 0));
    run.run = NULL;
    return run;
}

static int each_of_curves(const tidy_item *t, tidy_visit *visit)
{
    int count = 0;
    for (int i = 0; i < tidy_curves(t->item); i++) {
        const tidy_curve c = tidy_curve_at(t->item, i);
        for (int k = 0; k < c.levels; k++) {
            tidy_run run = begin(c.setting, c.study, c.form, c.method);
            take_result(&run, tidy_curve_result(&c, k));
            run.work = c.points ? &c.points[k] : NULL;
            run.begins = k == 0;
            tell(t, &run, visit, &count);
        }
    }
    return count;
}

/* ---- the others ---- */

static int each_of_drift(const tidy_item *t, tidy_visit *visit)
{
    const drift_result *r = &t->item->result.drift;
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        tidy_run run = begin(&r->spec.run, &r->s, r->runs[i].form, r->runs[i].method);
        run.drift = &r->runs[i];
        take_result(&run, &r->runs[i].run);
        run.project = r->runs[i].project;
        tell(t, &run, visit, &count);
    }
    return count;
}

static int each_of_scale(const tidy_item *t, tidy_visit *visit)
{
    const scale_result *r = &t->item->result.scale;
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->pairs[i].points; k++) {
            const scale_pair *pair = &r->pairs[i];
            tidy_run run = begin(&r->spec.run, &r->s, pair->form, pair->method);
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
    const dae_solver *solver = dae_hybrid_solver(r->run.hybrid);
    tidy_run run = begin(&r->spec.run, &r->s, r->spec.form[0], r->spec.method[0]);
    int count = 0;
    run.solution = &r->run;
    run.step = options->step > 0 ? options->step : NAN;
    run.rtol = options->step > 0 ? NAN : options->rtol;
    run.jacobian = dae_solver_jacobian(solver);
    run.linear = dae_solver_linear(solver);
    tell(t, &run, visit, &count);
    return count;
}

static int each_of_fit(const tidy_item *t, tidy_visit *visit)
{
    const fit_result *r = &t->item->result.fit;
    const dae_options *options = &r->model.options;
    const dae_solver *solver = dae_hybrid_solver(r->model.hybrid);
    tidy_run run = begin(&r->spec.run, &r->s, r->spec.form[0], r->spec.method[0]);
    int count = 0;
    run.fit = r;
    run.step = options->step > 0 ? options->step : NAN;
    run.rtol = options->step > 0 ? NAN : options->rtol;
    run.jacobian = dae_solver_jacobian(solver);
    run.linear = dae_solver_linear(solver);
    tell(t, &run, visit, &count);
    return count;
}

int tidy_has_run(const study_item *item) { return item->run && item->status >= 0; }

int tidy_each_run(const tidy_item *t, tidy_visit *visit)
{
    static int (*const each[STUDY_KINDS])(const tidy_item *, tidy_visit *) = {
        [STUDY_SOLVE] = each_of_solve, [STUDY_CONVERGE] = each_of_curves, [STUDY_DRIFT] = each_of_drift,
        [STUDY_WORK] = each_of_curves, [STUDY_SCALE] = each_of_scale, [STUDY_FIT] = each_of_fit};
    return !tidy_has_run(t->item) ? 0 : each[t->item->kind](t, visit);
}
