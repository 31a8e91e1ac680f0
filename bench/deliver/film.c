/* film.c - solve once and keep what a problem draws, frame by frame */
#include "deliver/film.h"

#include <daelab/problem.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN_TRAIL = 25, IN_FILM = 1000, MOST_SAMPLES = 200000 };

typedef struct {
    film *f;
    const film_run *run;
    dae_report *report;
    dae_status status;
    int per_frame;              /* samples from one frame to the next */
    long next, last;            /* number of the sample that comes next, of the last one */
    double before;              /* the time of the last call */
    double *u, *x;
    dae_picture picture;
} camera;

void film_free(film *f)
{
    json_decref(f->frames);
    json_decref(f->samples);
    f->frames = f->samples = NULL;
}

/* ---- one picture ---- */

static int finite_segments(const dae_segment *s, int count)
{
    int good = 1;
    for (int i = 0; i < count; i++)
        good &= isfinite(s[i].x0) && isfinite(s[i].y0) && isfinite(s[i].x1) && isfinite(s[i].y1);
    return good;
}

static dae_status check(const dae_picture *p, const char *name, double t, dae_report *report)
{
    const int counts[] = {p->bodies, p->links, p->walls};
    for (int k = 0; k < 3; k++)
        if (counts[k] < 0 || counts[k] > DAE_MAX_SHAPES)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s draws %d shapes of one kind; a picture "
                            "holds %d", name, counts[k], DAE_MAX_SHAPES);
    int good = finite_segments(p->link, p->links) && finite_segments(p->wall, p->walls);
    for (int i = 0; i < p->bodies; i++)
        good &= isfinite(p->body[i].x) && isfinite(p->body[i].y) && isfinite(p->body[i].radius);
    return good ? DAE_OK
           : dae_fail(report, DAE_NOT_FINITE, "what %s draws at t = %g is not finite", name, t);
}

/* The picture of (t, u) in the mode of the run. */
static dae_status draw(camera *c, dae_hybrid *run, double t, const double *u)
{
    const dae_problem *mode = dae_hybrid_problem(run, dae_hybrid_mode(run));
    const dae_status status = dae_hybrid_state(run, t, u, c->x);
    if (status)
        return dae_fail(c->report, status, "the state at t = %g cannot be drawn: %s", t,
                        dae_status_name(status));
    c->picture.bodies = c->picture.links = c->picture.walls = 0;
    (mode->draw ? mode->draw : c->run->problem->draw)(dae_hybrid_parameters(run), t, c->x,
                                                      &c->picture);
    return check(&c->picture, c->run->problem->name, t, c->report);
}

static json_t *segments_json(const dae_segment *s, int count)
{
    json_t *json = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(json, json_pack("[f, f, f, f]", s[i].x0, s[i].y0, s[i].x1, s[i].y1));
    return json;
}

static int keep_frame(film *f, double t, const dae_picture *p)
{
    json_t *bodies = json_array();
    for (int i = 0; i < p->bodies; i++)
        json_array_append_new(bodies, json_pack("[f, f, f]", p->body[i].x, p->body[i].y, p->body[i].radius));
    return !json_array_append_new(f->frames, json_pack("[f, o, o, o]", t, bodies, segments_json(p->link, p->links),
                                                       segments_json(p->wall, p->walls)));
}

static int keep_sample(film *f, double t, const dae_picture *p)
{
    json_t *points = json_array();
    for (int i = 0; i < p->bodies; i++)
        if (p->body[i].radius > 0)
            json_array_append_new(points, json_pack("[f, f]", p->body[i].x, p->body[i].y));
    return !json_array_append_new(f->samples, json_pack("[f, o]", t, points));
}

/* ---- the run ---- */

static double time_of(const camera *c, long k)
{
    const double part = (double)k / (double)c->last;
    return k == c->last ? c->f->t_end : c->f->t0 + part * (c->f->t_end - c->f->t0);
}

/* (t, u) as a sample, and as a frame where it is one. */
static void take(camera *c, dae_hybrid *run, double t, const double *u, int frame)
{
    if (!c->status)
        c->status = draw(c, run, t, u);
    if (!c->status && (!keep_sample(c->f, t, &c->picture)
                       || (frame && !keep_frame(c->f, t, &c->picture))))
        c->status = dae_fail(c->report, DAE_NO_MEMORY, "no memory for the pictures");
}

/* u inside the last step; between the last of infinitely many events and their limit there is no
 * state, and the limit stands for it. */
static const double *state_at(camera *c, dae_hybrid *run, double t)
{
    const dae_status status = dae_solver_interpolate(dae_hybrid_solver(run), t, c->u);
    if (status == DAE_BAD_ARGUMENT)
        return dae_hybrid_unknowns(run);
    if (status)
        c->status = dae_fail(c->report, status, "%s at t = %g",
                             status == DAE_NO_MEMORY ? "no memory for the state"
                                                     : "no dense output", t);
    return c->u;
}

