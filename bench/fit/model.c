#include "fit/model.h"

#include "catalogue/start_set.h"
#include "host/allocate.h"
#include "run/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- begin ---- */

/* The place of unknown i of x among the unknowns of the formulation, which has it by its name. */
static dae_status find_start(fit_model *m, const fit_number *number, int *at, dae_report *report)
{
    const dae_system *sys = dae_hybrid_mode_system(m->hybrid, 0);
    const char *name = strchr(number->name, ':') + 1;
    char own[LABEL], unit[LABEL];
    *at = number->unknown;
    if (*at < dae_system_size(sys)) {
        dae_system_unknown(sys, *at, own, unit, LABEL);
        if (strcmp(own, name) == 0)
            return DAE_OK;
    }
    return dae_fail(report, DAE_UNSUPPORTED, "%s: %s has no unknown %s whose start could be fitted; choose another "
                    "formulation", number->name, dae_formulation_describe(m->form).name, name);
}

/* Directions: parameters, then starts. */
static dae_status begin_along(fit_model *m, dae_report *report)
{
    int parameter[MAX_FITTED], unknown[MAX_FITTED];
    dae_directions d = {parameter, unknown, 0, 0};
    dae_status status = DAE_OK;
    for (int i = 0; i < m->numbers; i++)
        if (m->number[i].parameter >= 0) {
            m->direction[i] = d.parameter_count;
            parameter[d.parameter_count++] = m->number[i].parameter;
        }
    for (int i = 0; !status && i < m->numbers; i++)
        if (m->number[i].parameter < 0) {
            m->direction[i] = d.parameter_count + d.unknown_count;
            status = find_start(m, &m->number[i], &unknown[d.unknown_count++], report);
        }
    return status ? status : dae_hybrid_sensitivity_create(&m->along, m->hybrid, &d, report);
}

static int is_fitted(const fit_model *m, int unknown)
{
    for (int i = 0; i < m->numbers; i++)
        if (m->number[i].parameter < 0 && m->number[i].unknown == unknown)
            return 1;
    return 0;
}

/* Unknowns that were set and are not fitted. */
static void hold_set(fit_model *m)
{
    const set_value *set;
    const int count = start_set_values(m->setting->problem, &set);
    for (int k = 0; k < count; k++)
        if (!is_fitted(m, set[k].at)) {
            m->which[m->starts] = set[k].at;
            m->values[m->starts++] = set[k].value;
        }
    for (int i = 0; i < m->numbers; i++)
        if (m->number[i].parameter < 0)
            m->which[m->starts++] = m->number[i].unknown;
}

dae_status fit_model_begin(fit_model *m, const run_setting *setting, const dae_formulation *form,
                           const dae_method *method, const fit_number *number, int numbers, dae_report *report)
{
    const size_t count = (size_t)numbers, starts = count + MOST_SET;
    *m = (fit_model){.setting = setting, .form = form, .number = number, .numbers = numbers,
                     .options = run_options(setting, method, run_level(setting, method)),
                     .p = run_copy_parameters(setting), .which = allocate(starts, sizeof *m->which),
                     .values = allocate(starts, sizeof *m->values), .direction = allocate(count, sizeof *m->direction),
                     .largest = allocate(count, sizeof *m->largest)};
    run_set_atols(setting, NULL, &m->options, m->atols);
    dae_status status = dae_hybrid_create(&m->hybrid, start_set_origin(setting->problem), form, m->p,
                                          &setting->baumgarte, method, &m->options, report);
    if (!status)
        status = columns_begin(&m->columns, m->hybrid, form, setting, report);
    if (!status)
        status = begin_along(m, report);
    hold_set(m);
    return status;
}

void fit_model_free(fit_model *m)
{
    columns_free(&m->columns);
    dae_hybrid_sensitivity_free(m->along);
    dae_hybrid_free(m->hybrid);
    free(m->p);
    free(m->which);
    free(m->values);
    free(m->direction);
    free(m->largest);
    *m = (fit_model){.numbers = 0};
}

dae_status fit_model_start(fit_model *m, double *x, dae_report *report)
{
    const dae_problem *problem = m->setting->problem;
    double *start = allocate((size_t)dae_hybrid_most_unknowns(m->hybrid), sizeof *start);
    dae_system *sys = NULL;
    dae_status status = dae_system_create(&sys, problem, m->form, m->p, &m->setting->baumgarte, report);
    if (!status)
        status = dae_system_start(sys, start, report);
    for (int i = 0; i < m->numbers; i++)
        x[i] = m->number[i].parameter >= 0 ? m->p[m->number[i].parameter] : start[m->number[i].unknown];
    dae_system_free(sys);
    free(start);
    return status;
}

