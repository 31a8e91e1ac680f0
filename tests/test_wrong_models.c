/* test_wrong_models.c - models with one slip each: no reference, and a sentence that names it
 *
 * Every model is a shipped one with one of its functions of quad numbers (of doubles for analytic
 * derivatives) replaced. Two quad runs of each agree to 20 digits and more on what is wrong.
 */
#include "support.h"

#include "reference/reference.h"

extern const dae_problem dae_slider_crank, dae_pendulum, dae_car_axis, dae_double_pendulum;
extern const dae_problem dae_kepler, dae_spherical_pendulum, dae_linear_dae, dae_predator_prey;

#define CRANK dae_slider_crank.mechanical
#define ROPE dae_pendulum.mechanical
#define CAR dae_car_axis.mechanical
#define RODS dae_double_pendulum.mechanical

#define MAP1(name) static void name(const dae_quad *p, dae_quad t, const dae_quad *q, dae_quad *r)
#define MAP2(name)                                                                                \
    static void name(const dae_quad *p, dae_quad t, const dae_quad *q, const dae_quad *v, dae_quad *r)
#define MAP3(name)                                                                                \
    static void name(const dae_quad *p, dae_quad t, const dae_quad *q, const dae_quad *v,           \
                     const dae_quad *a, dae_quad *r)

/* ---- slips -------------------------------------------------------------------------------- */

MAP3(crank_acceleration)                    /* the last term times 1.001 */
{
    CRANK.acceleration.quad(p, t, q, v, a, r);
    r[0] -= DAE_QUAD_C(0.001) * p[1] * dae_quad_sin(q[1]) * v[1] * v[1];
}

MAP3(crank_acceleration_sign)
{
    CRANK.acceleration.quad(p, t, q, v, a, r);
    r[0] += 2 * p[0] * dae_quad_sin(q[0]) * v[0] * v[0];
}

MAP2(crank_reaction)                        /* row 2 has the other sign */
{
    CRANK.reaction.quad(p, t, q, v, r);
    r[1] = -r[1];
}

MAP2(crank_inertia)                         /* M21 is not M12 */
{
    CRANK.inertia.quad(p, t, q, v, r);
    r[1] += DAE_QUAD_C(1e-6) * v[0];
}

MAP2(crank_bias)                            /* M a + 1e-6 */
{
    CRANK.inertia.quad(p, t, q, v, r);
    r[0] += DAE_QUAD_C(1e-6);
}

MAP2(crank_force)                           /* the sign of what the rod does to the crank */
{
    CRANK.force.quad(p, t, q, v, r);
    r[0] += p[3] * p[0] * p[1] * dae_quad_sin(q[0] - q[1]) * v[1] * v[1];
}

MAP2(rope_rate)
{
    ROPE.rate.quad(p, t, q, v, r);
    r[0] -= 2 * q[1] * v[1] / p[1];
}

MAP1(rope_constraint)                       /* the rope grows by 1e-9 m/s, and the rate forgets it */
{
    ROPE.constraint.quad(p, t, q, r);
    r[0] -= DAE_QUAD_C(1e-9) * t;
}

MAP2(rope_force)                            /* gravity upwards */
{
    ROPE.force.quad(p, t, q, v, r);
    r[1] = -r[1];
}

MAP2(rope_energy)                           /* the potential of another height */
{
    ROPE.energy.quad(p, t, q, v, r);
    r[0] += DAE_QUAD_C(1e-6) * q[1];
}

MAP2(rope_angle)                            /* theta'' */
{
    ROPE.minimal.acceleration.quad(p, t, q, v, r);
    r[0] *= DAE_QUAD_C(1.000001);
}

MAP2(rope_embed)                            /* the velocity in y */
{
    ROPE.minimal.embed.quad(p, t, q, v, r);
    r[3] = -r[3];
}

MAP2(rope_chart)
{
    ROPE.minimal.chart.quad(p, t, q, v, r);
    r[1] *= DAE_QUAD_C(1.0001);
}

static void rope_partials(const double *p, double t, const double *q, const double *v,
                          const double *a, const double *lambda, dae_partials *d)
{
    ROPE.partials(p, t, q, v, a, lambda, d);
    d->r_q[3] *= 1.0001;
}

