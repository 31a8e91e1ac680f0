/* rows.c - a hybrid run as rows of numbers: at given times, at its steps, inside its steps */
#include "hybrid.h"

#include "daelab/rows.h"
#include "daelab/tableau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_rows *rows;
    const dae_row_places *where;
    long room;
    long next;                  /* the first of where->times that has no row yet */
    long reached;               /* the first row at t_last, by times */
    double t_last;              /* the end of the last step */
    int failed;                 /* memory */
    double *x;                  /* (q, v, lambda), where multipliers are recovered */
    dae_report refused;         /* why the first row that has no state has none */
} keeper;

static int make_room(keeper *k, long room)
{
    dae_rows *r = k->rows;
    const size_t count = (size_t)room, width = (size_t)r->width;
    double *t = realloc(r->t, count * sizeof *t);
    r->t = t ? t : r->t;
    double *u = realloc(r->u, count * (width ? width : 1) * sizeof *u);
    r->u = u ? u : r->u;
    int *mode = realloc(r->mode, count * sizeof *mode);
    r->mode = mode ? mode : r->mode;
    int *kind = realloc(r->kind, count * sizeof *kind);
    r->kind = kind ? kind : r->kind;
    const int good = t && u && mode && kind;
    k->room = good ? room : k->room;
    return good;
}

/* lambda[nl] of the acceleration level in (t, u); how many: 0 where there are none. Inside a step of an explicit method
 * with multipliers u has them: they were evaluated with it. */
static int recover(const keeper *k, dae_hybrid *h, double t, const double *u, double *lambda)
{
    dae_system *s = h->mode[h->now].sys;
    double *q = k->x, *v = q + s->nq;
    if (t < h->t && h->method->interpolate == dae_explicit_interpolate && s->n == 2 * s->nq + s->nl) {
        memcpy(lambda, u + 2 * s->nq, (size_t)s->nl * sizeof *lambda);
        return s->nl;
    }
    const int good = s->nl && dae_system_split(s, t, u, q, v, v + s->nq) == DAE_OK
                     && dae_system_accelerate(s, t, q, v, h->v, lambda) == DAE_OK;
    return good ? s->nl : 0;
}

/* Row i := u at t in the present mode; u NULL: no state. */
static void write_row(const keeper *k, long i, dae_hybrid *h, double t, const double *u, dae_row_kind kind)
{
    dae_rows *r = k->rows;
    double *row = r->u + i * r->width;
    int n = u ? h->mode[h->now].n : 0;
    r->t[i] = t;
    r->mode[i] = h->now;
    r->kind[i] = (int)kind;
    if (n)
        memcpy(row, u, (size_t)n * sizeof *row);
    if (n && k->x)
        n += recover(k, h, t, u, row + n);
    for (int j = n; j < r->width; j++)
        row[j] = NAN;
}

static void add(keeper *k, dae_hybrid *h, double t, const double *u, dae_row_kind kind)
{
    if (k->failed || (k->rows->count == k->room && !make_room(k, 2 * k->room))) {
        k->failed = 1;
        return;
    }
    write_row(k, k->rows->count++, h, t, u, kind);
}

/* A row at t inside the last step, without a state where there is none: outside the step (DAE_BAD_ARGUMENT), or where
 * the method refuses it. */
static void add_inside(keeper *k, dae_hybrid *h, double t)
{
    dae_solver *solver = h->mode[h->now].solver;
    const dae_status status = dae_solver_interpolate(solver, t, h->x);
    k->failed |= status == DAE_NO_MEMORY;
    if (status && status != DAE_BAD_ARGUMENT && !k->refused.status)
        k->refused = *dae_solver_report(solver);
    add(k, h, t, status ? NULL : h->x, DAE_ROW_INSIDE);
}

static void add_times(keeper *k, dae_hybrid *h, const double *u)
{
    const dae_row_places *w = k->where;
    for (; k->next < w->count && w->times[k->next] < h->t; k->next++)
        add_inside(k, h, w->times[k->next]);
    k->reached = k->rows->count;
    for (; k->next < w->count && w->times[k->next] == h->t; k->next++)
        add(k, h, h->t, u, DAE_ROW_INSIDE);
}

static void add_step(keeper *k, dae_hybrid *h, const double *u)
{
    const int inside = k->where->inside;
    const double middle = 0.5 * (k->t_last + h->t), half = 0.5 * (h->t - k->t_last);
    for (int i = 1; i <= inside; i++)
        add_inside(k, h, middle - half * cos(acos(-1.0) * i / (inside + 1)));
    add(k, h, h->t, u, DAE_ROW_STEP);
}

