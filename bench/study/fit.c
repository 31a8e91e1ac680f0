#include "study/fit.h"

#include "fit/least_squares.h"
#include "host/allocate.h"
#include "output/json_file.h"
#include "run/fields.h"
#include "run/run_asked.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SETTLED = 1e-3;     /* relative: of estimated deviations */
static const double CLOSE = 1e-2;       /* to the least, in standard errors */
static const double FIXED_NOISE = 1e-8; /* of derivatives of runs with fixed steps, which are those of their numbers */
enum { MOST_ROUNDS = 40 };

dae_status fit_fill_in(study_specification *o, dae_report *report)
{
    const run_front *front = &o->run.front;
    study_adaptive_run(o);
    if (o->forms > 1 || o->methods > 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "fit takes one formulation and one method");
    if (!o->data.files)
        return dae_fail(report, DAE_BAD_ARGUMENT, "fit to which data? %s FILE.csv", front_field(front, "data").text);
    if (!o->fits)
        return dae_fail(report, DAE_BAD_ARGUMENT, "fit what? %s names parameters and starts, L,start:x",
                        front_field(front, "fit").text);
    return DAE_OK;
}

/* ---- residuals ---- */

double fit_deviation_of(const fit_result *r, int k)
{
    const fit_datum *d = &r->data.datum[k];
    return isnan(d->sd) ? r->deviation[d->unknown] : d->sd;
}

double fit_residual(const fit_result *r, int k)
{
    return (r->value[k] - r->data.datum[k].value) / fit_deviation_of(r, k);
}

/* A start is beside the largest that its unknown becomes; a number that is 0 before and after has the size of its
 * effect. The sign is that of the number: sizes are for relative changes. */
static void find_sizes(const fit_result *r, const double *x, const double *J, double *size)
{
    for (int i = 0; i < r->spec.fits; i++) {
        double square = 0;
        for (int k = 0; k < r->data.count; k++)
            square += J[k + i * r->data.count] * J[k + i * r->data.count];
        size[i] = fmax(fmax(fabs(x[i]), fabs(r->start[i])), r->model.largest[i]);
        size[i] = copysign(size[i] > 0 ? size[i] : square > 0 ? 1 / sqrt(square) : 1, x[i]);
    }
}

/* A least_squares.evaluate: in units of deviations */
static int evaluate(void *context, const double *x, double *residual, double *J, double *size)
{
    fit_result *r = context;
    const int count = r->data.count;
    const dae_status status = fit_model_at(&r->model, &r->data, x, r->value, r->slope);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    if (status) {
        snprintf(r->why_failed, sizeof r->why_failed, "%s", r->model.why.message);
        return 1;
    }
    for (int k = 0; k < count; k++) {
        residual[k] = fit_residual(r, k);
        for (int i = 0; i < r->spec.fits; i++)
            J[k + i * count] = r->slope[k + i * count] / fit_deviation_of(r, k);
    }
    find_sizes(r, x, J, size);
    return 0;
}

/* ---- deviations that are estimated ---- */

/* r->noise: the errors of the integration, of which a deviation is no smaller: the tolerance of the largest datum. */
static void find_noise(fit_result *r)
{
    const dae_options *o = &r->model.options;
    const double relative = o->step > 0 ? FIXED_NOISE : o->rtol, least = o->step > 0 ? DBL_MIN : o->atol;
    for (int k = 0; k < r->data.count; k++) {
        double *noise = &r->noise[r->data.datum[k].unknown];
        *noise = fmax(*noise, relative * fabs(r->data.datum[k].value));
    }
    for (int c = 0; c < r->model.columns.count; c++)
        r->noise[c] = r->noise[c] > 0 ? r->noise[c] : least;
}

/* That of derivatives, in the largest of them. */
static double noise_of_slopes(const fit_result *r)
{
    const dae_options *o = &r->model.options;
    return o->step > 0 ? FIXED_NOISE : fmax(10 * o->rtol, FIXED_NOISE);
}

/* And of all of them together: a number whose change by its size moves the model by less than so many errors of the
 * integration has no effect that could be seen. */
static double least_slope(const fit_result *r)
{
    static const double ERRORS = 10;
    double sum = 0;
    for (int k = 0; k < r->data.count; k++)
        sum += pow(r->noise[r->data.datum[k].unknown] / fit_deviation_of(r, k), 2);
    return ERRORS * sqrt(sum);
}

/* Of each unknown by the residuals as they are; the largest relative change. part: of all data that are spent on
 * numbers. */
