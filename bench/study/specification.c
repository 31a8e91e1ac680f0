#include "study/specification.h"

#include "catalogue/catalogue.h"
#include "numbers/decimal.h"
#include "run/room.h"
#include "run/stops.h"

#include <math.h>

const char *const work_quantity_names[WORK_QUANTITIES] = {
    [WORK_TIME] = "time", [WORK_CPU] = "cpu", [WORK_STEPS] = "steps", [WORK_RHS] = "rhs",
    [WORK_JACOBIANS] = "jacobians",
    [WORK_FACTORIZATIONS] = "factorizations", [WORK_SOLVES] = "solves", [WORK_RTOL] = "rtol",
    [(int)WORK_ERROR + DAE_POSITION] = "position", [(int)WORK_ERROR + DAE_VELOCITY] = "velocity",
    [(int)WORK_ERROR + DAE_MULTIPLIER] = "multiplier", [(int)WORK_ERROR + DAE_RECOVERED] = "recovered",
    [(int)WORK_ERROR + DAE_DIFFERENTIAL] = "differential", [(int)WORK_ERROR + DAE_ALGEBRAIC] = "algebraic",
    [WORK_SCD] = "scd", [WORK_MESCD] = "mescd", [WORK_DRIFT] = "drift-position", [WORK_DRIFT + 1] = "drift-velocity",
    [WORK_DRIFT + 2] = "drift-acceleration", [WORK_ENERGY] = "energy", [WORK_INVARIANT] = "invariant"};

int study_watches(const study_specification *s) { return s->axes && (s->across >= WORK_DRIFT || s->up >= WORK_DRIFT); }

study_specification study_default_specification(const dae_problem *problem)
{
    return (study_specification){.run = run_default_setting(problem), .steps.last = NAN, .rtols.last = NAN,
                                 .ratio = NAN, .every = NAN, .seconds = NAN, .limit = NAN,
                                 .of = DAE_CLASSES};
}

order_ladder study_ladder(const study_specification *s, int tolerances, order_ladder ladder)
{
    const study_range *range = tolerances ? &s->rtols : &s->steps;
    const double first = tolerances ? s->run.rtol : s->run.step;
    ladder.first = isnan(first) ? ladder.first : first;
    ladder.ratio = isnan(s->ratio) ? ladder.ratio : s->ratio;
    ladder.levels = range->count ? range->count : s->levels ? s->levels : ladder.levels;
    if (range->count || isnan(range->last))
        return ladder;
    if (!s->levels)
        ladder.levels = 1 + (int)fmin(MAX_LEVELS - 1, log(ladder.first / range->last) / log(ladder.ratio) + 1e-9);
    else if (isnan(s->ratio) && s->levels > 1)
        ladder.ratio = pow(ladder.first / range->last, 1.0 / (s->levels - 1));
    return ladder;
}

/* Steps are divided by the ratio i times: with ratio 2 that is exact. */
double study_level(const study_specification *s, int tolerances, const order_ladder *ladder, int i)
{
    const study_range *range = tolerances ? &s->rtols : &s->steps;
    double level = ladder->first;
    for (int k = 0; k < i; k++)
        level /= ladder->ratio;
    return range->count ? range->at[i] : tolerances ? decimal_level(ladder->first, ladder->ratio, i) : level;
}

void study_all_forms(study_specification *s)
{
    s->forms = 0;
    for (int i = 0; dae_formulation_at(i) && s->forms < MAX_CHOICES; i++)
        if (dae_formulation_applies(dae_formulation_at(i), s->run.problem))
            s->form[s->forms++] = dae_formulation_at(i);
}

void study_default_form(study_specification *s)
{
    const dae_formulation *best = run_form_of_index(s->run.problem, -1);
    for (int index = 1; !best && index <= DAE_MAX_INDEX; index++)
        best = run_form_of_index(s->run.problem, index);
    s->form[0] = best;
    s->forms = best != NULL;
}

double study_limit(const study_specification *s) { return isnan(s->limit) ? 0 : s->limit; }

dae_status study_begin_runs(study *s, const study_specification *o, const run_setting *setting, reference_kind wanted,
                            dae_report *report)
{
    const room_pairs pairs = {o->form, o->method, o->forms, o->methods};
    dae_status status = room_for_runs(setting, pairs, report);
    if (!status)
        status = study_begin(s, setting, wanted, study_limit(o), report);
    s->limit = study_limit(o);
    return status;
}

void study_fill_in(study_specification *s)
{
    if (!s->forms)
        study_all_forms(s);
    if (!s->methods) {
        s->method[0] = catalogue_method(0);
        s->methods = 1;
    }
}

void study_adaptive_run(study_specification *s)
{
    if (!s->forms)
        study_default_form(s);
    if (!s->methods) {
        s->method[0] = run_method_for(DAE_FOR_ONE_RUN);
        s->methods = 1;
    }
    if (isnan(s->run.step) && isnan(s->run.rtol) && dae_method_describe(s->method[0]).adaptive)
        s->run.rtol = run_own_rtol(s->run.problem);
}

