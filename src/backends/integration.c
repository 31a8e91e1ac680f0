/* integration.c - the runs of all integrators of SUNDIALS
 *
 * Each goes its own way: a stop before the end of the problem's interval cuts no step. What is shown
 * there is its polynomial inside the step that goes past it, or, of IDA, continued from a step that ended a
 * small part of itself before. So however close stops are, no step is short, and errors are not divided by
 * it. Fixed steps end where the driver says.
 *
 * Where nobody looks at single steps, an integrator makes all of them to the end of the interval in one call. As
 * it asks for its weights once before each step, the driver hears of the last one then.
 *
 * Their times begin at 0 with each start: they add steps of size h to t, and where t is large what t + h is
 * rounded by is an error of each step, h not being the difference of its ends any more.
 *
 * A projection moves u by d, a constant added to all of an integrator's history: its differences and u'
 * stay.
 */
#include "integration.h"

#include "events/watch.h"
#include "projection/projection.h"
#include "stepper/output.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CLOSE = 0.1;        /* of the last step: so far its polynomial goes on */
static const double NEAR = 1e-3;        /* of the way to a stop: where F must not jump */
static const double ROUNDING = 2 * DBL_EPSILON;         /* of t: what sums and differences of times may be off */
static const double FIRST = 1024 * DBL_EPSILON;         /* of t: a first step whose length t resolves */

/* ---- failures ----------------------------------------------------------------------------- */

/* What a flag means; a step given up for its Newton matrix is told by the linear solver. */
static dae_status classify(const dae_integration *r, int flag)
{
    long last = 0;
    const dae_integrator *code = r->code;
    const int linear = flag == code->conv_fail || flag == code->setup_fail;
    if (r->singular)
        return DAE_SINGULAR;
    if (linear && r->linear.of.jac && code->linear_flag(r->memory, &last) == 0) {
        if (last == SUNLS_LUFACT_FAIL || last == SUNLS_PACKAGE_FAIL_REC)
            return DAE_SINGULAR;
        if (last == code->linear_not_finite)
            return DAE_NOT_FINITE;
    }
    return dae_flag_status(code->flags, flag);
}

/* The words of a failure, which begin with a time of the integrator: with that of the problem, in text. */
static const char *told(const dae_integration *r, char *text, size_t size)
{
    static const char mark[] = "At t = ";
    const char *words = r->words.text, *at = strstr(words, mark);
    if (!at || r->t_start == 0)
        return words;
    char *rest;
    at += sizeof mark - 1;
    const double own = strtod(at, &rest);
    snprintf(text, size, "%.*s%g%s", (int)(at - words), words, dae_integration_time(r, own), rest);
    return text;
}

/* "t = 0.31, h = 1.2e-09: IDA: ..." with IDA's own words */
dae_status dae_integration_explain(dae_solver *s, int flag)
{
    const dae_integration *r = s->stepper;
    dae_integration_counts now = {0};
    const dae_status status = classify(r, flag);
    r->code->counted(r->memory, &now);
    char text[sizeof r->words.text + 32];
    return dae_fail(&s->report, status, "t = %.9g, h = %.3g: %s: %s", s->t, now.next, r->code->name,
                    r->words.text[0] ? told(r, text, sizeof text) : dae_flag_name(r->code->flags, flag));
}

/* ---- creation ----------------------------------------------------------------------------- */

int dae_integration_create(dae_integration *r, const dae_integrator *code, int length,
                           const dae_solver *s)
{
    const size_t n = (size_t)s->n;
    r->code = code;
    r->usual_part = 1;
    r->length = length;
    if (dae_sundials_context(&r->context, &r->words))
        return 0;
    r->u = N_VNew_Serial(length, r->context);
    r->du = N_VNew_Serial(length, r->context);
    r->dense = N_VNew_Serial(length, r->context);
    r->ends = calloc(3 * n, sizeof *r->ends);
    if (!r->u || !r->du || !r->dense || !r->ends)
        return 0;
    if (s->options.project) {
        r->offset = calloc((size_t)length, sizeof *r->offset);
        r->whole = calloc((size_t)length, sizeof *r->whole);
        if (!r->offset || !r->whole)
            return 0;
    }
    N_VConst(0, r->u);
    N_VConst(0, r->du);
    return 1;
}

