/* mechanics.c - what a system answers about a state: F, M x, constraints, energy, accelerations */
#include "small_lu.h"
#include "system.h"

#include <ctype.h>
#include <string.h>

const dae_problem *dae_system_problem(const dae_system *s) { return s->problem; }
const double *dae_system_parameters(const dae_system *s) { return s->p; }
int dae_system_positions(const dae_system *s) { return s->nq; }
int dae_system_multipliers(const dae_system *s) { return s->nl; }
int dae_system_size(const dae_system *s) { return s->n; }
int dae_system_index(const dae_system *s) { return s->index; }
dae_class dae_system_class(const dae_system *s, int i) { return s->classes[i]; }

const char *dae_class_name(dae_class c)
{
    static const char *const names[DAE_CLASSES] = {
        [DAE_POSITION] = "position", [DAE_VELOCITY] = "velocity",
        [DAE_MULTIPLIER] = "multiplier", [DAE_RECOVERED] = "multiplier_recovered",
        [DAE_DIFFERENTIAL] = "differential", [DAE_ALGEBRAIC] = "algebraic",
        [DAE_AUXILIARY] = "auxiliary"};
    return names[c];
}

int dae_system_is_algebraic(const dae_system *s, int i)
{
    return s->classes[i] == DAE_ALGEBRAIC || s->classes[i] == DAE_MULTIPLIER
           || s->classes[i] == DAE_AUXILIARY;
}

int dae_system_has_analytic(const dae_system *s)
{
    if (!s->compose->jacobian)
        return 0;
    return s->nq ? s->problem->mechanical.partials != NULL
                 : s->problem->first_order.jacobian != NULL;
}

/* Word number i of a list of words; an empty string past its end. */
static void word(const char *list, int i, char *out, int length)
{
    out[0] = 0;
    for (const char *c = list; c && *c;) {
        while (isspace((unsigned char)*c))
            c++;
        const size_t end = strcspn(c, " \t\n");
        if (i-- == 0) {
            const size_t keep = end < (size_t)length - 1 ? end : (size_t)length - 1;
            memcpy(out, c, keep);
            out[keep] = 0;
            return;
        }
        c += end;
    }
}

void dae_system_unknown(const dae_system *s, int i, char *name, char *unit, int length)
{
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        word(minimal->names, i, name, length);
        word(minimal->units, i, unit, length);
    } else if (s->classes[i] == DAE_AUXILIARY) {
        word("mu", 0, name, length);
        const size_t end = strlen(name);
        const int k = i - 2 * s->nq - s->nl + 1;
        if (s->nl > 1 && end + 2 < (size_t)length && k < 10) {
            name[end] = (char)('0' + k);
            name[end + 1] = 0;
        }
        word("-", 0, unit, length);
    } else {
        word(s->problem->variables, i, name, length);
        word(s->problem->units, i, unit, length);
    }
}

void dae_system_rhs(dae_system *s, double t, const double *u, double *F)
{
    s->compose->rhs(s, t, u, F);
}

void dae_system_mass(const dae_system *s, const double *x, double *out)
{
    if (s->compose->kind != DAE_FORM_FIRST_ORDER)
        for (int i = 0; i < s->n; i++)
            out[i] = s->diagonal[i] * x[i];
    else if (s->problem->first_order.mass.f)
        s->problem->first_order.mass.f(s->p, s->problem->t0, x, out);
    else
        memcpy(out, x, (size_t)s->n * sizeof *out);
}

/* Rows of G = (G^T e_k)^T, and S = G M^-1 G^T. */
static void assemble_schur(dae_system *s, double t, const double *q)
{
    const int nq = s->nq, nl = s->nl;
    double *e = s->a;
    for (int k = 0; k < nl; k++) {
        memset(e, 0, (size_t)nl * sizeof *e);
        e[k] = 1;
        s->problem->mechanical.reaction.f(s->p, t, q, e, s->gradient + k * nq);
    }
    for (int k = 0; k < nl; k++)
        for (int l = 0; l < nl; l++) {
            double sum = 0;
            for (int i = 0; i < nq; i++)
                sum += s->gradient[k * nq + i] * s->inverse_mass[i] * s->gradient[l * nq + i];
            s->schur[k * nl + l] = sum;
        }
}