static double estimate(fit_result *r, double part)
{
    double change = 0;
    for (int c = 0; c < r->model.columns.count; c++) {
        double sum = 0;
        int count = 0;
        for (int k = 0; k < r->data.count; k++) {
            const double apart = r->value[k] - r->data.datum[k].value;
            if (r->data.datum[k].unknown != c || !isnan(r->data.datum[k].sd))
                continue;
            sum += apart * apart;
            count++;
        }
        if (!count)
            continue;
        const double before = r->deviation[c];
        r->deviation[c] = fmax(sqrt(sum / (count * (1 - part))), r->noise[c]);
        change = isnan(before) ? HUGE_VAL : fmax(change, fabs(r->deviation[c] / before - 1));
    }
    return change;
}

static int count_free(const fit_result *r)
{
    int free = 0;
    for (int i = 0; i < r->spec.fits; i++)
        free += r->side[i] == 0;
    return free;
}

/* ---- the search ---- */

/* r->x, r->side, r->deviation from r->start on, in as many rounds as the deviations need. */
static dae_status search(fit_result *r, dae_report *report)
{
    const size_t n = (size_t)r->spec.fits, count = (size_t)r->data.count;
    double low[MAX_FITTED], high[MAX_FITTED], *residual = allocate(count, sizeof *residual);
    double *J = allocate(count * n, sizeof *J);
    least_squares of = {r->data.count, r->spec.fits, low, high, noise_of_slopes(r), 0, evaluate, r};
    least_squares_end end = {.side = r->side};
    int begun = 1, again = 1;
    for (size_t i = 0; i < n; i++) {
        low[i] = r->spec.fit[i].low;
        high[i] = r->spec.fit[i].high;
        r->x[i] = fmin(fmax(r->start[i], low[i]), high[i]);
    }
    if (fit_model_at(&r->model, &r->data, r->x, r->value, r->slope))
        begun = 0;
    estimate(r, 0);
    while (begun && again) {
        of.least = least_slope(r);
        begun = least_squares_find(&of, r->x, residual, J, &end);
        r->trials += end.trials;
        r->failed += end.failed;
        r->rounds++;
        again = r->given < r->data.count && estimate(r, (double)end.searched / r->data.count) > SETTLED && end.ended;
        if (again && r->rounds == MOST_ROUNDS)
            end.ended = again = 0;
    }
    free(residual);
    free(J);
    r->status = end.ended ? DAE_OK : DAE_NO_CONVERGENCE;
    return begun ? DAE_OK : dae_fail(report, r->model.why.status == DAE_UNSUPPORTED ? DAE_UNSUPPORTED : DAE_BACKEND,
                                     "no run from where the fit begins: %s", r->model.why.message);
}

/* ---- the search as a question: the code of a file may crash ---- */

static json_t *compute(void *context)
{
    fit_result *r = context;
    dae_report why = {0};
    const dae_status status = search(r, &why);
    json_t *sides = json_array();
    for (int i = 0; i < r->spec.fits; i++)
        json_array_append_new(sides, json_integer(r->side[i]));
    return json_pack("{s:i, s:o, s:i, s:o, s:o, s:o, s:[i, i, i], s:o}", "failure", (int)status, "why",
                     json_text(why.message), "status", (int)r->status, "x", field_numbers(r->x, r->spec.fits),
                     "deviation", field_numbers(r->deviation, r->model.columns.count), "side", sides, "trials",
                     r->trials, r->failed, r->rounds, "why_failed", json_text(r->why_failed));
}

static int whole(const json_t *answer, const char *key, int i)
{
    return (int)json_integer_value(json_array_get(json_object_get(answer, key), (size_t)i));
}

static dae_status take_answer(fit_result *r, const json_t *answer, dae_report *report)
{
    const int failure = (int)json_integer_value(json_object_get(answer, "failure"));
    if (failure)
        return dae_fail(report, (dae_status)failure, "%s", json_word(answer, "why"));
    for (int i = 0; i < r->spec.fits; i++)
        r->side[i] = whole(answer, "side", i);
    field_numbers_at(json_object_get(answer, "x"), r->x, r->spec.fits);
    field_numbers_at(json_object_get(answer, "deviation"), r->deviation, r->model.columns.count);
    r->trials = whole(answer, "trials", 0);
    r->failed = whole(answer, "trials", 1);
    r->rounds = whole(answer, "trials", 2);
    r->status = (dae_status)json_integer_value(json_object_get(answer, "status"));
    snprintf(r->why_failed, sizeof r->why_failed, "%s", json_word(answer, "why_failed"));
    return DAE_OK;
}