static void rope_partials_of_rate(const double *p, double t, const double *q, const double *v,
                                  const double *a, const double *lambda, dae_partials *d)
{
    ROPE.partials(p, t, q, v, a, lambda, d);
    d->acc_v[1] /= 2;
}

MAP2(car_rate)                              /* the road moves, and the rate of row 1 forgets it */
{
    dae_quad still[2] = {0};
    const dae_quad rest[4] = {0};
    CAR.rate.quad(p, t, q, rest, still);
    CAR.rate.quad(p, t, q, v, r);
    r[0] -= still[0];
}

MAP3(rods_acceleration)                     /* row 2 */
{
    RODS.acceleration.quad(p, t, q, v, a, r);
    r[1] += DAE_QUAD_C(1e-5) * (v[2] - v[0]) * v[3];
}

MAP2(rods_reaction)                         /* the second rod does not pull at the first mass */
{
    const dae_quad first[2] = {v[0], 0};
    RODS.reaction.quad(p, t, q, v, r);
    const dae_quad kept[2] = {r[2], r[3]};
    RODS.reaction.quad(p, t, q, first, r);
    r[2] = kept[0];
    r[3] = kept[1];
}

MAP1(prey_invariant)
{
    dae_predator_prey.invariants.value.quad(p, t, q, r);
    r[0] *= 1 + DAE_QUAD_C(1e-8) * q[0];
}

MAP1(sphere_invariants)                     /* the momentum about another axis */
{
    dae_spherical_pendulum.invariants.value.quad(p, t, q, r);
    r[1] += DAE_QUAD_C(1e-6) * (q[1] * q[5] - q[2] * q[4]);
}

MAP1(linear_reduced)
{
    dae_linear_dae.first_order.reduced.quad(p, t, q, r);
    r[2] += DAE_QUAD_C(1e-6) * q[2];
}

MAP2(linear_mass)
{
    dae_linear_dae.first_order.mass.quad(p, t, q, v, r);
    r[1] += DAE_QUAD_C(1e-6) * v[0] * v[0];
}

static void linear_exact(const dae_quad *p, dae_quad t, dae_quad *u)
{
    dae_linear_dae.first_order.exact.quad(p, t, u);
    u[2] *= DAE_QUAD_C(1.000001);
}

static void kepler_jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    dae_kepler.first_order.jacobian(p, t, u, J, F_t);
    J[0 * 4 + 3] *= 1.001;
}

/* ---- what is said of them ----------------------------------------------------------------- */

static dae_problem wrong;

/* A problem made of copies has a few of them. */
static dae_status refer(const dae_problem *problem, dae_reference_kind kind, dae_report *why,
                        dae_reference *r)
{
    enum { COPIES = 4, PARAMETERS = 64 };
    double u[MOST_UNKNOWNS], p[PARAMETERS], times[3];
    OWNED(dae_system) *sys = NULL;
    int form = 0;
    for (int i = 0; i < dae_parameter_count(problem) && i < PARAMETERS; i++)
        p[i] = dae_parameter_at(problem, i)->range == DAE_COUNT ? COPIES : dae_parameter_default(problem, i);
    while (!dae_formulation_applies(dae_formulation_at(form), problem))
        form++;
    *why = (dae_report){0};
    assert_int_equal(dae_system_create(&sys, problem, dae_formulation_at(form), p, NULL, why), 0);
    assert_int_equal(dae_system_start(sys, u, why), DAE_OK);
    assert_int_equal(dae_consistent_start(sys, problem->t0, u, NULL, why), DAE_OK);
    for (int k = 0; k < 3; k++)
        times[k] = problem->t0 + (k + 1) * (problem->t_end - problem->t0) / 256;
    *why = (dae_report){0};
    return dae_reference_solve_in(r, sys, kind, problem->t0, u, times, 3, why);
}

/* No reference of wrong, and all of these words in the sentence. */
static void refused(const char *function, const char *row)
{
    dae_report why;
    dae_reference r;
    const dae_status status = refer(&wrong, DAE_REFERENCE_BEST, &why, &r);
    if (status != DAE_BAD_ARGUMENT || !strstr(why.message, function) || !strstr(why.message, row)
        || !strstr(why.message, wrong.name))
        fail_msg("%s %s: status %d, %s", function, row, (int)status, why.message);
    assert_null(r.q);
}

