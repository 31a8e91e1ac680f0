#include "judge_drawn.h"

#include <daelab/doubt.h>
#include <daelab/rows.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long MOST_STEPS = 40000;
enum { LOW_ORDER = 3 };         /* below it the number of steps grows so fast with 1/rtol that what they add is above
                                   the limit without any mistake */

typedef struct {
    dae_status status;
    long count;                 /* rows there are */
    double row[DRAWN_ROWS][DRAWN_MOST];
    char message[320];
} drawn_run;

static dae_status run_rows_of(const drawn *d, dae_hybrid *hybrid, drawn_run *r)
{
    dae_rows *rows = NULL;
    const dae_row_places places = {.times = d->time, .count = DRAWN_ROWS};
    dae_status status = dae_hybrid_start(hybrid, 0, NULL);
    if (!status)
        status = dae_hybrid_rows(hybrid, d->problem.t_end, &places, &rows);
    r->count = rows ? rows->count : 0;
    for (long k = 0; k < r->count; k++)
        memcpy(r->row[k], rows->u + k * rows->width, (size_t)d->width * sizeof r->row[k][0]);
    dae_rows_free(rows);
    snprintf(r->message, sizeof r->message, "%s", dae_hybrid_report(hybrid)->message);
    return status;
}

static void run(const drawn *d, const dae_method *method, double rtol, drawn_run *r)
{
    const dae_formulation_options data = {.alpha = 1, .beta = 1, .user_data = d->data};
    double atols[DRAWN_MOST];
    dae_hybrid *hybrid = NULL;
    dae_report why = {0};
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    options.atols = atols;
    options.max_steps = MOST_STEPS;
    for (int i = 0; i < d->width; i++)
        atols[i] = rtol * d->scale[i];
    *r = (drawn_run){0};
    r->status = dae_hybrid_create(&hybrid, &d->problem, subject_form(&d->problem), NULL, &data, method, &options, &why);
    if (r->status)
        snprintf(r->message, sizeof r->message, "%s", why.message);
    else
        r->status = run_rows_of(d, hybrid, r);
    dae_hybrid_free(hybrid);
}

/* The largest difference of rows in units of rtol |u| + atol, both with the largest |u|, and where. parts: of what is
 * held to the tolerance. */
static double apart(const drawn *d, int parts, double rtol, const double *x, const double *y)
{
    double most = 0, a[DRAWN_MOST], b[DRAWN_MOST], size[DRAWN_MOST];
    drawn_parts(d, x, a);
    drawn_parts(d, y, b);
    drawn_part_sizes(d, size);
    for (int i = 0; i < (parts ? d->parts : d->width); i++) {
        const double difference = parts ? fabs(a[i] - b[i]) : fabs(x[i] - y[i]), unit = parts ? size[i] : d->scale[i];
        const double error = unit > 0 ? difference / (2 * rtol * unit) : 0;
        most = error <= most ? most : isnan(error) ? INFINITY : error;
    }
    return most;
}

typedef struct { double error; double t; } worst;

static const double LATER = 1.2;        /* from one shift that is tried to the next */

/* The error of a row at t. Velocities jump at impacts, whose times are wrong as far as positions are. So it is the
 * least of max(s, error at t + s) over shifts s, in tolerances: the metric of Skorokhod (1956), Theory Probab. Appl. 1,
 * 261-290. The unit of s is the time in which a position moves by its tolerance. */
static double error_at(const drawn *d, int parts, double rtol, double t, const double *row)
{
    double right[DRAWN_MOST], unit = INFINITY;
    d->exact(d->data, t, right);
    double error = apart(d, parts, rtol, row, right);
    if (!d->problem.events)
        return error;
    for (int i = 0, nq = d->problem.mechanical.nq; i < nq; i++)
        unit = fmin(unit, 2 * rtol * d->scale[i] / d->scale[nq + i]);
    for (double s = 1; s < fmin(error, DRAWN_LIMIT); s *= LATER)
        for (int side = -1; side <= 1; side += 2) {
            d->exact(d->data, t + side * s * unit, right);
            error = fmin(error, fmax(s, apart(d, parts, rtol, row, right)));
        }
    return error;
}

static worst worst_row(const drawn *d, int parts, double rtol, const drawn_run *r, const drawn_run *from)
{
    worst w = {0, NAN};
    for (long k = 0; k < r->count && (!from || k < from->count); k++) {
        const double error = from ? apart(d, parts, rtol, r->row[k], from->row[k])
                                  : error_at(d, parts, rtol, d->time[k], r->row[k]);
        if (error > w.error)
            w = (worst){error, d->time[k]};
    }
    return w;
}

static judgement judge(verdict v, const char *what, worst w)
{
    judgement j = {.verdict = v};
    snprintf(j.why, sizeof j.why, "%s %.3g tolerances at t = %.9g", what, w.error, w.t);
    return j;
}

/* What is beyond the limit, but may be where a run at a tenth of the tolerance tells so */
static judgement judge_seen(const drawn *d, const dae_method *method, int parts, double rtol, const drawn_run *r,
                            const char *what)
{
    const worst w = worst_row(d, parts, rtol, r, NULL);
    drawn_run finer;
    if (w.error <= DRAWN_LIMIT)
        return judge(RIGHT, "", w);
    run(d, method, rtol / 10, &finer);
    const int seen = finer.status || worst_row(d, parts, rtol, r, &finer).error > DRAWN_LIMIT / 2;
    return judge(seen ? REMARKED : WRONG, what, w);
}

static int is_of_low_order(const drawn *d, const dae_method *method)
{
    const dae_class c = d->problem.mechanical.nq > 0 ? DAE_VELOCITY : DAE_DIFFERENTIAL;
    const double order = dae_method_order(method, subject_form(&d->problem), d->problem.first_order.index, c);
    return order > 0 && order < LOW_ORDER;              /* 0: it varies */
}

judgement judge_drawn(const drawn *d, const dae_method *method, double rtol, double *error)
{
    drawn_run r;
    *error = NAN;
    const dae_doubt doubt = {.problem = &d->problem, .form = subject_form(&d->problem), .method = method};
    if (dae_doubt_refuse(&doubt, "method", "force", NULL))
        return judge(REFUSED, "no order is declared:", (worst){NAN, NAN});
    run(d, method, rtol, &r);
    const worst w = worst_row(d, 1, rtol, &r, NULL);
    *error = r.status ? NAN : w.error;
    if (r.status) {
        judgement j = {.verdict = r.status == DAE_UNSUPPORTED ? REFUSED : FAILED};
        snprintf(j.why, sizeof j.why, "%s: %.300s", dae_status_name(r.status), r.message);
        return j;
    }
    if (r.count < DRAWN_ROWS)
        return judge(WRONG, "rows are missing,", w);
    if (w.error > DRAWN_LIMIT)
        return is_of_low_order(d, method) ? judge_seen(d, method, 1, rtol, &r, "low order:") : judge(WRONG, "", w);
    return judge_seen(d, method, 0, rtol, &r, "algebraic:");
}