static json_t *cell(const fit_result *r)
{
    const study_specification *o = &r->spec;
    json_t *cell = pair_cell(&r->s, "fit", o->form[0], o->method[0]), *fitted = json_array();
    for (int i = 0; i < o->fits; i++)
        json_array_append_new(fitted, json_pack("[s, o, o]", o->fit[i].name, field_number(o->fit[i].low),
                                                field_number(o->fit[i].high)));
    if (!cell)
        return json_decref(fitted), NULL;
    json_object_set_new(cell, "step", field_number(o->run.step));
    json_object_set_new(cell, "rtol", field_number(o->run.rtol));
    json_object_set_new(cell, "fitted", fitted);
    json_object_set_new(cell, "data", json_sprintf("%016" PRIx64, r->data.hash));
    return cell;
}

static dae_status ask(fit_result *r, dae_report *report)
{
    const runner_reply reply = ask_within(&r->s, cell(r), 1, (runner_question){
        .limits.seconds = study_limit(&r->spec), .compute = compute, .context = r, .what = "fit"});
    run_result ended = {.status = DAE_OK};
    dae_status status = DAE_OK;
    if (reply.end == RUNNER_ANSWERED) {
        status = take_answer(r, reply.answer, report);
    } else {
        run_was_ended(&ended, &reply);
        status = dae_fail(report, ended.status == DAE_NO_MEMORY ? DAE_NO_MEMORY : DAE_BACKEND, "%s, %s, %s: %s",
                          r->spec.run.problem->name, dae_formulation_describe(r->spec.form[0]).name,
                          dae_method_describe(r->spec.method[0]).name, ended.message);
    }
    json_decref(reply.answer);
    return status;
}

/* ---- what was found ---- */

double fit_error(const fit_result *r, int i)
{
    return sqrt(r->found.covariance[i * r->spec.fits + i]);
}

const char *fit_direction_words(const fit_result *r, int d, char words[FIT_DIRECTION])
{
    const double *direction = r->found.direction + d * r->spec.fits;
    size_t end = 0;
    *words = 0;
    for (int i = 0; i < r->spec.fits; i++) {
        if (fabs(direction[i]) < 0.005)
            continue;
        const char *sign = direction[i] < 0 ? end ? " - " : "-" : end ? " + " : "";
        const int more = snprintf(words + end, FIT_DIRECTION - end, "%s%.2f %s", sign, fabs(direction[i]),
                                  r->spec.fit[i].name);
        if (more < 0 || (size_t)more >= FIT_DIRECTION - end) {
            strcpy(words + FIT_DIRECTION - sizeof " ...", " ...");
            break;
        }
        end += (size_t)more;
    }
    return words;
}

/* The largest of the errors of the integration beside deviations, and of which column it is. */
static double noise_beside_deviations(const fit_result *r, int *column)
{
    double most = 0;
    for (int k = 0; k < r->data.count; k++) {
        const double noise = r->noise[r->data.datum[k].unknown] / fit_deviation_of(r, k);
        *column = noise > most ? r->data.datum[k].unknown : *column;
        most = fmax(most, noise);
    }
    return most;
}

/* The least is where the next step is far below the standard errors, or one of the errors of the runs. */
static void judge(fit_result *r)
{
    const dae_options *o = &r->model.options;
    int column = -1;
    const double noise = noise_beside_deviations(r, &column);
    const int close = r->found.offset <= CLOSE + noise || r->found.step <= (o->step > 0 ? FIXED_NOISE : o->rtol);
    const int free = count_free(r);
    char words[FIT_DIRECTION];
    r->at_noise = noise * (1 + SETTLED) >= 1 ? column : -1;
    if (r->status || !close) {
        r->status = DAE_NO_CONVERGENCE;
        snprintf(r->message, sizeof r->message, "the fit has not converged: after %d runs the least is %.2g standard "
                 "errors away%s%s", r->trials, r->found.offset, r->failed ? "; trials fail: " : "", r->why_failed);
    } else if (r->found.rank < free) {
        r->status = DAE_SINGULAR;
        snprintf(r->message, sizeof r->message, "the data do not determine all numbers: %d of %d combinations of "
                 "relative changes do not move the model, as %s", free - r->found.rank, free,
                 fit_direction_words(r, r->found.rank, words));
    }
}