TEST(constrained)
{
    wrong = dae_slider_crank;
    wrong.mechanical.acceleration.quad = crank_acceleration;
    refused("acceleration", "row 1");
    wrong.mechanical.acceleration.quad = crank_acceleration_sign;
    refused("acceleration", "row 1");
    wrong = dae_slider_crank;
    wrong.mechanical.reaction.quad = crank_reaction;
    refused("reaction, row 2, column 1", "gradient");
    wrong = dae_slider_crank;
    wrong.mechanical.inertia.quad = crank_inertia;
    refused("inertia", "row 2");
    wrong.mechanical.inertia.quad = crank_bias;
    refused("inertia", "row 1");
    wrong = dae_slider_crank;
    wrong.mechanical.force.quad = crank_force;
    refused("force", "energy");
    wrong = dae_pendulum;
    wrong.mechanical.rate.quad = rope_rate;
    refused("rate", "row 1");
    wrong = dae_pendulum;
    wrong.mechanical.constraint.quad = rope_constraint;
    refused("rate", "row 1");
    wrong = dae_car_axis;
    wrong.mechanical.rate.quad = car_rate;
    refused("rate", "row 1");
    wrong = dae_double_pendulum;
    wrong.mechanical.acceleration.quad = rods_acceleration;
    refused("acceleration", "row 2");
    wrong = dae_double_pendulum;
    wrong.mechanical.reaction.quad = rods_reaction;
    refused("reaction, row ", ", column 2");
}

TEST(beside_the_motion)
{
    wrong = dae_pendulum;
    wrong.mechanical.force.quad = rope_force;
    refused("force or inertia", "row ");
    wrong.mechanical.minimal.n = 0;
    refused("force", "energy");
    wrong = dae_pendulum;
    wrong.mechanical.energy.quad = rope_energy;
    refused("energy", "row 1");
    wrong = dae_pendulum;
    wrong.mechanical.minimal.acceleration.quad = rope_angle;
    refused("minimal.acceleration", "row ");
    wrong = dae_pendulum;
    wrong.mechanical.minimal.embed.quad = rope_embed;
    refused("minimal.embed", "row ");
    wrong = dae_pendulum;
    wrong.mechanical.minimal.chart.quad = rope_chart;
    refused("minimal.chart", "row ");
    wrong = dae_pendulum;
    wrong.mechanical.partials = rope_partials;
    refused("partials.r_q", "row 2, column 2");
    wrong.mechanical.partials = rope_partials_of_rate;
    refused("partials.acc_v", "row 1, column 2");
    wrong = dae_spherical_pendulum;
    wrong.invariants.value.quad = sphere_invariants;
    refused("invariants", "row 2");
}

TEST(of_first_order)
{
    wrong = dae_predator_prey;
    wrong.invariants.value.quad = prey_invariant;
    refused("invariants", "row 1");
    wrong = dae_linear_dae;
    wrong.first_order.reduced.quad = linear_reduced;
    refused("reduced", "row 3");
    wrong = dae_linear_dae;
    wrong.first_order.mass.quad = linear_mass;
    refused("mass", "row 2");
    wrong = dae_linear_dae;
    wrong.first_order.exact.quad = linear_exact;
    refused("exact", "row 1");
    wrong = dae_kepler;
    wrong.first_order.jacobian = kepler_jacobian;
    refused("jacobian,", "row 4, column 1");
}

/* The shipped ones have nothing of the kind, in Cartesian coordinates neither. */
TEST(shipped_models_are_right)
{
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = dae_problems[i];
        const int mechanical = problem->mechanical.nq > 0;
        dae_report why;
        OWNED(dae_reference) r = {0};
        if (problem->events || problem->modes || (!mechanical && !problem->invariants.n
                                                  && !problem->first_order.exact.f))
            continue;
        const dae_status status = refer(problem, mechanical ? DAE_REFERENCE_CARTESIAN
                                        : DAE_REFERENCE_BEST, &why, &r);
        if (status || r.digits < 24)
            fail_msg("%s: %.1f digits, %s", problem->name, r.digits, why.message);
    }
}