static dae_status check_choices(const study_specification *s, dae_report *report)
{
    if (s->forms < 1 || s->forms > MAX_CHOICES || s->methods < 1 || s->methods > MAX_CHOICES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d formulations by %d methods: 1 to %d of each",
                        s->forms, s->methods, MAX_CHOICES);
    for (int i = 0; i < s->forms; i++)
        if (!s->form[i] || !dae_formulation_applies(s->form[i], s->run.problem))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no formulation %s",
                            s->run.problem->name,
                            s->form[i] ? dae_formulation_describe(s->form[i]).name : "NULL");
    for (int i = 0; i < s->methods; i++)
        if (!s->method[i])
            return dae_fail(report, DAE_BAD_ARGUMENT, "method %d is NULL", i + 1);
    return DAE_OK;
}

static dae_status check_counts(const study_specification *s, dae_report *report)
{
    const struct { const char *what; int count, most; } counts[] = {
        {"levels", s->levels, MAX_LEVELS},     {"values", s->values, MAX_VALUES},
        {"samples", s->samples, MAX_ROWS},     {"projects", s->projects, MAX_PROJECTS},
        {"targets", s->targets, MAX_TARGETS},  {"runs", s->runs, MAX_RUNS},
        {"stops", s->run.stops, MAX_STOPS},    {"atols", s->run.atols, MAX_ATOLS},
        {"steps", s->steps.count, MAX_LEVELS}, {"rtols", s->rtols.count, MAX_LEVELS},
        {"sensitivities", s->run.sensitivities, MAX_SENSITIVITIES},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].count < 0 || counts[i].count > counts[i].most)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s = %d: 0 to %d are possible",
                            counts[i].what, counts[i].count, counts[i].most);
    if (s->values && (s->varied < 0 || s->varied >= dae_parameter_count(s->run.problem)))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no parameter number %d",
                        s->run.problem->name, s->varied);
    return DAE_OK;
}

const char *study_varied_name(const study_specification *s, char *name)
{
    dae_parameter_name(s->run.problem, s->varied, name, STUDY_NAME);
    return name;
}

static dae_status check_numbers(const study_specification *s, dae_report *report)
{
    const struct { const char *what; double x, above; } numbers[] = {
        {"atol", s->run.atol, 0}, {"ratio", s->ratio, 1},     {"rtol_last", s->rtols.last, 0},
        {"step_last", s->steps.last, 0},
        {"every", s->every, 0},   {"seconds", s->seconds, 0}, {"limit", s->limit, 0},
    };
    for (const setting_row *row = run_settings; row < run_settings + SETTINGS; row++) {
        const double x = row->kind <= KIND_FRACTION ? setting_value(row, &s->run) : NAN;
        if (!isnan(x) && !(x > 0 && isfinite(x)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s = %g: a finite number above 0 is needed", row->name, x);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(numbers[i].x) && !(numbers[i].x > numbers[i].above && isfinite(numbers[i].x)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s = %g: a finite number above %g is needed",
                            numbers[i].what, numbers[i].x, numbers[i].above);
    for (int i = 0; i < s->run.atols; i++)
        if (!(s->run.atol_of[i].value > 0 && isfinite(s->run.atol_of[i].value)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "atol of %s = %g: a finite number above 0 is needed",
                            s->run.atol_of[i].of, s->run.atol_of[i].value);
    for (int i = 0; i < s->targets; i++)
        if (!(s->target[i] > 0 && isfinite(s->target[i])))
            return dae_fail(report, DAE_BAD_ARGUMENT, "target %g: a finite number above 0 is needed",
                            s->target[i]);
    return DAE_OK;
}

static dae_status check_sensitivities(const run_setting *s, dae_report *report)
{
    for (int i = 0; i < s->sensitivities; i++) {
        const dae_parameter *p = dae_parameter_at(s->problem, s->sensitivity[i]);
        if (!p)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no parameter number %d", s->problem->name,
                            s->sensitivity[i]);
        if (p->range == DAE_COUNT)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s %s: it counts copies, and nothing has a derivative by it",
                            front_field(&s->front, "sensitivity").text, p->name);
    }
    return DAE_OK;
}

dae_status study_check(const study_specification *s, dae_report *report)
{
    if (!s->run.problem)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a study needs a problem");
    dae_status status = check_choices(s, report);
    if (!status)
        status = check_counts(s, report);
    if (!status)
        status = check_sensitivities(&s->run, report);
    if (!status)
        status = check_numbers(s, report);
    if (!status)
        status = run_check_setting(&s->run, report);
    return status ? status : stops_check(&s->run, s->form[0], s->method[0], report);
}

dae_status study_prepare(study_specification *s, dae_report *report)
{
    if (!s->run.problem)
        return study_check(s, report);
    study_fill_in(s);
    const dae_status status = study_check(s, report);
    return status || !run_is_smooth(s->run.problem) ? status
                                                    : study_check_combinations(s, report);
}
