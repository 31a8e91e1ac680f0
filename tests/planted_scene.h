/* planted_scene.h - states of a mode, and what its functions answer there in each pass, as they are and changed */
#ifndef DAELAB_TEST_PLANTED_SCENE_H
#define DAELAB_TEST_PLANTED_SCENE_H

#include "blocks.h"
#include "planted.h"

enum { SCENE_STATES = 5, SCENE_LONGEST = PLANTED_LONGEST };

/* A state of a short run: what follows from the equations as they are. */
typedef struct {
    double t;
    double u[SCENE_LONGEST];    /* (q, v, lambda), or u */
    double a[SCENE_LONGEST];    /* accelerations; first order: u', where M is regular */
    double s[SCENE_LONGEST];    /* minimal coordinates and their derivatives */
} scene_state;

typedef struct {
    const dae_problem *problem; /* whose mode it is */
    int mode;
    dae_problem record;         /* the mode, with what the problem gives it */
    block_double p;
    block_quad p_quad;
    int count;
    scene_state state[SCENE_STATES];
    int moves[SCENE_LONGEST];   /* first order: M has entries in this row */
    uint64_t random;
} scene;

/* Uniform in [-1, 1] (Knuth's MMIX generator). */
static inline double scene_random(scene *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 4503599627370496.0 - 1;
}

/* ---- a run -------------------------------------------------------------------------------- */

static inline void scene_complete(scene *s)
{
    dae_problem *mode = &s->record;
    *mode = *planted_mode(s->problem, s->mode);
    memcpy(mode->parameters, s->problem->parameters, sizeof mode->parameters);
    mode->t0 = s->problem->t0;
    mode->t_end = s->problem->t_end;
    mode->modes = NULL;
    mode->mode = NULL;
    mode->events = NULL;
}

static inline void scene_keep(scene *s, dae_system *sys, double t, const double *u)
{
    const dae_mechanical *e = &s->record.mechanical;
    const int nq = dae_system_positions(sys), n = s->record.first_order.n;
    double F[SCENE_LONGEST], lambda[SCENE_LONGEST], e_i[SCENE_LONGEST], column[SCENE_LONGEST];
    scene_state *to = &s->state[s->count++];
    to->t = t;
    if (!nq) {
        memcpy(to->u, u, (size_t)n * sizeof *u);
        dae_system_rhs(sys, t, u, F);
        for (int i = 0; i < n; i++)
            s->moves[i] = s->record.first_order.mass.f == NULL;
        for (int j = 0; j < n && s->record.first_order.mass.f; j++) {
            memset(e_i, 0, sizeof e_i);
            e_i[j] = 1;
            dae_system_mass(sys, e_i, column);
            for (int i = 0; i < n; i++)
                s->moves[i] |= column[i] != 0;
        }
        memcpy(to->a, F, (size_t)n * sizeof *F);
        return;
    }
    assert_int_equal(dae_system_split(sys, t, u, to->u, to->u + nq, to->u + 2 * nq), DAE_OK);
    assert_int_equal(dae_system_accelerate(sys, t, to->u, to->u + nq, to->a, lambda), DAE_OK);
    memcpy(to->u + 2 * nq, lambda, (size_t)dae_system_multipliers(sys) * sizeof *lambda);
    if (e->minimal.n)
        e->minimal.chart.f(s->p.value, t, to->u, to->u + nq, to->s);
}

/* States along a run over an eighth of the interval; those there are where it ends before. */
static inline void scene_build(scene *s, const dae_problem *problem, int copies, int mode)
{
    double u[3 * SCENE_LONGEST];
    dae_report why = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    const dae_options options = tolerance(1e-8);
    int form = 0;
    *s = (scene){.problem = problem, .mode = mode, .random = 20260101};
    scene_complete(s);
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        const int counts = dae_parameter_at(problem, i)->range == DAE_COUNT;
        s->p.value[i] = counts ? copies : dae_parameter_default(problem, i);
        s->p_quad.value[i] = s->p.value[i];
    }
    while (!dae_formulation_applies(dae_formulation_at(form), &s->record)
           || (s->record.mechanical.nl && dae_formulation_describe(dae_formulation_at(form)).index != 1))
        form++;
    if (dae_system_create(&sys, &s->record, dae_formulation_at(form), s->p.value, NULL, &why)
        || dae_system_start(sys, u, &why) || dae_consistent_start(sys, s->record.t0, u, NULL, &why)
        || dae_solver_create(&solver, sys, dae_find_method("radau"), &options, &why))
        fail_msg("%s: %s", s->record.name, why.message);
    dae_status status = dae_solver_start(solver, s->record.t0, u);
    for (int k = 0; k < SCENE_STATES && !status; k++) {
        const double t = s->record.t0 + k * (s->record.t_end - s->record.t0) / 32;
        status = k ? dae_solver_advance(solver, t, u) : status;
        if (!status)
            scene_keep(s, sys, t, u);
    }
    assert_in_range(s->count, 1, SCENE_STATES);
    dae_solver_free(solver);
    dae_system_free(sys);
}

/* ---- arguments ---------------------------------------------------------------------------- */

typedef struct {
    double t;
    double x[3][SCENE_LONGEST];
} scene_arguments;

/* Those of a planted function at state k; off: moved at random, by a tenth of what is there and of the largest
 * entry, off the constraints. */
