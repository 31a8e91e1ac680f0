#include "run/trajectory.h"

#include "host/allocate.h"
#include "numbers/decimal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int mode_draws(const trajectory *tr, int mode)
{
    return dae_hybrid_problem(tr->hybrid, mode)->draw != NULL;
}

/* Which bodies have paths, by the first picture: all, or the last of too many. */
static void begin_paths(trajectory *tr, const double *x)
{
    const int mode = dae_hybrid_mode(tr->hybrid);
    if (!mode_draws(tr, mode))
        return;
    tr->first = allocate(2, sizeof *tr->first);
    tr->last = tr->first + 1;
    dae_hybrid_problem(tr->hybrid, mode)
        ->draw(dae_hybrid_parameters(tr->hybrid), tr->t0, x, tr->first);
    int all = 0, from = 0;
    for (int i = 0; i < tr->first->bodies; i++)
        all += tr->first->body[i].radius > 0;
    for (int i = 0; i < tr->first->bodies; i++)
        if (tr->first->body[i].radius > 0 && ++from > (all > MAX_PATHS ? all - 1 : 0))
            tr->body[tr->paths++] = i;
    tr->path = allocate(tr->room * 2 * (size_t)(tr->paths + 1), sizeof *tr->path);
}

static void grow(trajectory *tr)
{
    tr->room = tr->room ? 2 * tr->room : 64;
    tr->rows = allocate_again(tr->rows, tr->room * (size_t)tr->width, sizeof *tr->rows);
    tr->mark = allocate_again(tr->mark, tr->room, sizeof *tr->mark);
    if (tr->path)
        tr->path = allocate_again(tr->path, tr->room * 2 * (size_t)(tr->paths + 1), sizeof *tr->path);
}

/* Where the bodies of state x are; NaN where there is none. */
static void add_path(trajectory *tr, double t, const double *x, double *out)
{
    const dae_problem *problem = dae_hybrid_problem(tr->hybrid, dae_hybrid_mode(tr->hybrid));
    memset(tr->last, 0, sizeof *tr->last);
    if (x && problem->draw)
        problem->draw(dae_hybrid_parameters(tr->hybrid), t, x, tr->last);
    for (int j = 0; j < tr->paths; j++) {
        const int i = tr->body[j], there = i < tr->last->bodies;
        out[2 * j] = there ? tr->last->body[i].x : NAN;
        out[2 * j + 1] = there ? tr->last->body[i].y : NAN;
    }
}

/* u NULL: a row without a state. */
static void add(trajectory *tr, double t, const double *u, int listed)
{
    if (tr->count == tr->room)
        grow(tr);
    const int mode = dae_hybrid_mode(tr->hybrid), *place = tr->columns.place[mode];
    const dae_system *sys = dae_hybrid_system(tr->hybrid);
    const int n = dae_system_size(sys), nl = dae_system_multipliers(sys);
    const int known = u && dae_hybrid_state(tr->hybrid, t, u, tr->x) == DAE_OK;
    double *row = tr->rows + tr->count * (size_t)tr->width;
    for (int i = 1; i < tr->width; i++)
        row[i] = NAN;
    row[0] = tr->t_row = t;
    for (int i = 0; u && i < n; i++)
        row[1 + place[i]] = u[i];
    for (int k = 0; known && k < nl; k++)
        row[1 + place[n + k]] = tr->x[2 * dae_system_positions(sys) + k];
    if (tr->path)
        add_path(tr, t, known ? tr->x : NULL, tr->path + 2 * tr->count * (size_t)tr->paths);
    tr->mark[tr->count++] = (row_mark){mode, listed};
}

/* Does any mode have events? Stops count, too. */
static int any_events(const dae_hybrid *hybrid, const run_setting *o)
{
    int some = o->stops > 0;
    for (int m = 0; m < dae_hybrid_modes(hybrid); m++) {
        const dae_event *e = dae_hybrid_problem(hybrid, m)->events;
        some |= e && e->name;
    }
    return some;
}

dae_status trajectory_begin(trajectory *tr, dae_hybrid *hybrid, const dae_formulation *form,
                            const run_setting *o, const trajectory_rows *lie, dae_report *report)
{
    const double t0 = lie->t0, t_end = lie->t_end, every = lie->every;
    const size_t most = (size_t)dae_hybrid_most_unknowns(hybrid);
    const double *u = dae_hybrid_unknowns(hybrid);
    *tr = (trajectory){.hybrid = hybrid, .t0 = t0, .t_end = t_end, .every = every, .parts = 1,
                       .next = 1, .t_last = t0,
                       .eventful = any_events(hybrid, o), .picture = lie->picture, .front = &o->front};
    const int from = decimal_places(t0), by = decimal_places(every);
    tr->places = from < 0 || by < 0 ? -1 : from > by ? from : by;
    const dae_status status = columns_begin(&tr->columns, hybrid, form, o, report);
    if (status)
        return status;
    tr->width = 1 + tr->columns.count;
    grow(tr);
    tr->u = allocate(2 * most + 2, sizeof *tr->u);
    tr->x = tr->u + most + 1;
    if (tr->picture && dae_hybrid_state(hybrid, t0, u, tr->x) == DAE_OK)
        begin_paths(tr, tr->x);
    if (tr->path || (tr->picture && tr->eventful))
        tr->parts = 1 + (long)ceil(every / ((t_end - t0) / FINE));
    add(tr, t0, u, 1);
    return DAE_OK;
}