int dae_integration_take_components(dae_integration *r, const dae_solver *s)
{
    r->components = driver(s)->components;
    if (r->components && !r->whole)
        r->whole = calloc((size_t)r->length, sizeof *r->whole);
    return !r->components || r->whole;
}

dae_status dae_integration_create_linear(dae_solver *s, int of_ode)
{
    dae_integration *r = s->stepper;
    const dae_status status = dae_sundials_linear_create(&r->linear, s, of_ode, r->context);
    if (!status)
        r->linear.of.jac->pair.count = &r->own;         /* added to its own after each step */
    return status;
}

void dae_integration_free(dae_integration *r)
{
    N_Vector vectors[] = {r->u, r->du, r->dense};
    dae_sundials_linear_free(&r->linear);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (r->context)
        SUNContext_Free(&r->context);
    free(r->offset);
    free(r->whole);
    free(r->ends);
}

/* ---- from one step to the next ------------------------------------------------------------- */

/* r->h := the step that will be tried, which the weights depend on */
static void foresee_next(dae_solver *s, dae_integration *r)
{
    r->h = fmin(r->counts.next, r->far - r->reached);
    s->t_new = r->reached + r->h;                       /* for differences */
    if (r->undefined)
        r->edge = r->reached;
    r->undefined = r->singular = 0;
}

/* It has come to t. */
static dae_status move_on(dae_solver *s, dae_integration *r, double t)
{
    r->last = r->counts.last;
    const int ends = r->undefined || fabs(t - r->edge) <= FIRST * fabs(t);
    if (!(t > r->reached))
        return dae_fail(&s->report, ends ? DAE_NOT_FINITE : DAE_SMALL_STEP,
                        "t = %.17g, h = %.3g: %s: the step does not change t%s", s->t, r->h,
                        r->code->name,
                        ends ? ", and behind it the equations are not finite" : "");
    r->reached = t;
    return DAE_OK;
}

/* ---- what integrators ask ----------------------------------------------------------------- */

double *dae_integration_moved_unknowns(const dae_integration *r, const double *w)
{
    if (r->components)
        dae_components_back(r->components, w, r->whole);
    for (int i = 0; i < r->length; i++)
        r->whole[i] = (r->components ? r->whole[i] : w[i]) + (r->offset ? r->offset[i] : 0);
    return r->whole;
}

static const double FEW_STEPS = 1e-3;   /* the tolerance down to which a step may err by all of it */
static const double LEAST = 128 * DBL_EPSILON;          /* local tolerance, in rounding of the unknowns */

/* The errors of steps add up: in lightly damped components no later step makes them smaller. With N ~ r^(-1/(k+1))
 * steps at order k of local tolerance r, errors of either sign come to r sqrt(N), which is the tolerance for a part
 * rtol^(1/(2k+1)) of it: 1/9 at order 4, 1/11 at order 5. Where steps are few, one may err by all of it. */
double dae_bdf_part(const dae_solver *s)
{
    const double rtol = s->options.rtol, part = pow(rtol / FEW_STEPS, 0.1);
    return s->adaptive && dae_system_index(s->sys) <= 1 ? fmin(1, fmax(part, LEAST / rtol)) : 1;
}

/* Where no unknown has an index above 1, nor carries what another one is. */
static void weigh_simply(const dae_solver *s, const double *restrict x, int length, double *restrict weight)
{
    const double rtol = s->options.rtol, part = ((const dae_integration *)s->stepper)->part;
    const double *restrict atol = s->atol;
    for (int i = 0; i < length; i++)
        weight[i] = 1 / (part * (rtol * fabs(x[i]) + atol[i]));
}

