#include "judge.h"

#include "run/order.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LIMIT = 100;        /* rtol */
static const double SLACK = 1.5;
static const double WORK = 2e7;         /* steps times unknowns that a run may take */

const char *const verdict_names[VERDICTS] = {"right", "remarked", "failed", "WRONG", "refused"};

static judgement say(verdict v, const char *format, ...)
{
    judgement j = {.verdict = v};
    va_list args;
    va_start(args, format);
    vsnprintf(j.why, sizeof j.why, format, args);
    va_end(args);
    return j;
}

static judgement failure(const run_rows *r)
{
    return say(r->status == DAE_UNSUPPORTED ? REFUSED : FAILED, "%s: %s",
               dae_status_name(r->status), r->message);
}

static dae_options limited(const subject *s)
{
    dae_options options = dae_default_options();
    options.max_steps = (long)(WORK / s->width);
    return options;
}

/* ---- by class ----------------------------------------------------------------------------- */

typedef struct { double largest, mean_square; } deviation;      /* relative to the size of motion */

typedef enum { BETWEEN_STEPS, ON_STEP, ALL_ROWS } row_kind;

/* Rows from those of another run, or from what is right; NaN where the class has no unknowns. */
static deviation deviate(const subject *s, const double *row, const double *from, dae_class c,
                         row_kind kind)
{
    deviation d = {NAN, 0};
    for (int k = 0; k < ROWS; k++) {
        double most = NAN;
        if (kind != ALL_ROWS && s->on_step[k] != (kind == ON_STEP))
            continue;
        for (int j = 0; j < s->width; j++) {
            const double x = row[k * s->width + j], y = from[k * s->width + j];
            if (s->class_of[j] == c && !(isnan(x) && isnan(y)))
                most = fmax(most, isnan(x - y) ? INFINITY : fabs(x - y) / s->scale[j]);
        }
        d.largest = fmax(d.largest, most);
        d.mean_square += isnan(most) ? 0 : most * most / ROWS;
    }
    d.mean_square = sqrt(d.mean_square);
    return d;
}

/* Has the run any number of this class? */
static int has(const subject *s, const run_rows *r, dae_class c)
{
    for (int i = 0; i < ROWS * s->width; i++)
        if (s->class_of[i % s->width] == c && !isnan(r->row[i]))
            return 1;
    return 0;
}

/* The order declared for a class; NaN: none. */
static double declared(const subject *s, const dae_formulation *form, const dae_method *method,
                       dae_class c)
{
    dae_system *sys;
    if (dae_system_create(&sys, s->problem, form, NULL, NULL, NULL))
        return NAN;
    const int index = dae_system_index(sys);
    const int free = dae_system_positions(sys) && !dae_system_multipliers(sys);
    const dae_formulation *named = free ? run_form_of_index(s->problem, 1) : form;
    dae_system_free(sys);
    return dae_method_order(method, named, index, c);
}

/* Between steps no more than that of the dense output. */
static double order_of_rows(const subject *s, const dae_formulation *form, const dae_method *method,
                            dae_class c, row_kind kind)
{
    const double order = declared(s, form, method, c);
    const double dense = dae_method_describe(method).dense_order;
    return kind == BETWEEN_STEPS && dense > 0 && dense < order ? dense : order;
}

/* ---- by tolerance ------------------------------------------------------------------------- */

static judgement judge_class(const subject *s, const dae_formulation *form,
                             const dae_method *method,
                             const run_rows *r, const run_rows *finer, double rtol, dae_class c)
{
    const double error = deviate(s, r->row, s->right, c, ALL_ROWS).largest / rtol;
    const double seen = finer->status
                            ? NAN : deviate(s, r->row, finer->row, c, ALL_ROWS).largest / rtol;
    const double order = declared(s, form, method, c);
    const char *name = dae_class_name(c);
    if (error <= LIMIT && !(seen > LIMIT / 2 && error < LIMIT / 4))
        return say(RIGHT, "%s: %.3g rtol", name, error);
    if (error <= LIMIT)
        return say(WRONG, "%s: %.3g rtol, but estimated at %.3g rtol", name, error, seen);
    if (order == 0)
        return say(REMARKED, "%s: order 0; %.3g rtol", name, error);
    return say(seen > LIMIT / 2 ? REMARKED : WRONG, "%s: %.3g rtol, estimated at %.3g rtol", name,
               error, seen);
}