static inline void scene_arguments_at(scene *s, const planting *w, int k, int off, scene_arguments *arg)
{
    const planted_function *f = &planted_functions[w->function];
    const int nq = planted_size(w, NQ), ns = planted_size(w, NS);
    const scene_state *at = &s->state[k];
    const double *from[3] = {at->u, at->u + nq, at->a};
    if (f->in[0] == NS) {
        from[0] = at->s;
        from[1] = at->s + ns;
    }
    if (f->at == AT(mechanical.inertia))
        from[1] = at->a;
    if (f->at == AT(mechanical.reaction))
        from[1] = at->u + 2 * nq;
    arg->t = at->t;
    for (int i = 0; i < 3; i++) {
        const int length = planted_size(w, f->in[i]);
        double largest = 0;
        for (int j = 0; j < length; j++)
            largest = fmax(largest, fabs(from[i][j]));
        for (int j = 0; j < length; j++)
            arg->x[i][j] = from[i][j] + (off ? 0.1 * (largest > 0 ? largest : 1) * scene_random(s) : 0);
    }
}

/* ---- answers ------------------------------------------------------------------------------ */

#define CALL(param, scalar, suffix, member)                                                       \
    static inline void call_##suffix(planted_kind kind, const planted_maps *maps, const param *p, \
                                     scalar t, scalar (*x)[SCENE_LONGEST], scalar *out)           \
    {                                                                                             \
        scalar p_new[MOST_PARAMETERS];                                                         \
        memset(out, 0, SCENE_LONGEST * sizeof *out);                                              \
        switch (kind) {                                                                           \
        case MAP0: maps->map0.member(p, t, out); break;                                           \
        case MAP1: maps->map1.member(p, t, x[0], out); break;                                     \
        case MAP2: maps->map2.member(p, t, x[0], x[1], out); break;                               \
        case MAP3: maps->map3.member(p, t, x[0], x[1], x[2], out); break;                         \
        case START: maps->start.member(p, out); break;                                            \
        case EVENT: out[0] = maps->event.member(p, t, x[0], 0); break;                            \
        case ACTION:                                                                              \
            memcpy(out, x[0], SCENE_LONGEST * sizeof *out);                                       \
            for (int i = 0; i < MOST_PARAMETERS; i++)                                             \
                p_new[i] = p[i];                                                                  \
            maps->action.member(p, t, out, p_new, 0);                                             \
            break;                                                                                \
        case PARTIALS: case JACOBIAN: break;                                                      \
        }                                                                                         \
    }
CALL(double, double, double, f)
CALL(double, dae_dual, dual, dual)
CALL(dae_quad, dae_quad, quad, quad)
CALL(dae_dual, dae_dual, tangent, tangent)

/* The function as it is (changed 0) or as it was changed, in a pass. */
static inline planted_maps scene_maps(const planting *w, int changed)
{
    planted_maps maps = planted_original;
    if (changed)
        planted_install(w->kind, IN_ALL, &maps);
    return maps;
}

static inline void scene_quad(const scene *s, const planting *w, int changed, const scene_arguments *arg,
                              dae_quad *out)
{
    static const dae_quad beyond = DAE_QUAD_C(1.234567890123456789e-19);
    dae_quad x[3][SCENE_LONGEST];
    block_quad p = s->p_quad;
    const planted_maps maps = scene_maps(w, changed);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < SCENE_LONGEST; j++)
            x[i][j] = arg->x[i][j] * (1 + beyond * (1 + j));
    const int arguments = w->kind == START ? dae_parameter_count(&s->record) : 0;
    for (int i = 0; i < arguments; i++)                 /* of a start they are parameters */
        if (dae_parameter_at(&s->record, i)->range != DAE_COUNT)
            p.value[i] *= 1 + beyond;
    call_quad(w->kind, &maps, p.value, arg->t * (1 + beyond), x, out);
}

static inline void scene_double(const scene *s, const planting *w, int changed, const scene_arguments *arg,
                                double *out)
{
    double x[3][SCENE_LONGEST];
    const planted_maps maps = scene_maps(w, changed);
    memcpy(x, arg->x, sizeof x);
    call_double(w->kind, &maps, s->p.value, arg->t, x, out);
}

/* out := the derivative along (along->t, along->x), of parameters along dp (NULL: the dual pass) */
static inline void scene_slope(const scene *s, const planting *w, int changed, const scene_arguments *arg,
                               const scene_arguments *along, const double *dp, double *out)
{
    dae_dual x[3][SCENE_LONGEST], answer[SCENE_LONGEST];
    block_dual p = {.front = {NULL}};
    const planted_maps maps = scene_maps(w, changed);
    const dae_dual t = dae_dual_make(arg->t, along->t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < SCENE_LONGEST; j++)
            x[i][j] = dae_dual_make(arg->x[i][j], along->x[i][j]);
    for (int i = 0; i < dae_parameter_count(&s->record); i++)
        p.value[i] = dae_dual_make(s->p.value[i], dp ? dp[i] : 0);
    if (dp)
        call_tangent(w->kind, &maps, p.value, t, x, answer);
    else
        call_dual(w->kind, &maps, s->p.value, t, x, answer);
    for (int i = 0; i < SCENE_LONGEST; i++)
        out[i] = dae_dual_derivative(answer[i]);
}

#endif