static void weigh(const dae_solver *s, const double *x, double *weight)
{
    const dae_integration *r = s->stepper;
    const double h = dae_index_scale(s, r->h);
    const int *index = dae_indices(s);
    const dae_state_mass *carried = s->sys->carried;    /* the mean is that of u, without w */
    const double mean = carried && r->length > carried->n ? sqrt((double)r->length / carried->n) : 1;
    for (int i = 0; i < r->length; i++) {
        const double size = dae_usual_size(s, i, fabs(x[i]));
        weight[i] = carried && dae_system_follows(s->sys, i)
                    ? 0 : mean / (r->part * (s->options.rtol * size + s->atol[i]));
        for (int k = index[i]; k > 1; k--)
            weight[i] *= h;
    }
}

/* In first-order index 2 the polynomial has no digit of an algebraic unknown, and that at the ends of steps is good. */
static int ends_at_stops(const dae_solver *s) { return s->sys->index == 2 && s->sys->nq == 0; }

/* Is t_stop so near that no step is made to it? A short one would spoil multipliers, whose errors go with powers of
 * 1/h. In index 2 those of a step of e times the last are rtol/e, and the polynomial's are e: equal at root rtol. */
static int is_close(const dae_solver *s, const dae_integration *r, double t_stop)
{
    const double close = ends_at_stops(s) ? fmin(CLOSE, sqrt(s->options.rtol)) : CLOSE;
    return r->code->goes_past && t_stop - r->reached <= close * r->last;
}

/* The driver gets the step that has ended in w, if there was one since it was last asked. 0: it is refused, or the
 * last. */
static int keep_step(dae_solver *s, dae_integration *r, N_Vector w)
{
    const long before = r->counts.steps;
    if (r->code->progress(r->memory, &r->counts))
        return 0;
    if (r->counts.steps == before)
        return 1;
    r->refused = move_on(s, r, dae_integration_time(r, r->counts.now));
    if (r->refused)
        return 0;
    s->t_new = r->reached;
    s->count.steps = r->before.steps + r->counts.steps;
    r->unpack(s, r->reached, w, s->u_new);
    r->refused = driver(s)->keep_step(s);
    foresee_next(s, r);
    r->arrived = !r->refused && is_close(s, r, r->far);
    return !r->refused && !r->arrived;
}

int dae_integration_weights(N_Vector w, N_Vector out, void *data)
{
    dae_solver *s = data;
    dae_integration *r = s->stepper;
    if (r->striding && !keep_step(s, r, w))
        return -1;
    const double *x = dae_integration_unknowns(r, w);
    if (s->sys->carried || driver(s)->scales_by_rate)
        weigh(s, x, NV_DATA_S(out));
    else
        weigh_simply(s, x, r->length, NV_DATA_S(out));
    return 0;
}

/* ---- what it has done --------------------------------------------------------------------- */

/* What was evaluated since it was last looked at */
static void take_work(dae_solver *s, dae_integration *r)
{
    s->count.rhs += r->own.rhs;
    s->count.jacobians += r->own.jacobians;
    r->own = (dae_statistics){0};
}

/* ---- start -------------------------------------------------------------------------------- */

dae_status dae_integration_start(dae_solver *s)
{
    dae_integration *r = s->stepper;
    r->words = (dae_words){0};
    r->part = r->usual_part;
    r->own = (dae_statistics){0};                       /* every run counts alike */
    r->begun = r->singular = r->striding = r->arrived = 0;
    r->reached = r->t_start = s->t;
    r->last = r->h = 0;
    r->edge = NAN;
    r->stop = r->own_stop = NAN;
    r->counts = (dae_integration_counts){0};
    memcpy(r->ends + 2 * s->n, s->u, (size_t)s->n * sizeof *s->u);
    r->before = s->count;
    if (r->offset)
        memset(r->offset, 0, (size_t)r->length * sizeof *r->offset);
    memcpy(NV_DATA_S(r->u), s->u, (size_t)r->length * sizeof *s->u);
    if (r->components)
        dae_components_of(r->components, s->u, NV_DATA_S(r->u));
    const dae_status status = r->slope(s);
    take_work(s, r);
    if (status)
        return status;
    int flag = r->code->restart(s);
    if (!flag && s->options.max_step > 0)
        flag = r->code->set_max_step(r->memory, s->options.max_step);
    return flag ? dae_integration_explain(s, flag) : DAE_OK;
}