static void keep_worse(judgement *worst, judgement j)
{
    if (j.verdict > worst->verdict)
        *worst = j;
}

judgement judge_tolerance(const subject *s, const dae_formulation *form, const dae_method *method,
                          double rtol)
{
    dae_options options = limited(s);
    options.rtol = options.atol = rtol;
    run_rows r = subject_run(s, form, method, options), finer = {.status = DAE_NO_CONVERGENCE};
    judgement worst = {.verdict = RIGHT};
    if (r.status) {
        worst = failure(&r);
    } else {
        options.rtol = options.atol = rtol / 10;
        options.max_steps *= 10;
        finer = subject_run(s, form, method, options);
        for (dae_class c = 0; c < DAE_CLASSES; c++)
            if (has(s, &r, c))
                keep_worse(&worst, judge_class(s, form, method, &r, &finer, rtol, c));
    }
    free(r.row);
    free(finer.row);
    return worst;
}

/* ---- with fixed steps --------------------------------------------------------------------- */

/* Steps on which the method should show its orders: the middle of the ladder of converge. */
static double usual_step(const subject *s, const dae_formulation *form, const dae_method *method)
{
    const order_subject what = {.problem = s->problem, .form = form, .method = method,
                                   .pace = s->pace};
    const order_ladder ladder = order_default_ladder(&what);
    return order_ladder_step(&ladder, s->t_end - s->t0, (ladder.levels - 1) / 2);
}

/* What N steps leave of rounding in an unknown of index k: order.h. */
static double rounding(const run_rows *r, double index)
{
    const double steps = fmax(1, (double)r->count.steps);
    return 200 * DBL_EPSILON * sqrt(steps) * pow(steps, index - 1);
}

static double index_of_class(const dae_formulation *form, dae_class c)
{
    const int index = dae_formulation_describe(form).index;
    return c == DAE_MULTIPLIER || c == DAE_ALGEBRAIC ? fmax(1, index)
           : c == DAE_VELOCITY && index == 3 ? 2 : index == 3 ? 1.5 : 1;
}

enum { HALVINGS = 3 };

static judgement judge_order(const subject *s, const dae_formulation *form,
                             const dae_method *method,
                             const run_rows *r, dae_class c, row_kind kind)
{
    const double order = order_of_rows(s, form, method, c, kind);
    const double coarse = deviate(s, r[0].row, s->right, c, kind).mean_square;
    const double fine = deviate(s, r[1].row, s->right, c, kind).mean_square;
    const double first = deviate(s, r[0].row, r[1].row, c, kind).mean_square;
    const double second = deviate(s, r[1].row, r[2].row, c, kind).mean_square;
    const double seen = log2(first / second);
    const char *name = dae_class_name(c), *where = kind == ON_STEP ? "" : " between steps";
    if (isnan(order) || fine <= rounding(&r[1], index_of_class(form, c)))
        return say(RIGHT, "%s: %.3g", name, fine);
    if (fine <= SLACK * pow(2, -order) * coarse)
        return say(RIGHT, "%s: %.3g to %.3g", name, coarse, fine);
    if (!r[2].status && fabs(seen - order) > log2(SLACK) / 2)
        return say(REMARKED, "%s%s: order %.2f seen, %g declared; %.3g to %.3g", name, where, seen,
                   order, coarse, fine);
    return say(WRONG, "%s%s: %.3g to %.3g, not 2^-%g; order %.2f seen", name, where, coarse, fine,
               order, seen);
}

judgement judge_fixed(const subject *s, const dae_formulation *form, const dae_method *method)
{
    run_rows r[HALVINGS] = {{0}};
    dae_options options = limited(s);
    judgement worst = {.verdict = RIGHT};
    double step = usual_step(s, form, method);
    for (int k = 0; k < HALVINGS && !worst.verdict; k++, step /= 2) {
        options.step = step;
        r[k] = subject_run(s, form, method, options);
        if (r[k].status && k < 2)
            worst = failure(&r[k]);
    }
    const int ran = !worst.verdict;
    for (dae_class c = 0; ran && c < DAE_CLASSES; c++)
        for (row_kind kind = BETWEEN_STEPS; has(s, &r[0], c) && kind <= ON_STEP; kind++)
            keep_worse(&worst, judge_order(s, form, method, r, c, kind));
    for (int k = 0; k < HALVINGS; k++)
        free(r[k].row);
    return worst;
}