/* ---- one run ---- */

static dae_status start(fit_model *m, const double *x)
{
    int begun = m->starts;
    for (int i = m->numbers - 1; i >= 0; i--)
        if (m->number[i].parameter >= 0)
            m->p[m->number[i].parameter] = x[i];
        else
            m->values[--begun] = x[i];
    m->why = (dae_report){.status = DAE_OK};
    dae_status status = dae_hybrid_set_parameters(m->hybrid, m->p, NULL);
    if (!status)
        status = m->starts ? dae_hybrid_start_with(m->hybrid, m->setting->problem->t0, m->which, m->values, m->starts,
                                                   &m->change)
                           : dae_hybrid_start(m->hybrid, 0, &m->change);
    if (status < 0)
        m->why = *dae_hybrid_report(m->hybrid);
    return status < 0 ? status : DAE_OK;
}

int fit_model_place(const fit_model *m, int mode, int column)
{
    const dae_system *sys = dae_hybrid_mode_system(m->hybrid, mode);
    const int count = dae_system_size(sys) + dae_system_multipliers(sys);
    int i = 0;
    while (i < count && m->columns.place[mode][i] != column)
        i++;
    return i < count ? i : -1;
}

static dae_rows *rows_at(fit_model *m, const double *t, int count, dae_hybrid_sensitivity *along)
{
    const dae_row_places places = {.times = t, .count = count, .recovered = 1, .sensitivity = along};
    dae_rows *rows;
    const dae_status status = dae_hybrid_rows(m->hybrid, t[count - 1], &places, &rows);
    if (status < 0)
        m->why = *dae_hybrid_report(m->hybrid);
    else if (!rows || rows->count < count)
        dae_fail(&m->why, DAE_ERROR_TEST, "the run ends at t = %.9g, before the last of the data: %s",
                 dae_hybrid_time(m->hybrid), dae_hybrid_report(m->hybrid)->message);
    if (!m->why.status)
        return rows;
    dae_rows_free(rows);
    return NULL;
}

dae_rows *fit_model_rows(fit_model *m, const double *x, const double *t, int count)
{
    return start(m, x) ? NULL : rows_at(m, t, count, NULL);
}

/* The value and the derivatives of datum k; 0 where the row has none. */
static int take(fit_model *m, const fit_data *data, const dae_rows *rows, int k, double *value, double *slope)
{
    const fit_datum *d = &data->datum[k];
    const int place = fit_model_place(m, rows->mode[d->row], d->unknown);
    const long row = (long)d->row * rows->width, derivatives = row * m->numbers;
    int good = place >= 0;
    value[k] = good ? rows->u[row + place] : NAN;
    for (int i = 0; good && i < m->numbers; i++) {
        slope[k + i * data->count] = rows->du[derivatives + m->direction[i] * rows->width + place];
        good = isfinite(slope[k + i * data->count]);
    }
    return good && isfinite(value[k]);
}

/* What starts are beside, in size. */
static void measure(fit_model *m, const dae_rows *rows)
{
    for (int i = 0; i < m->numbers; i++) {
        m->largest[i] = 0;
        for (long k = 0; m->number[i].parameter < 0 && k < rows->count; k++)
            if (rows->mode[k] == 0)
                m->largest[i] = fmax(m->largest[i], fabs(rows->u[k * rows->width + m->number[i].unknown]));
    }
}

dae_status fit_model_at(fit_model *m, const fit_data *data, const double *x, double *value, double *slope)
{
    const dae_status status = start(m, x);
    if (status)
        return status;
    dae_rows *rows = rows_at(m, data->t, data->rows, m->along);
    if (!rows)
        return m->why.status;
    int k = 0;
    while (k < data->count && take(m, data, rows, k, value, slope))
        k++;
    if (k < data->count)
        dae_fail(&m->why, DAE_UNSUPPORTED, "t = %.9g: %s has no %s there (mode %s)", data->datum[k].t,
                 m->columns.label[data->datum[k].unknown].name, isfinite(value[k])
                 ? "derivative: a datum at the time of an event, or a step that is not differentiated" : "value",
                 dae_hybrid_mode_name(m->hybrid, rows->mode[data->datum[k].row]));
    measure(m, rows);
    dae_rows_free(rows);
    return m->why.status;
}