/* A thousandth of the way, or where u moves by half its tolerance. */
static double first_step(const dae_solver *s, const dae_integration *r, double t_stop)
{
    const double *du = NV_DATA_S(r->du);
    double sum = 0;
    for (int i = 0; i < r->length; i++) {
        if (s->sys->carried && dae_system_follows(s->sys, i))
            continue;
        const double rate = du[i] / (s->options.rtol * fabs(s->u[i]) + s->atol[i]);
        sum += rate * rate;
    }
    const double norm = sqrt(sum / r->length), h = 1e-3 * (t_stop - s->t);
    return norm * h > 0.5 ? 0.5 / norm : h;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* How far it may go past a stop: where F jumps there, not at all. */
static double farthest(dae_solver *s, dae_integration *r, double t_stop)
{
    const double far = dae_farthest(s, t_stop), near = NEAR * (t_stop - r->reached);
    const double h = r->h > 0 ? r->h : INFINITY;
    if (ends_at_stops(s))
        return t_stop;
    if (far <= t_stop || t_stop - r->reached > 2 * h)
        return far;
    r->own.rhs += 3;
    return dae_jumps(s, t_stop, near, fmin(near, far - t_stop)) ? t_stop : far;
}

/* The size of the first step: as the options give it, unless a projection has undone that. */
static double size_of_first(const dae_solver *s, const dae_integration *r, double far)
{
    const dae_options *o = &s->options;
    const int given = o->first_step > 0 && s->t == s->t_begin && s->count.rejected == 0;
    const double h = given ? o->first_step : first_step(s, r, far);
    return o->max_step > 0 ? fmin(h, o->max_step) : h;
}

/* r->h := the first step, of size h where that is not 0 */
static int foresee_first(dae_solver *s, dae_integration *r, double h)
{
    r->h = h > 0 ? h : size_of_first(s, r, r->far);
    if (dae_watched(s))                                     /* order 1 for the least part of a short flight */
        r->h = fmin(r->h, 0x1p-11 * dae_watch_first_step(s));
    r->h = fmax(r->h, fmin(FIRST * fabs(s->t), r->far - s->t));
    const int flag = r->code->set_first_step(r->memory, r->h);
    r->counts.next = r->h;
    r->begun = 1;
    return flag;
}

/* Counters of the integrator; a setup is one factorization, an iteration one solve. */
static int count(dae_solver *s, dae_integration *r)
{
    const dae_integration_counts *i = &r->counts;
    const dae_statistics *before = &r->before;
    dae_statistics *c = &s->count;
    const int flag = r->code->counted(r->memory, &r->counts);
    c->steps = before->steps + i->steps;
    c->factorizations = before->factorizations + i->setups;
    c->solves = before->solves + i->iterations;
    c->newton_failures = before->newton_failures + i->conv_fails;
    c->rejected = before->rejected + i->error_fails + i->step_fails;
    take_work(s, r);
    if (!r->linear.of.jac)
        return flag;
    c->nonzeros = r->linear.of.jac->pair.pattern.nnz;
    c->fill = dae_pencil_fill(r->linear.of.pencil);
    return flag;
}

/* Of fixed size, to t_stop. */
static int foresee_fixed(dae_integration *r, double t_stop)
{
    r->h = t_stop - r->t_start - r->counts.now;
    return r->h <= 0 ? 0 : r->code->set_size(r->memory, r->h);
}

/* An integrator that has stopped forgets where. */
static int stop_at(dae_integration *r, double far)
{
    if (far == r->stop)
        return 0;
    r->stop = far;
    r->own_stop = far - r->t_start;
    return r->code->set_stop(r->memory, r->own_stop);
}

/* May the integrator make all steps to far = t_stop in one call? Nobody looks at them one by one. */
static int may_stride(const dae_solver *s, const dae_integration *r, double h, double t_stop)
{
    return r->code->stride && s->adaptive && h == 0 && r->far <= t_stop && !driver(s)->watcher
           && !driver(s)->observer && !driver(s)->projection;
}

static int solve(dae_solver *s, dae_integration *r, double h, double t_stop, double *t)
{
    int flag = 0;
    *t = r->counts.now;
    r->words.text[0] = 0;
    r->refused = DAE_OK;
    r->arrived = 0;
    r->far = h > 0 ? t_stop : farthest(s, r, t_stop);
    if (!s->adaptive)
        flag = foresee_fixed(r, r->far);
    else if (!r->begun)
        flag = foresee_first(s, r, h);
    if (s->adaptive)
        foresee_next(s, r);
    else
        s->t_new = r->reached + r->h;
    if (!flag)
        flag = stop_at(r, r->far);
    r->striding = may_stride(s, r, h, t_stop);
    if (!flag)
        flag = (r->striding ? r->code->stride : r->code->step)(s, r->own_stop, t);
    r->striding = 0;
    *t = dae_integration_time(r, *t);
    if (flag)
        r->stop = r->own_stop = NAN;
    return flag;
}

/* Of a stride, which may have asked for weights after the last one, or not. */
static dae_status too_many_steps(dae_solver *s, dae_integration *r, double t)
{
    dae_status status = DAE_OK;
    if (t > r->reached) {
        s->t_new = r->reached = t;
        r->unpack(s, t, r->u, s->u_new);
        status = driver(s)->keep_step(s);
    }
    return status ? status
                  : dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps did not reach t = %g", s->t,
                             s->options.max_steps, s->t_end);
}

