/* sensitivity.c - derivatives of a run: those of its start, and of each step that the solver keeps */
#include "sensitivity.h"

#include "base/parts.h"
#include "projection/projection.h"
#include "stepper/output.h"
#include "system/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64 };

static dae_status told(const dae_variation *v, dae_status status, dae_report *report)
{
    if (status && report)
        *report = v->report;
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* du := that at the time where the step begins: a driver may undo a step, and go on from its begin, or from its end
 * after all. */
static dae_status take_begin(dae_sensitivity *w, const dae_solver *s)
{
    const size_t size = (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du;
    if (s->t_old == w->t_before && w->t > w->t_before) {
        memcpy(w->undone, w->v.du, size);
        w->t_undone = w->t;
        memcpy(w->v.du, w->before, size);
    } else if (s->t_old == w->t_undone && w->t != w->t_undone) {
        memcpy(w->v.du, w->undone, size);
    } else if (s->t_old != w->t) {
        return dae_fail(&w->v.report, DAE_UNSUPPORTED, "t = %.9g: a jump of algebraic unknowns has no derivatives here",
                        s->t_old);
    }
    memcpy(w->before, w->v.du, size);
    return DAE_OK;
}

dae_status dae_sensitivity_moved(dae_sensitivity *w, dae_solver *s)
{
    const unsigned project = s->options.project;
    const unsigned what = (project & DAE_PROJECT_POSITION ? DAE_VARY_POSITIONS : 0)
                          | (project & DAE_PROJECT_VELOCITY ? DAE_VARY_VELOCITIES : 0);
    return what ? dae_vary_projection(&w->v, what, s->t, dae_sensitivity_end(w, s), s->u) : DAE_OK;
}

const double *dae_sensitivity_end(dae_sensitivity *w, const dae_solver *s)
{
    if (!s->options.project)
        return s->u;
    memcpy(w->end, s->u, (size_t)s->n * sizeof *w->end);
    dae_projection_blend(s, -1, w->end);
    return w->end;
}

dae_status dae_sensitivity_step(dae_sensitivity *w, dae_solver *s)
{
    w->v.end = dae_sensitivity_end(w, s);
    const dae_status status = s->method->vary(s, &w->v);
    return status ? status : dae_sensitivity_moved(w, s);
}

/* ---- errors of du ------------------------------------------------------------------------------ */

/* What a change of a direction is: a parameter, or a start, by its own size. */
static double size_of_direction(const dae_sensitivity *w, int c)
{
    const dae_system *sys = w->v.sys;
    const double x = c < w->parameters ? sys->p[w->parameter[c]]
                     : c < w->parameters + w->unknowns ? w->solver->u[w->unknown[c - w->parameters]] : 0;
    return x != 0 ? fabs(x) : 1;
}

/* The norm of e[n], an error of du of direction c, in tolerances of u: rtol of the larger of u and what the direction
 * moves it by, and atol. By du_new at the end of the step */
static double norm_of(dae_sensitivity *w, int c, const double *e, const double *du_new, double h)
{
    const dae_solver *s = w->solver;
    const double unit = size_of_direction(w, c), rtol = s->options.rtol, *du = dae_du(&w->v, c);
    for (int i = 0; i < w->v.n; i++) {
        const double size = fmax(fabs(s->u[i]), fabs(s->u_new[i]));
        const double moves = unit * fmax(fabs(du[i]), fabs(du_new[i]));
        w->v.y[i] = unit * e[i] * (rtol * size + s->atol[i]) / (rtol * fmax(size, moves) + s->atol[i]);
    }
    return dae_error_norm(s, w->v.y, h);
}

/* The largest error of all directions */
static double error_of(dae_sensitivity *w, double h)
{
    double largest = 0;
    for (int c = 0; c < w->v.count; c++) {
        const double *du_new = w->tried + c * w->v.n;
        const double fine = norm_of(w, c, w->v.error + c * w->v.n, du_new, h);
        const double coarse = w->v.has_error > 1 ? norm_of(w, c, w->v.coarse + c * w->v.n, du_new, h) : 0;
        const double both = sqrt(fine * fine + 0.01 * coarse * coarse);
        largest = fmax(largest, w->v.has_error > 1 && both > 0 ? fine * (fine / both) : fine);
    }
    return largest;
}

/* The step that the solver has just made is its last one. */
static void accept(dae_solver *s)
{
    double *const u = s->u;
    s->u = s->u_new;
    s->u_new = s->u_old = u;
    s->t_old = s->t;
    s->t = s->t_new;
}

/* w->tried := du behind the step that was just made, from t to t_new; its error to s->error. */
static dae_status test_step(dae_sensitivity *w, dae_solver *s)
{
    const size_t size = (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du;
    const double t = s->t, t_old = s->t_old, h = s->t_new - t;
    double *const now = w->v.du, *const u_old = s->u_old;
    memcpy(w->tried, t == w->t ? now : w->before, size);
    w->v.du = w->tried;
    w->v.has_error = 0;
    accept(s);
    const dae_status status = dae_sensitivity_step(w, s);
    double *const u = s->u;
    s->u = s->u_new;
    s->u_new = u;
    s->u_old = u_old;
    s->t = t;
    s->t_old = t_old;
    w->v.du = now;
    w->t_tried[0] = t;
    w->t_tried[1] = status ? NAN : s->t_new;
    if (!status && !w->v.has_error)
        return dae_fail(&s->report, DAE_UNSUPPORTED, "%s has no estimate of the errors of derivatives",
                        s->method->info.name);
    const double error = status ? INFINITY : error_of(w, h);
    if (error > s->error) {
        s->error = error;
        const double wanted = h * dae_step_factor(s, h);
        s->h_next = error > 1 ? 0 : s->h_next > 0 ? fmin(s->h_next, wanted) : wanted;
    }
    return DAE_OK;
}

static dae_status test(void *sensitivity)
{
    dae_sensitivity *w = sensitivity;
    dae_solver *s = w->solver;
    if (!w->tested || w->status || w->run != driver(s)->runs || (s->t != w->t && s->t != w->t_before))
        return DAE_OK;                                  /* what is wrong is told when the step is kept */
    return test_step(w, s);
}

dae_status dae_sensitivity_test(dae_sensitivity *w, int on, dae_report *report)
{
    if (!w)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no sensitivities are given");
    const size_t all = (size_t)w->v.count * (size_t)w->v.n;
    if (on && !w->memory) {
        w->memory = dae_zeroed(3 * all + 1, sizeof *w->memory);
        if (!w->memory)
            return dae_fail(report, DAE_NO_MEMORY, "no memory for the errors of %d directions", w->v.count);
    }
    w->tested = on != 0;
    w->tried = w->memory;
    w->v.error = on ? w->memory + all : NULL;
    w->v.coarse = on ? w->memory + 2 * all : NULL;
    driver(w->solver)->test = on ? test : NULL;
    return DAE_OK;
}

/* ---- a step is kept ---------------------------------------------------------------------------- */

/* du behind the step, where it has been tested */
static int take_tried(dae_sensitivity *w, const dae_solver *s)
{
    if (!w->tested || w->t_tried[0] != s->t_old || w->t_tried[1] != s->t)
        return 0;
    memcpy(w->v.du, w->tried, (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du);
    return 1;
}

static void kept(void *sensitivity)
{
    dae_sensitivity *w = sensitivity;
    dae_solver *s = w->solver;
    if (w->status)
        return;
    w->status = w->run == driver(s)->runs ? take_begin(w, s)
                : dae_fail(&w->v.report, DAE_BAD_ARGUMENT,
                           "the solver has been started again, its sensitivities have not");
    if (!w->status && !take_tried(w, s))
        w->status = dae_sensitivity_step(w, s);
    memcpy(w->own, s->u, (size_t)s->n * sizeof *w->own);
    w->t_before = s->t_old;
    w->t = s->t;
}

/* From the begin of the last step to t, in so many equal steps */
static dae_status vary_parts(dae_sensitivity *w, double t, int parts)
{
    dae_solver *s = w->solver, *locator = driver(s)->event_solver;
    const double h = (t - s->t_old) / parts, *begin = s->u_old;
    double a = s->t_old;
    dae_status status = DAE_OK;
    memcpy(w->v.du, w->before, (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du);
    for (int k = 1; !status && k <= parts; k++) {
        const double b = k == parts ? t : s->t_old + k * h;
        status = driver(s)->step_to_event(s, a, begin, b, w->own);
        if (status)
            break;
        accept(locator);
        status = dae_sensitivity_step(w, locator);
        begin = w->own;
        a = b;
    }
    return status;
}

dae_status dae_sensitivity_to_event(dae_sensitivity *w, double t)
{
    const size_t size = (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du;
    dae_status status = w->status;
    if (status || t == w->t)
        return status;
    memcpy(w->undone, w->v.du, size);
    if (t == w->t_before) {
        memcpy(w->v.du, w->before, size);
        return DAE_OK;
    }
    status = driver(w->solver)->step_to_event ? DAE_ERROR_TEST : DAE_UNSUPPORTED;
    for (int parts = 1; status == DAE_ERROR_TEST || status == DAE_NO_CONVERGENCE; parts *= 2)
        if (parts > MOST_PARTS || !(status = vary_parts(w, t, parts)))
            break;
    return !status ? DAE_OK : dae_fail(&w->v.report, status,
                                       "t = %.12g: no step to the event can be differentiated", t);
}

/* ---- creation -------------------------------------------------------------------------------- */

dae_status dae_directions_check(const dae_solver *s, const dae_directions *d, int count, dae_report *report)
{
    const dae_system *sys = s->sys;
    if (!d || d->parameter_count < 0 || d->unknown_count < 0 || count <= 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no direction of a sensitivity is given");
    for (int i = 0; i < d->parameter_count; i++)
        if (d->parameters[i] < 0 || d->parameters[i] >= sys->parameters)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no parameter %d", sys->problem->name, d->parameters[i]);
        else if (d->parameters[i] == dae_counting_parameter(sys->problem))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %d counts copies, and has no derivative",
                            sys->problem->name, d->parameters[i]);
    for (int i = 0; i < d->unknown_count; i++)
        if (d->unknowns[i] < 0 || d->unknowns[i] >= sys->n)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no unknown %d", sys->problem->name, d->unknowns[i]);
    return DAE_OK;
}

dae_status dae_sensitivity_check_solver(const dae_solver *s, dae_report *report)
{
    const unsigned project = s->options.project;
    if (!s->method->vary)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no sensitivities: it does not differentiate its steps; "
                        "radau, rodas5p and dop853 do",
                        s->method->info.name);
    if (project & DAE_PROJECT_INVARIANT || (project && !s->sys->nq))
        return dae_fail(report, DAE_UNSUPPORTED, "sensitivities do not follow a projection on %s",
                        s->sys->nq ? "invariants" : "the constraints of a first-order problem");
    if (driver(s)->vary)
        return dae_fail(report, DAE_BAD_ARGUMENT, "the solver has sensitivities, or a gradient, already");
    return DAE_OK;
}

static dae_status allocate(dae_sensitivity *w, const dae_directions *d, dae_report *report)
{
    const size_t all = (size_t)w->v.count * (size_t)w->v.n;
    if (!DAE_PARTS(w,
                   DAE_PART(dae_sensitivity, before, all), DAE_PART(dae_sensitivity, undone, all),
                   DAE_PART(dae_sensitivity, end, w->v.n), DAE_PART(dae_sensitivity, own, w->v.n),
                   DAE_PART(dae_sensitivity, unknown, d->unknown_count),
                   DAE_PART(dae_sensitivity, parameter, d->parameter_count), DAE_PART(dae_sensitivity, held, w->v.n)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d directions", w->v.count);
    w->parameters = d->parameter_count;
    w->unknowns = d->unknown_count;
    for (int k = 0; k < w->unknowns; k++)
        w->unknown[k] = d->unknowns[k];
    for (int c = 0; c < w->parameters; c++) {
        w->parameter[c] = d->parameters[c];
        dae_dp(&w->v, c)[d->parameters[c]] = 1;
    }
    return DAE_OK;
}

dae_status dae_sensitivity_create(dae_sensitivity **out, dae_solver *solver, const dae_directions *directions,
                                  dae_report *report)
{
    return dae_sensitivity_create_for(out, solver, directions,
                                      directions ? directions->parameter_count + directions->unknown_count : 0, report);
}

dae_status dae_sensitivity_create_for(dae_sensitivity **out, dae_solver *solver, const dae_directions *directions,
                                      int count, dae_report *report)
{
    if (!out || !solver)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", out ? "solver" : "place for sensitivities");
    *out = NULL;
    dae_status status = dae_sensitivity_check_solver(solver, report);
    if (!status)
        status = dae_directions_check(solver, directions, count, report);
    if (status)
        return status;
    dae_sensitivity *w = dae_zeroed(1, sizeof *w);
    if (!w)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for sensitivities");
    w->solver = solver;
    w->status = dae_fail(&w->v.report, DAE_BAD_ARGUMENT, "dae_sensitivity_start comes first");
    status = told(&w->v, dae_variation_create(&w->v, solver->sys, count), report);
    if (!status)
        status = allocate(w, directions, report);
    if (status) {
        dae_sensitivity_free(w);
        return status;
    }
    w->status = DAE_BAD_ARGUMENT;
    driver(solver)->varied = w;
    driver(solver)->vary = kept;
    *out = w;
    return solver->method->info.implicit && !solver->method->info.switches ? DAE_OK
           : dae_sensitivity_test(w, 1, report);
}

void dae_sensitivity_free(dae_sensitivity *w)
{
    if (!w)
        return;
    if (driver(w->solver)->vary && driver(w->solver)->varied == w) {
        driver(w->solver)->vary = NULL;
        driver(w->solver)->test = NULL;
    }
    dae_variation_free(&w->v);
    free(w->memory);
    free(w->before);
    free(w);
}

void dae_sensitivity_go_on(dae_sensitivity *w)
{
    const dae_solver *s = w->solver;
    w->run = driver(s)->runs;
    w->t = w->t_before = w->t_undone = s->t;
    w->t_tried[1] = NAN;
    memcpy(w->own, s->u, (size_t)s->n * sizeof *w->own);
    w->status = DAE_OK;
}

/* ---- what is asked ------------------------------------------------------------------------------ */

void dae_sensitivity_hold(dae_sensitivity *w, const int *held)
{
    memcpy(w->held, held, (size_t)w->v.n * sizeof *held);
}

dae_status dae_sensitivity_start(dae_sensitivity *w, const double *from, dae_report *report)
{
    if (!w)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no sensitivities are given");
    dae_solver *s = w->solver;
    if (!driver(s)->started)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_solver_start comes first");
    dae_sensitivity_go_on(w);
    dae_vary_anew(&w->v);
    w->status = dae_sensitivity_of_start(w, s->t, from, s->u);
    return told(&w->v, w->status, report);
}

dae_status dae_sensitivity_shown(dae_sensitivity *w, dae_solver *s)
{
    dae_status status = DAE_OK;
    if (!driver(s)->corrects_output || !(s->t > s->t_begin))
        return DAE_OK;
    if (s->sys->index == 3)
        status = dae_vary_projection(&w->v, DAE_VARY_VELOCITIES, s->t, w->own, s->u);
    return status ? status : dae_vary_multipliers(&w->v, s->t, s->u);
}

/* dlambda of all directions, of (q, v) in any formulation */
static dae_status recover(dae_sensitivity *w, double *dlambda)
{
    dae_system *sys = w->v.sys;
    const double t = w->solver->t, *u = w->solver->u;
    const int nq = sys->nq, nl = sys->nl;
    double *q = dae_variation_room(&w->v, 4 * (size_t)nq), *v = q + nq, *dq = v + nq, *dv = dq + nq;
    if (!q)
        return DAE_NO_MEMORY;
    dae_status status = dae_system_split(sys, t, u, q, v, w->v.lambda);
    if (!status)
        status = dae_vary_at(&w->v, t, q, v);
    for (int c = 0; !status && c < w->v.count; c++) {
        const dae_tangent along = {.u = dae_du(&w->v, c), .p = dae_dp(&w->v, c)};
        status = dae_system_split_along(sys, t, u, &along, dq, dv, &w->v.report);
        if (!status)
            status = dae_vary_acceleration(&w->v, c, t, q, v, dq, dv, w->v.dx, dlambda + c * nl);
    }
    return status;
}

dae_status dae_sensitivity_at(dae_sensitivity *w, double *du, double *dlambda, dae_report *report)
{
    if (!w || !du)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s given", w ? "place for derivatives is" : "sensitivities are");
    if (w->status)
        return told(&w->v, w->status, report);
    dae_solver *s = w->solver;
    if (w->t != s->t)
        return dae_fail(report, DAE_UNSUPPORTED,
                        "t = %.12g: the run stands at an event, or behind a jump, that no step "
                        "has led to", s->t);
    const size_t size = (size_t)w->v.count * (size_t)w->v.n * sizeof *du;
    double *own = w->v.du;
    dae_status status = DAE_OK;
    memcpy(du, own, size);
    w->v.du = du;
    status = dae_sensitivity_shown(w, s);
    if (!status && dlambda && s->sys->nl)
        status = recover(w, dlambda);
    w->v.du = own;
    if (!status && !dae_vector_finite(w->v.count * w->v.n, du))
        status = dae_fail(&w->v.report, DAE_NOT_FINITE, "t = %.9g: the derivatives are not finite: steps that the "
                          "tolerance of the state lets pass let them grow without end; take an implicit method", s->t);
    return told(&w->v, status, report);
}