/* With a = M^-1 (f - G^T lambda): d2g/dt2(M^-1 f) - S lambda = 0. */
dae_status dae_system_accelerate(dae_system *s, double t, const double *q, const double *v,
                                 double *a, double *lambda)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq, nl = s->nl;
    assemble_schur(s, t, q);
    m->force.f(s->p, t, q, v, a);
    for (int i = 0; i < nq; i++)
        a[i] *= s->inverse_mass[i];
    m->acceleration.f(s->p, t, q, v, a, lambda);
    if (!dae_small_solve(nl, s->schur, lambda))
        return DAE_SINGULAR;
    for (int k = 0; k < nl; k++)
        for (int i = 0; i < nq; i++)
            a[i] -= s->inverse_mass[i] * s->gradient[k * nq + i] * lambda[k];
    return DAE_OK;
}

dae_status dae_system_split(dae_system *s, double t, const double *u, double *q, double *v,
                            double *lambda)
{
    const int nq = s->nq, nl = s->nl;
    if (!nq)
        return DAE_UNSUPPORTED;
    if (s->compose->kind != DAE_FORM_MINIMAL) {
        memcpy(q, u, (size_t)nq * sizeof *q);
        memcpy(v, u + nq, (size_t)nq * sizeof *v);
        memcpy(lambda, u + 2 * nq, (size_t)nl * sizeof *lambda);
        return DAE_OK;
    }
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    minimal->embed.f(s->p, t, u, u + minimal->n, s->state);
    memcpy(q, s->state, (size_t)nq * sizeof *q);
    memcpy(v, s->state + nq, (size_t)nq * sizeof *v);
    return dae_system_accelerate(s, t, q, v, s->state + 2 * nq + nl, lambda);
}

static int mechanical_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    double *q = s->state, *v = q + nq, *lambda = v + nq, *a = lambda + s->nl, *r = s->a;
    if (dae_system_split(s, t, u, q, v, lambda))
        return 0;
    if (level == 0) {
        m->constraint.f(s->p, t, q, out);
    } else if (level == 1) {
        m->rate.f(s->p, t, q, v, out);
    } else {
        m->force.f(s->p, t, q, v, a);
        m->reaction.f(s->p, t, q, lambda, r);
        for (int i = 0; i < nq; i++)
            a[i] = s->inverse_mass[i] * (a[i] - r[i]);
        m->acceleration.f(s->p, t, q, v, a, out);
    }
    return s->nl;
}

/* The equations without a derivative, of the native or of the reduced right-hand side. */
static int first_order_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    const dae_first_order *f = &s->problem->first_order;
    const dae_map1 rhs = level == 0 ? f->rhs : f->reduced;
    if (level > 1 || !rhs.f)
        return 0;
    int rows = 0;
    rhs.f(s->p, t, u, s->start);
    for (int i = 0; i < s->n; i++)
        if (dae_system_is_algebraic(s, i))
            out[rows++] = s->start[i];
    return rows;
}

int dae_system_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    if (level < 0 || level > 2)
        return 0;
    return s->nq ? mechanical_constraint(s, level, t, u, out)
                 : first_order_constraint(s, level, t, u, out);
}

int dae_system_energy(dae_system *s, double t, const double *q, const double *v, double *energy,
                      double *power)
{
    const dae_map2 H = s->problem->mechanical.energy;
    dae_dual *x = s->a_dual, *y = x + s->nq, out;
    if (!H.f)
        return 0;
    for (int i = 0; i < s->nq; i++) {
        x[i] = dae_dual_make(q[i], 0);
        y[i] = dae_dual_make(v[i], 0);
    }
    H.dual(s->p, dae_dual_make(t, 1), x, y, &out);
    *energy = dae_dual_value(out);
    *power = dae_dual_derivative(out);
    return 1;
}

/* y = (q, v) with lambda eliminated in index 1; minimal coordinates and M = I as they are. */
int dae_system_explicit_size(const dae_system *s)
{
    if (s->compose->kind == DAE_FORM_MECHANICAL)
        return s->compose->eliminates ? 2 * s->nq : 0;
    if (s->compose->kind == DAE_FORM_MINIMAL)
        return s->n;
    return s->problem->first_order.mass.f ? 0 : s->n;
}

dae_status dae_system_explicit_rhs(dae_system *s, double t, const double *y, double *dy, double *z)
{
    if (s->compose->kind != DAE_FORM_MECHANICAL) {
        s->compose->rhs(s, t, y, dy);
        return DAE_OK;
    }
    memcpy(dy, y + s->nq, (size_t)s->nq * sizeof *dy);
    return dae_system_accelerate(s, t, y, y + s->nq, dy + s->nq, z);
}