/* An explicit integrator gives up where f is not defined at a stage. What it has done may be refused, too: a step of
 * size *h. */
static int is_to_be_shorter(dae_solver *s, dae_integration *r, int flag, double *h)
{
    if (!s->adaptive || r->linear.of.jac || (flag >= 0 && !r->code->refuses) || count(s, r) < 0)
        return 0;
    *h = flag < 0 ? r->h : r->counts.last;
    if (flag < 0)
        return r->undefined && dae_flag_status(r->code->flags, flag) == DAE_NOT_FINITE;
    const int refused = r->code->refuses(s);
    take_work(s, r);
    s->count.steps -= refused;
    return refused;
}

/* It begins anew, with a quarter of the step h. 0: it cannot. */
static int begin_shorter(dae_solver *s, double *h, dae_status *status)
{
    dae_integration *r = s->stepper;
    *h /= 4;
    if (*h < FIRST * fabs(s->t) || !(s->t + *h > s->t))
        return 0;
    *status = dae_integration_start(s);
    s->count.rejected = ++r->before.rejected;
    return !*status;
}

/* Did it end because steps became too small? */
static int too_small(const dae_integration *r, int flag)
{
    const dae_status why = flag >= 0 ? DAE_OK : r->refused ? r->refused : dae_flag_status(r->code->flags, flag);
    return why == DAE_ERROR_TEST || why == DAE_SMALL_STEP || why == DAE_NO_CONVERGENCE;
}

/* Where steps become too small, rounding of F may be more than a part of the tolerance: from where the integrator has
 * come to it goes on with all of it. 0: that is no reason. */
static int begin_with_all(dae_solver *s, int flag, dae_status *status)
{
    dae_integration *r = s->stepper;
    if (r->part >= 1 || !too_small(r, flag) || count(s, r) < 0)
        return 0;
    *status = dae_integration_start(s);
    r->part = 1;
    return !*status;
}