/* An event at the end of the last step has changed the state to u. */
static void add_after(keeper *k, dae_hybrid *h, const double *u)
{
    if (!k->where->times)
        add(k, h, h->t, u, DAE_ROW_AFTER);
    for (long i = k->reached; k->where->times && i < k->rows->count; i++)
        write_row(k, i, h, h->t, u, DAE_ROW_AFTER);
}

static int observe(void *context, dae_hybrid *h)
{
    keeper *k = context;
    const dae_row_places *w = k->where;
    const double *u = h->seen;
    const int asked = w->observer ? w->observer(w->context, h) : 0;
    if (h->t == k->t_last)
        add_after(k, h, u);
    else if (w->times)
        add_times(k, h, u);
    else
        add_step(k, h, u);
    k->t_last = h->t;
    return asked || k->failed || (w->stop && *w->stop);
}

static dae_status check_places(dae_hybrid *h, double t_end, const dae_row_places *w)
{
    if (w->inside < 0 || w->inside > DAE_MOST_INSIDE || w->count < 0)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "%d rows inside a step, %ld times: outside their range",
                        w->inside, w->count);
    if (w->inside && !dae_method_describe(h->method).dense_output)
        return dae_fail(&h->report, DAE_UNSUPPORTED, "%s has no dense output: no rows inside its steps",
                        h->method->info.name);
    for (long i = 0; w->times && i < w->count; i++) {
        const double least = i ? w->times[i - 1] : h->t, t = w->times[i];
        if (!(t >= least && t <= t_end))
            return dae_fail(&h->report, DAE_BAD_ARGUMENT, "time %ld of the rows is %.17g: not in %.17g ... %.17g",
                            i, t, least, t_end);
    }
    return DAE_OK;
}

/* By the dense output, or one time after the other. */
static dae_status advance(keeper *k, dae_hybrid *h, double t_end)
{
    const dae_row_places *w = k->where;
    dae_status status = DAE_OK;
    for (long i = 0; !status && w->times && !dae_method_describe(h->method).dense_output && i < w->count; i++)
        if (w->times[i] > h->t && w->times[i] < t_end)
            status = dae_hybrid_advance(h, w->times[i]);
    return status ? status : dae_hybrid_advance(h, t_end);
}

/* Rows wide enough for any mode; 0: no memory. */
static int begin_rows(keeper *k, dae_hybrid *h)
{
    const dae_row_places *w = k->where;
    k->rows->width = h->most;
    for (int m = 0; w->recovered && m < dae_hybrid_modes(h); m++) {
        const int width = h->mode[m].n + h->mode[m].sys->nl;
        k->rows->width = width > k->rows->width ? width : k->rows->width;
    }
    k->x = w->recovered ? malloc((size_t)h->most * sizeof *k->x) : NULL;
    return (k->x || !w->recovered) && make_room(k, w->times ? w->count + 1 : 64);
}

dae_status dae_hybrid_rows(dae_hybrid *h, double t_end, const dae_row_places *where, dae_rows **rows)
{
    if (rows)
        *rows = NULL;
    if (!h || !where || !rows)
        return h ? dae_fail(&h->report, DAE_BAD_ARGUMENT, "rows take places and a pointer") : DAE_BAD_ARGUMENT;
    dae_status status = dae_hybrid_check_who_calls(h, "dae_hybrid_rows", &h->report);
    if (!status)
        status = check_places(h, t_end, where);
    if (status)
        return status;
    keeper k = {.rows = calloc(1, sizeof **rows), .where = where, .t_last = h->t};
    if (!k.rows)
        return dae_fail(&h->report, DAE_NO_MEMORY, "out of memory");
    if (!begin_rows(&k, h)) {
        dae_rows_free(k.rows);
        free(k.x);
        return dae_fail(&h->report, DAE_NO_MEMORY, "out of memory for rows of %d numbers", h->most);
    }
    if (where->times)
        add_times(&k, h, h->u);
    else
        add(&k, h, h->t, h->u, DAE_ROW_AFTER);
    dae_hybrid_observe(h, observe, &k);
    status = advance(&k, h, t_end);
    dae_hybrid_observe(h, NULL, NULL);
    free(k.x);
    if (k.failed)
        status = dae_fail(&h->report, DAE_NO_MEMORY, "out of memory after %ld rows", k.rows->count);
    else if (status >= 0 && k.refused.status)
        status = dae_fail(&h->report, k.refused.status, "%s", k.refused.message);
    *rows = k.rows;
    return status;
}

void dae_rows_free(dae_rows *rows)
{
    if (!rows)
        return;
    free(rows->t);
    free(rows->u);
    free(rows->mode);
    free(rows->kind);
    free(rows);
}