void trajectory_free(trajectory *tr)
{
    columns_free(&tr->columns);
    free(tr->rows);
    free(tr->mark);
    free(tr->u);
    free(tr->path);
    free(tr->first);
}

/* The time of row k; the last one is t_end itself. */
static double wanted(const trajectory *tr, long k)
{
    const double part = tr->every / (double)tr->parts;
    const double t = k % tr->parts
                         ? tr->t0 + (double)k * part
                         : decimal_multiple(tr->t0, tr->every, k / tr->parts, tr->places);
    return fabs(t - tr->t_end) < 1e-9 * part ? tr->t_end : t;
}

/* The time of the last row, which is at to rounding, is at. */
static void name_time(trajectory *tr, double at)
{
    double *t = &tr->rows[(tr->count - 1) * (size_t)tr->width];
    if (fabs(*t - at) <= 64 * DBL_EPSILON * fmax(fabs(tr->t0), fabs(tr->t_end)))
        *t = at;
}

/* The state after an event takes the place of the one before it in the list. */
static void add_after(trajectory *tr, double t, const double *u)
{
    row_mark *before = &tr->mark[tr->count - 1];
    const int listed = before->listed;
    const double at = tr->rows[(tr->count - 1) * (size_t)tr->width];
    if (tr->picture)
        before->listed = tr->passing = 0;
    else
        tr->count--;
    add(tr, t, u, listed);
    name_time(tr, at);
}

/* The state at t inside the last step, in tr->u; there may be none. */
static int state_inside(trajectory *tr, double t)
{
    dae_solver *solver = dae_hybrid_solver(tr->hybrid);
    const dae_status status = dae_solver_interpolate(solver, t, tr->u);
    if (status && status != DAE_BAD_ARGUMENT && status != DAE_UNSUPPORTED && !tr->refused.status)
        tr->refused = *dae_solver_report(solver);
    return status == DAE_OK;
}

/* More rows for a picture, equally spaced inside the last step, before `before`. */
static void add_between(trajectory *tr, double before, double t)
{
    const double part = (t - tr->t_last) / STEP_ROWS;
    if (tr->parts == 1 || tr->count > 4 * FINE)
        return;
    for (; tr->within < STEP_ROWS && tr->t_last + tr->within * part < before; tr->within++) {
        const double at = tr->t_last + tr->within * part;
        if (at > tr->t_last && state_inside(tr, at))
            add(tr, at, tr->u, 0);
    }
}

/* Rows before t inside the last step; between the last of infinitely many events and their limit
 * there is none, and no state. Is t itself a row? 1: for a picture; 2: listed. */
static int add_inside(trajectory *tr, double t)
{
    const double slack = 1e-9 * tr->every / (double)tr->parts;
    int reached = 0;
    tr->within = 1;
    for (; wanted(tr, tr->next) <= t + slack; tr->next++) {
        const double at = wanted(tr, tr->next);
        const int listed = tr->next % tr->parts == 0;
        if (at >= t - slack) {
            reached = listed ? 2 : reached ? reached : 1;
            continue;
        }
        add_between(tr, at - slack, t);
        const int there = state_inside(tr, at);
        add(tr, at, there ? tr->u : NULL, listed);
    }
    add_between(tr, t - slack, t);
    tr->t_last = t;
    return t >= tr->t_end ? 2 : reached;
}

int trajectory_observe(void *context, dae_hybrid *hybrid)
{
    trajectory *tr = context;
    const double t = dae_hybrid_time(hybrid), *u = dae_hybrid_unknowns(hybrid);
    front_part(tr->front, (t - tr->t0) / (tr->t_end - tr->t0));
    if (t == tr->t_row) {
        add_after(tr, t, u);
        return 0;
    }
    tr->count -= (size_t)tr->passing;
    const int reached = add_inside(tr, t);
    tr->passing = tr->eventful && !reached;
    if (reached || tr->eventful)
        add(tr, t, u, reached == 2);
    if (reached == 2 && t < tr->t_end)
        name_time(tr, wanted(tr, tr->next - 1));
    return 0;
}

void trajectory_end(trajectory *tr)
{
    const double t = dae_hybrid_time(tr->hybrid);
    if (t == tr->t_row)
        tr->mark[tr->count - 1].listed = 1;
    else
        add(tr, t, dae_hybrid_unknowns(tr->hybrid), 1);
}

size_t trajectory_listed(const trajectory *tr, size_t r)
{
    while (r < tr->count && !tr->mark[r].listed)
        r++;
    return r;
}