/* A dae_hybrid_observer: the samples that the last step has passed. The second call of an instant
 * is an event. */
static int observe(void *context, dae_hybrid *run)
{
    camera *c = context;
    const double t = dae_hybrid_time(run);
    const double slack = 1e-9 * (c->f->t_end - c->f->t0) / (double)c->last;
    if (c->run->part)
        c->run->part(c->run->context, (t - c->f->t0) / (c->f->t_end - c->f->t0));
    if (t == c->before && c->next > 0)
        take(c, run, t, dae_hybrid_unknowns(run), 0);
    c->before = t;
    while (!c->status && c->next <= c->last && time_of(c, c->next) <= t + slack) {
        const double at = time_of(c, c->next);
        const int inside = at < t - slack;
        const double *u = inside ? state_at(c, run, at) : dae_hybrid_unknowns(run);
        take(c, run, inside ? at : t, u, c->next % c->per_frame == 0);
        c->next++;
    }
    return c->status != DAE_OK;
}

/* Samples near enough for a smooth trail and a smooth path, and at every frame. */
static int samples_per_frame(const film *f)
{
    const double frames = f->count - 1, step = (f->t_end - f->t0) / frames;
    double n = ceil(fmax(step * IN_TRAIL / film_trail, IN_FILM / frames));
    n = fmin(n, floor(MOST_SAMPLES / frames));
    return n > 1 ? (int)n : 1;
}

/* What rounding of the last time has left out is the last state again. */
static void complete(camera *c, dae_hybrid *run)
{
    for (; !c->status && c->next <= c->last; c->next++)
        take(c, run, time_of(c, c->next), dae_hybrid_unknowns(run),
             c->next % c->per_frame == 0);
}

static dae_status run_to_end(camera *c, dae_hybrid *run, dae_start_change *change, double *reached)
{
    const size_t n = (size_t)dae_hybrid_most_unknowns(run);
    c->u = calloc(2 * n, sizeof *c->u);
    if (!c->u)
        return dae_fail(c->report, DAE_NO_MEMORY, "no memory for a state");
    c->x = c->u + n;
    dae_hybrid_observe(run, observe, c);
    dae_status status = DAE_OK;
    if (c->run->prepare)
        c->status = c->run->prepare(c->run->context, run, c->report);
    if (!c->status)
        status = dae_hybrid_start(run, c->run->as_given, change);
    if (!c->status && !status)
        status = dae_hybrid_advance(run, c->f->t_end);
    *reached = dae_hybrid_time(run);
    const int early = status == DAE_EVENT || status == DAE_ACCUMULATION;
    if (c->status)
        status = c->status;
    else if (status)
        *c->report = *dae_hybrid_report(run);
    if (early && !c->status && *reached >= c->f->t_end - 1e-6 * (c->f->t_end - c->f->t0))
        complete(c, run);
    free(c->u);
    return c->status ? c->status : status;
}

/* Frames from t0 to t_end; DAE_EVENT or DAE_ACCUMULATION where the run ended early, at *reached. */
static dae_status expose(film *f, const film_run *r, double t_end,
                         dae_start_change *change, double *reached, dae_report *report)
{
    dae_hybrid *run = NULL;
    camera *c = calloc(1, sizeof *c);
    if (!c)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a picture");
    film_free(f);
    f->frames = json_array();
    f->samples = json_array();
    f->t0 = r->problem->t0;
    f->t_end = t_end;
    *c = (camera){.f = f, .run = r, .report = report, .before = NAN,
                  .per_frame = samples_per_frame(f)};
    c->last = (long)c->per_frame * (f->count - 1);
    dae_status status = dae_hybrid_create(&run, r->problem, r->form, r->parameters, r->baumgarte,
                                          r->method, &r->options, report);
    if (!status)
        status = run_to_end(c, run, change, reached);
    dae_hybrid_free(run);
    free(c);
    return status;
}

dae_status film_shoot(film *f, const film_run *run, int count,
                      dae_start_change *change, dae_report *report)
{
    double reached = run->t_end;
    *f = (film){.count = count};
    for (int attempt = 0; attempt < 2; attempt++) {
        const dae_status status =
            expose(f, run, reached, change, &reached, report);
        if (status != DAE_EVENT && status != DAE_ACCUMULATION)
            return status;
        snprintf(f->ended, sizeof f->ended, "%s", report->message);
        if (!(reached > f->t0))
            return dae_fail(report, status, "the run ends where it begins: %s", f->ended);
        if (json_array_size(f->frames) == (size_t)count)
            return DAE_OK;
    }
    return dae_fail(report, DAE_EVENT, "the run ended at another time when it was repeated");
}