/* A step of the integrator's own, to r->reached. */
static dae_status go_on(dae_solver *s, dae_integration *r, double h, double t_stop)
{
    double t;
    int flag = solve(s, r, h, t_stop, &t);
    dae_status begun = DAE_OK;
    while (is_to_be_shorter(s, r, flag, &h) && begin_shorter(s, &h, &begun))
        flag = solve(s, r, h, t_stop, &t);
    if (!begun && begin_with_all(s, flag, &begun))
        flag = solve(s, r, h, t_stop, &t);
    if (begun)
        return begun;
    const int counted = count(s, r);
    if (r->arrived && counted >= 0)
        return DAE_OK;
    if (flag < 0 && flag == r->code->too_many && counted >= 0)
        return too_many_steps(s, r, t);
    if (flag < 0 || counted < 0)
        return r->refused ? r->refused : dae_integration_explain(s, flag < 0 ? flag : counted);
    return move_on(s, r, t);
}

/* What the integrator calls t; an end of its last step where t is that but for its rounding. */
static double own_time(const dae_integration *r, double t)
{
    const double now = r->counts.now, begin = now - r->last, own = t - r->t_start, rounding = ROUNDING * fabs(t);
    return fabs(own - now) <= rounding ? now : fabs(own - begin) <= rounding ? begin : own;
}

/* u[n] := the integrator's polynomial at t. */
static dae_status evaluate(dae_solver *s, dae_integration *r, double t, double *u)
{
    r->words.text[0] = 0;
    const int flag = r->code->dense(r->memory, own_time(r, t), 0, r->dense);
    if (flag)
        return dae_integration_explain(s, flag);
    r->unpack(s, t, r->dense, u);
    take_work(s, r);
    return DAE_OK;
}

/* The state at a stop that is no end of a step of the integrator's: as good as those. */
static dae_status stop_beside(dae_solver *s, dae_integration *r)
{
    const double now = dae_integration_time(r, r->counts.now), old = dae_integration_time(r, r->counts.now - r->last);
    double *begin = r->ends, *end = begin + s->n;
    dae_status status = evaluate(s, r, s->t_new, s->u_new);
    if (!status && driver(s)->output)
        status = evaluate(s, r, old, begin);
    if (!status && driver(s)->output)
        status = evaluate(s, r, now, end);
    if (!status)
        dae_output_between(s, old, begin, now, end, s->t_new, s->u_new);
    if (!status)
        dae_short_start_start(s, s->t_new - r->t_start, r->ends + 2 * s->n);
    return status;
}

dae_status dae_integration_step(dae_solver *s, double h, double t_stop)
{
    dae_integration *r = s->stepper;
    dae_status status = DAE_OK;
    const double least = h > 0 ? s->t_new : nextafter(s->t, INFINITY);
    int close = h == 0 && r->reached <= s->t && is_close(s, r, t_stop);
    if (h > 0)
        t_stop = s->t_new;
    while (!status && !close && r->reached < least) {
        status = go_on(s, r, h, t_stop);
        close = r->arrived;
    }
    if (status)
        return status;
    s->t_new = close ? t_stop : fmin(t_stop, r->reached);
    if (s->t_new != r->reached)
        return stop_beside(s, r);
    r->unpack(s, r->reached, r->u, s->u_new);
    take_work(s, r);
    return DAE_OK;
}

void dae_integration_moved(dae_solver *s, const double *by)
{
    dae_integration *r = s->stepper;
    for (int i = 0; i < r->length; i++)
        r->offset[i] += by[i];
}

dae_status dae_integration_interpolate(dae_solver *s, double t, double *u)
{
    dae_integration *r = s->stepper;
    if (t > s->t)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %.9g lies behind the last step, which "
                        "ended at %.9g", t, s->t);
    const dae_status status = evaluate(s, r, t, u);
    if (status)
        return status;
    dae_projection_blend(s, -(s->t - t) / (s->t - s->t_old), u);  /* at t_old before the last move */
    dae_output_finish(s, t, u);
    return DAE_OK;
}
