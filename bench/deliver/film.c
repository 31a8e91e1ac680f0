/* film.c - solve once and keep what a problem draws, frame by frame */
#include "deliver/film.h"

#include "host/allocate.h"
#include "output/json_file.h"
#include "run/columns.h"
#include "run/run.h"
#include "run/stops.h"

#include <daelab/problem.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN_TRAIL = 25, IN_FILM = 1000, MOST_SAMPLES = 200000 };

typedef struct {
    film *f;
    const run_setting *setting;
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
    json_decref(f->units);
    json_decref(f->frames);
    json_decref(f->samples);
    f->units = f->frames = f->samples = NULL;
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
    (mode->draw ? mode->draw : c->setting->problem->draw)(dae_hybrid_parameters(run), t, c->x,
                                                      &c->picture);
    return check(&c->picture, c->setting->problem->name, t, c->report);
}

static json_t *segments_json(const dae_segment *s, int count)
{
    json_t *json = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(json, json_pack("[f, f, f, f]", s[i].x0, s[i].y0, s[i].x1, s[i].y1));
    return json;
}

static void keep_frame(film *f, double t, const dae_picture *p)
{
    json_t *bodies = json_array();
    for (int i = 0; i < p->bodies; i++)
        json_array_append_new(bodies, json_pack("[f, f, f]", p->body[i].x, p->body[i].y, p->body[i].radius));
    json_array_append_new(f->frames, json_pack("[f, o, o, o]", t, bodies, segments_json(p->link, p->links),
                                               segments_json(p->wall, p->walls)));
}

static void keep_sample(film *f, double t, const dae_picture *p)
{
    json_t *points = json_array();
    for (int i = 0; i < p->bodies; i++)
        if (p->body[i].radius > 0)
            json_array_append_new(points, json_pack("[f, f]", p->body[i].x, p->body[i].y));
    json_array_append_new(f->samples, json_pack("[f, o]", t, points));
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
    if (c->status)
        return;
    keep_sample(c->f, t, &c->picture);
    if (frame)
        keep_frame(c->f, t, &c->picture);
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
    front_part(&c->setting->front, (t - c->f->t0) / (c->f->t_end - c->f->t0));
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

/* From the start to the end, or to an event that ends the run. */
static dae_status run_to_end(camera *c, dae_hybrid *run)
{
    const int n = dae_hybrid_most_unknowns(run);
    stop_list stops = {0};
    c->u = allocate(2 * (size_t)n, sizeof *c->u);
    c->x = c->u + n;
    dae_hybrid_observe(run, observe, c);
    c->status = stops_begin(&stops, run, c->setting, c->report);
    dae_status status = c->status;
    if (!status)
        status = dae_hybrid_start(run, c->setting->as_given, NULL);
    if (!status)
        status = dae_hybrid_advance(run, c->f->t_end);
    if (!c->status && status)
        *c->report = *dae_hybrid_report(run);
    const int early = status == DAE_EVENT || status == DAE_ACCUMULATION;
    if (early && dae_hybrid_time(run) >= c->f->t_end - 1e-6 * (c->f->t_end - c->f->t0))
        complete(c, run);
    stops_free(&stops);
    free(c->u);
    return c->status ? c->status : status;
}

static json_t *units_of_positions(const run_setting *s)
{
    int count = 0;
    dae_report why = {0};
    json_t *units = json_array();
    column_label *labels = state_labels(s->problem, s->parameters, &count, &why);
    for (int i = 0; labels && i < count; i++)
        if (labels[i].kind == DAE_POSITION)
            json_array_append_new(units, json_text(labels[i].unit));
    free(labels);
    return units;
}

/* Frames from t0 to f->t_end; DAE_EVENT or DAE_ACCUMULATION where the run ended early, at *reached. */
static dae_status expose(film *f, const run_setting *setting, const dae_formulation *form, const dae_method *method,
                         double *reached, dae_report *report)
{
    dae_hybrid *run = NULL;
    dae_atol list[MAX_ATOLS];
    dae_options options = run_options(setting, method, run_level(setting, method));
    camera *c = allocate(1, sizeof *c);
    run_set_atols(setting, NULL, &options, list);
    film_free(f);
    f->units = units_of_positions(setting);
    f->frames = json_array();
    f->samples = json_array();
    *c = (camera){.f = f, .setting = setting, .report = report, .before = NAN, .per_frame = samples_per_frame(f)};
    c->last = (long)c->per_frame * (f->count - 1);
    dae_status status = dae_hybrid_create(&run, setting->problem, form, setting->parameters, &setting->baumgarte,
                                          method, &options, report);
    if (!status) {
        status = run_to_end(c, run);
        *reached = dae_hybrid_time(run);
    }
    dae_hybrid_free(run);
    free(c);
    return status;
}

dae_status film_shoot(film *f, const run_setting *setting, const dae_formulation *form, const dae_method *method,
                      double t_end, int count, dae_report *report)
{
    *f = (film){.count = count, .t0 = setting->problem->t0, .t_end = t_end};
    for (int attempt = 0; attempt < 2; attempt++) {
        double reached = f->t_end;
        const dae_status status = expose(f, setting, form, method, &reached, report);
        if (status != DAE_EVENT && status != DAE_ACCUMULATION)
            return status;
        snprintf(f->ended, sizeof f->ended, "%s", report->message);
        if (!(reached > f->t0))
            return dae_fail(report, status, "the run ends where it begins: %s", f->ended);
        if (json_array_size(f->frames) == (size_t)count)
            return DAE_OK;
        f->t_end = reached;
    }
    return dae_fail(report, DAE_EVENT, "the run ended at another time when it was repeated");
}
