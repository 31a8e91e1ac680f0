/* fit.c - what was fitted, and how well it is known: a row for each number, for each two of them, for each part of a
 * direction, for each datum; and the run that was found, against time */
#include "tidy/tidy_run.h"

#include <math.h>
#include <string.h>

static const char *unit_of(const fit_result *r, int i)
{
    const fit_number *number = &r->spec.fit[i];
    const char *unit = "";
    if (number->parameter >= 0)
        unit = dae_parameter_at(r->spec.run.problem, number->parameter)->unit;
    else
        unit = r->model.columns.label[r->model.columns.place[0][number->unknown]].unit;
    return unit && strcmp(unit, "-") ? unit : "";
}

void tidy_fit(const tidy_item *item, const tidy_run *run)
{
    static const char *const sides[] = {"lower", "", "upper"};
    const fit_result *r = run->fit;
    for (int i = 0; i < r->spec.fits; i++) {
        table *t = tidy_row(item, run, "fit");
        table_text(t, "fitted", r->spec.fit[i].name);
        table_number(t, "value", "", r->x[i]);
        table_number(t, "error", "", fit_error(r, i));
        table_text(t, "fitted_unit", unit_of(r, i));
        table_number(t, "begin", "", r->start[i]);
        table_number(t, "bound_low", "", r->spec.fit[i].low);
        table_number(t, "bound_high", "", r->spec.fit[i].high);
        table_text(t, "at_bound", sides[1 + r->side[i]]);
        table_text(t, "determined", r->side[i] ? "held" : r->found.determined[i] ? "yes" : "no");
    }
}

void tidy_correlations(const tidy_item *item, const tidy_run *run)
{
    const fit_result *r = run->fit;
    for (int i = 0; i < r->spec.fits; i++)
        for (int j = 0; j <= i; j++) {
            const double covariance = r->found.covariance[i * r->spec.fits + j];
            table *t = tidy_row(item, run, "correlations");
            table_text(t, "fitted", r->spec.fit[i].name);
            table_text(t, "other", r->spec.fit[j].name);
            table_number(t, "covariance", "", covariance);
            table_number(t, "correlation", "", i == j ? covariance / covariance
                                                      : covariance / (fit_error(r, i) * fit_error(r, j)));
        }
}

void tidy_directions(const tidy_item *item, const tidy_run *run)
{
    const fit_result *r = run->fit;
    for (int d = 0; d < r->found.directions; d++)
        for (int i = 0; i < r->spec.fits; i++) {
            const double part = r->found.direction[d * r->spec.fits + i];
            if (part == 0)
                continue;
            table *t = tidy_row(item, run, "directions");
            table_count(t, "direction", d + 1);
            table_text(t, "determined", d < r->found.rank ? "yes" : "no");
            table_number(t, "relative_error", "", d < r->found.rank ? 1 / r->found.sigma[d] : NAN);
            table_text(t, "fitted", r->spec.fit[i].name);
            table_number(t, "part", "", part);
        }
}

void tidy_residuals(const tidy_item *item, const tidy_run *run)
{
    const fit_result *r = run->fit;
    for (int k = 0; k < r->data.count; k++) {
        const fit_datum *d = &r->data.datum[k];
        const column_label *label = &r->model.columns.label[d->unknown];
        table *t = tidy_row(item, run, "residuals");
        table_text(t, "file", r->spec.data.file[d->file]);
        table_count(t, "line", d->line);
        table_number(t, "t", item->time, d->t);
        table_text(t, "unknown", label->name);
        table_text(t, "unknown_unit", tidy_unit(label));
        table_text(t, "unknown_class", dae_class_name(label->kind));
        table_number(t, "datum", "", d->value);
        table_number(t, "deviation", "", fit_deviation_of(r, k));
        table_text(t, "deviation_is", isnan(d->sd) ? "estimated" : "given");
        table_number(t, "model", "", r->value[k]);
        table_number(t, "residual", "", fit_residual(r, k));
    }
}

static int has_data(const fit_result *r, int column)
{
    int k = 0;
    while (k < r->data.count && r->data.datum[k].unknown != column)
        k++;
    return k < r->data.count;
}

/* A row for each time and unknown of which there are data. */
void tidy_curve_of_fit(const tidy_item *item, const tidy_run *run)
{
    const fit_result *r = run->fit;
    for (int c = 0; r->curve && c < r->model.columns.count; c++)
        for (long k = 0; has_data(r, c) && k < r->curve->count; k++) {
            const int place = fit_model_place(&r->model, r->curve->mode[k], c);
            table *t = tidy_row(item, run, "curve");
            table_number(t, "t", item->time, r->curve->t[k]);
            table_text(t, "unknown", r->model.columns.label[c].name);
            table_number(t, "model", "", place < 0 ? NAN : r->curve->u[k * r->curve->width + place]);
        }
}
