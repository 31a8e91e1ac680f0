/* fit.c - what was fitted, how well the data determine it, and what they do not determine */
#include "report/report.h"

#include <math.h>

static int fits_of(const study_item *item) { return item->result.fit.spec.fits; }

/* The correlations of all numbers that have some, as a matrix. */
static void add_correlations(document *doc, const fit_result *r)
{
    table *t = table_new();
    const int n = r->spec.fits;
    int some = 0;
    table_head(t, "fitted", "", NULL);
    for (int i = 0; i < n; i++)
        if (r->found.determined[i]) {
            table_head(t, r->spec.fit[i].name, r->spec.fit[i].name, "%.3f");
            some++;
        }
    for (int i = 0; i < n; i++) {
        if (!r->found.determined[i])
            continue;
        table_put_text(t, r->spec.fit[i].name);
        for (int j = 0; j < n; j++)
            if (r->found.determined[j])
                table_put(t, i == j ? 1 : r->found.covariance[i * n + j] / (fit_error(r, i) * fit_error(r, j)));
    }
    if (some > 1)
        document_section_add(doc, "correlations", t);
    else
        table_free(t);
}

/* How many data an unknown has, their deviation where all have the same, and what the residuals are in deviations. */
static void add_unknown(table *t, const fit_result *r, int column)
{
    int count = 0, estimated = 0;
    double sum = 0, sd = NAN;
    for (int k = 0; k < r->data.count; k++) {
        const double own = fit_deviation_of(r, k), residual = fit_residual(r, k);
        if (r->data.datum[k].unknown != column)
            continue;
        sd = count == 0 || sd == own ? own : (double)NAN;
        estimated += isnan(r->data.datum[k].sd);
        sum += residual * residual;
        count++;
    }
    if (!count)
        return;
    table_put_text(t, r->model.columns.label[column].name);
    table_put_text(t, r->model.columns.label[column].unit);
    table_put(t, count);
    table_put(t, sd);
    table_put_text(t, estimated == count ? "estimated" : estimated ? "estimated where not given" : "given");
    table_put(t, sqrt(sum / count));
}

static void add_unknowns(document *doc, const fit_result *r)
{
    table *t = table_new();
    table_head(t, "unknown", "data of", NULL);
    table_head(t, "unit", "unit", NULL);
    table_head(t, "data", "data", "%.0f");
    table_head(t, "deviation", "standard deviation", "%.3g");
    table_head(t, "deviation_is", "", NULL);
    table_head(t, "residual", "residual / deviation, rms", "%.3f");
    for (int c = 0; c < r->model.columns.count; c++)
        add_unknown(t, r, c);
    document_section_add(doc, "data", t);
}

/* Given deviations can be wrong: chi^2 beyond three standard deviations of its distribution, by Wilson and Hilferty
 * (1931): (chi^2/f)^(1/3) is normal, of mean 1 - 2/(9 f) and variance 2/(9 f). */
static void remark_scatter(document *doc, const fit_result *r)
{
    const double f = r->freedom, variance = 2 / (9 * f), ratio = r->chi2 / f;
    const double away = (cbrt(ratio) - (1 - variance)) / sqrt(variance);
    if (r->given == r->data.count && f > 0 && fabs(away) > 3)
        document_remark(doc, "the residuals are %.3g times the deviations that were given: %s", sqrt(ratio),
                        away > 0 ? "the model, or the deviations, are wrong, and the standard errors are too small"
                                 : "the deviations are too large, and the standard errors, too");
}

/* Do residuals of an unknown change their sign as often as random ones? These do so every other time, so that n of
 * them have (n - 1)/2 changes, with a variance of (n - 1)/4. Those far below the deviations may be what they are. */
static void remark_signs(document *doc, const fit_result *r, int column)
{
    static const double SMALL = 0.01;
    int count = 0, changes = 0, before = 0;
    double sum = 0;
    for (int k = 0; k < r->data.count; k++) {
        const int sign = fit_residual(r, k) > 0 ? 1 : -1;
        if (r->data.datum[k].unknown != column)
            continue;
        sum += fit_residual(r, k) * fit_residual(r, k);
        changes += before == -sign;
        before = sign;
        count++;
    }
    if (r->at_noise < 0 && sum > SMALL * count && changes < (count - 1) / 2.0 - 3 * sqrt((count - 1) / 4.0))
        document_remark(doc, "the residuals of %s are not random, their sign changes %d times in %d: the model does "
                        "not describe the data, or this is not the least of all",
                        r->model.columns.label[column].name, changes, count);
}

static void remark_numbers(document *doc, const fit_result *r)
{
    char words[FIT_DIRECTION];
    for (int d = r->found.rank; d < r->found.directions; d++)
        document_remark(doc, "the data do not determine %s (relative changes): the model does not move along it, and "
                        "what is in it has no standard error", fit_direction_words(r, d, words));
    for (int i = 0; i < r->spec.fits; i++)
        if (r->side[i])
            document_remark(doc, "%s ends at its %s bound: the others, and their errors, are those with it held there",
                            r->spec.fit[i].name, r->side[i] < 0 ? "lower" : "upper");
        else if (r->found.determined[i] && fit_error(r, i) > fabs(r->size[i]))
            document_remark(doc, "the data hardly determine %s: its standard error is %.3g times its size",
                            r->spec.fit[i].name, fit_error(r, i) / fabs(r->size[i]));
}

void report_fit(document *doc, const study_item *item)
{
    const fit_result *r = &item->result.fit;
    const study_specification *o = &r->spec;
    int bounded = 0;
    for (int i = 0; i < fits_of(item); i++)
        bounded |= isfinite(o->fit[i].low) || isfinite(o->fit[i].high);
    report_table(doc, NULL, item, "fit", bounded ? "fitted value error fitted_unit begin bound_low bound_high at_bound"
                                                 : "fitted value error fitted_unit begin", NULL);
    add_correlations(doc, r);
    add_unknowns(doc, r);
    document_note(doc, "chi^2 = %.6g, %d degrees of freedom%s; residual standard deviation %.4g", r->chi2, r->freedom,
                  r->given == r->data.count || r->at_noise >= 0 ? ""
                  : r->given ? " (some deviations are estimated by the residuals)"
                  : " (deviations are estimated by the residuals: both are equal)",
                  r->freedom > 0 ? sqrt(r->chi2 / r->freedom) : (double)NAN);
    document_note(doc, "%s: %d runs with derivatives", report_run(o->form[0], o->method[0]).text, r->trials);
    if (r->failed)
        document_note(doc, "%d of them could not be made, and shorter steps were tried; the last: %s", r->failed,
                      r->why_failed);
    if (r->moved.position > 0 || r->moved.velocity > 0)
        document_note(doc, "the run that was found begins at the state on the constraints that is nearest: positions "
                      "are moved by %.2g, velocities by %.2g", r->moved.position, r->moved.velocity);
    remark_wrong(doc, &o->run, o->form[0], o->method[0]);
    remark_scatter(doc, r);
    for (int c = 0; c < r->model.columns.count; c++)
        remark_signs(doc, r, c);
    remark_numbers(doc, r);
    if (r->at_noise >= 0)
        document_remark(doc, "the deviation of %s is no larger than the errors of the integration: standard errors are "
                        "those of runs, not of data; give a smaller %s", r->model.columns.label[r->at_noise].name,
                        front_field(&o->run.front, r->model.options.step > 0 ? "step" : "rtol").text);
    if (r->status == DAE_NO_CONVERGENCE)
        document_remark(doc, "%s", r->message);
}