static void find_curve(fit_result *r)
{
    double *t = allocate(FIT_CURVE, sizeof *t);
    const double t0 = r->s.t0, t_end = r->data.t[r->data.rows - 1];
    for (int i = 0; i < FIT_CURVE; i++)
        t[i] = i + 1 < FIT_CURVE ? t0 + i * (t_end - t0) / (FIT_CURVE - 1) : t_end;
    r->curve = fit_model_rows(&r->model, r->x, t, FIT_CURVE);
    free(t);
}

/* All that is known at r->x */
static dae_status conclude(fit_result *r, dae_report *report)
{
    const size_t n = (size_t)r->spec.fits, count = (size_t)r->data.count;
    double *residual = allocate(count * (n + 1), sizeof *residual), *J = residual + count;
    int counts[MAX_FITTED];
    dae_status status = DAE_OK;
    if (evaluate(r, r->x, residual, J, r->size))
        status = dae_fail(report, DAE_BACKEND, "the run that was found cannot be made again: %s", r->why_failed);
    for (size_t i = 0; i < n; i++)
        counts[i] = r->side[i] == 0;
    if (!status) {
        if (!identify(&r->found, &(identify_request){r->data.count, r->spec.fits, J, residual, r->size, counts,
                                                     noise_of_slopes(r), least_slope(r)}))
            status = dae_fail(report, DAE_BACKEND, "LAPACK has found no singular values of the derivatives");
        for (size_t k = 0; k < count; k++)
            r->chi2 += residual[k] * residual[k];
        r->freedom = r->data.count - r->found.rank;
        r->moved = r->model.change;
    }
    if (!status) {
        judge(r);
        find_curve(r);
    }
    free(residual);
    return status;
}

/* ---- all of it ---- */

static dae_status read_data(fit_result *r, dae_report *report)
{
    const column_set *columns = &r->model.columns;
    const char **names = allocate((size_t)columns->count, sizeof *names);
    for (int i = 0; i < columns->count; i++)
        names[i] = columns->label[i].name;
    r->spec.data.front = &r->spec.run.front;
    dae_status status = fit_data_read(&r->data, &r->spec.data,
                                      &(fit_names){columns->count, names, r->spec.run.problem->t0}, report);
    free(names);
    for (int k = 0; k < r->data.count; k++)
        r->given += !isnan(r->data.datum[k].sd);
    const int least = r->spec.fits + (r->given < r->data.count);
    if (!status && r->data.count < least)
        status = dae_fail(report, DAE_BAD_ARGUMENT, "there are %d data, and for what is fitted %d at least are needed",
                          r->data.count, least);
    if (!status && !(r->data.t[r->data.rows - 1] > r->spec.run.problem->t0))
        status = dae_fail(report, DAE_BAD_ARGUMENT, "all data are of t = %.9g, where the run begins: nothing moves",
                          r->spec.run.problem->t0);
    return status;
}

/* The study, which calls the model first, where it may crash; the model; the data, with which the interval ends. */
static dae_status begin(fit_result *r, dae_report *report)
{
    const study_specification *o = &r->spec;
    dae_status status = study_begin_runs(&r->s, o, &r->spec.run, REFERENCE_NONE, report);
    r->begun = !status;
    if (!status)
        status = fit_model_begin(&r->model, &r->spec.run, o->form[0], o->method[0], o->fit, o->fits, report);
    if (!status)
        status = read_data(r, report);
    if (!status)
        status = fit_model_start(&r->model, r->start, report);
    if (status)
        return status;
    const size_t n = (size_t)o->fits, count = (size_t)r->data.count, columns = (size_t)r->model.columns.count;
    r->value = allocate(count * (n + 1), sizeof *r->value);
    r->slope = r->value + count;
    r->deviation = allocate(2 * columns, sizeof *r->deviation);
    r->noise = r->deviation + columns;
    for (size_t i = 0; i < columns; i++)
        r->deviation[i] = NAN;
    find_noise(r);
    r->spec.run.t_end = r->s.t_end = r->data.t[r->data.rows - 1];
    return DAE_OK;
}

dae_status fit_study(fit_result *r, const study_specification *spec, dae_report *report)
{
    *r = (fit_result){.spec = *spec};
    dae_status status = begin(r, report);
    if (!status)
        status = ask(r, report);
    return status ? status : conclude(r, report);
}

void fit_result_free(fit_result *r)
{
    dae_rows_free(r->curve);
    identify_free(&r->found);
    fit_model_free(&r->model);
    fit_data_free(&r->data);
    free(r->value);
    free(r->deviation);
    if (r->begun)
        study_end(&r->s);
    *r = (fit_result){.begun = 0};
}
