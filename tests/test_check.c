/* test_check.c - dae_check_model and references: nothing is said of models that are right, and of wrong ones what is
 * wrong
 *
 * The wrong ones are shipped models with one slip. A check blames the function in which it is, thorough and quick, and
 * there is no reference of them: two quad runs of each agree to 20 digits and more on what is wrong.
 */
#include "planted.h"

#include "daelab/check.h"

#include "reference/reference.h"

extern const dae_problem dae_pendulum, dae_double_pendulum, dae_slider_crank, dae_robertson, dae_car_axis,
    dae_linear_dae, dae_friction_block, dae_kepler, dae_spherical_pendulum, dae_predator_prey;

enum { ROOM = 64 };
static dae_finding found[ROOM];
static int count;

static void check(const dae_problem *problem, int quick)
{
    const dae_check_options how = {.quick = quick};
    dae_report why = {0};
    assert_int_equal(dae_check_model(problem, NULL, NULL, &how, found, ROOM, &count, &why), DAE_OK);
}

/* A problem made of copies has a few of them. */
static dae_status refer(const dae_problem *problem, dae_reference_kind kind, dae_report *why, dae_reference *r)
{
    enum { COPIES = 4 };
    double u[MOST_UNKNOWNS], p[MOST_PARAMETERS], times[3];
    int form = 0;
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_at(problem, i)->range == DAE_COUNT ? COPIES : dae_parameter_default(problem, i);
    while (!dae_formulation_applies(dae_formulation_at(form), problem))
        form++;
    OWNED(dae_system) *sys = consistent_system(problem, dae_formulation_describe(dae_formulation_at(form)).name, p, u);
    for (int k = 0; k < 3; k++)
        times[k] = problem->t0 + (k + 1) * (problem->t_end - problem->t0) / 256;
    *why = (dae_report){0};
    return dae_reference_solve_in(r, sys, kind, problem->t0, u, times, 3, why);
}

/* Of a check, and of a reference in Cartesian coordinates where there are any */
TEST(shipped_models_are_right)
{
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = dae_problems[i];
        const int mechanical = problem->mechanical.nq > 0;
        dae_report why;
        OWNED(dae_reference) r = {0};
        for (int quick = 0; quick < 2; quick++) {
            check(problem, quick);
            if (count && found[0].failed)
                fail_msg("%s, row %d, column %d: %s", found[0].function, found[0].row, found[0].column,
                         found[0].sentence);
        }
        if (problem->events || problem->modes || (!mechanical && !problem->invariants.n && !problem->first_order.exact.f))
            continue;
        const dae_status status = refer(problem, mechanical ? DAE_REFERENCE_CARTESIAN : DAE_REFERENCE_BEST, &why, &r);
        if (status || r.digits < 24)
            fail_msg("%s: %.1f digits, %s", problem->name, r.digits, why.message);
    }
}

typedef struct { int calls; double last; } heard_parts;

static void hear(void *context, double part)
{
    heard_parts *heard = context;
    if (!(part >= heard->last && part <= 1))
        fail_msg("%g after %g", part, heard->last);
    heard->last = part;
    heard->calls++;
}

/* Parts that grow to 1, of a problem with modes, and in a quick check, too. */
TEST(progress_is_told)
{
    const dae_problem *problems[] = {&dae_pendulum, &dae_robertson, &dae_friction_block};
    for (int i = 0; i < 3; i++)
        for (int quick = 0; quick < 2; quick++) {
            heard_parts heard = {0, 0};
            const dae_check_options how = {.quick = quick, .progress = hear, .context = &heard};
            assert_int_equal(dae_check_model(problems[i], NULL, NULL, &how, found, ROOM, &count, NULL),
                             DAE_OK);
            assert_true(heard.last == 1);
            assert_true(heard.calls >= (quick ? 2 : 8));
        }
}

/* ---- what is said of slips ---------------------------------------------------------------- */

/* The only failure is in this function; row and column 0: whichever. */
static void blames_in(const dae_problem *wrong, int kinds, const char *function, int row, int column)
{
    for (int quick = 0; quick < kinds; quick++) {
        check(wrong, quick);
        if (!count || !found[0].failed || strcmp(found[0].function, function)
            || (row && found[0].row != row) || (column && found[0].column != column))
            fail_msg("%s, row %d, column %d: %s", function, row, column,
                     count ? found[0].sentence : "nothing is found");
        if (count > 1 && found[1].failed)
            fail_msg("%s, and also: %s", function, found[1].sentence);
    }
}

static void blames(const dae_problem *wrong, const char *function, int row, int column)
{
    blames_in(wrong, 2, function, row, column);
}

/* No reference, and all of these words in the sentence. */
static void refused(const dae_problem *wrong, const char *function, const char *row)
{
    dae_report why;
    dae_reference r;
    const dae_status status = refer(wrong, DAE_REFERENCE_BEST, &why, &r);
    if (status != DAE_BAD_ARGUMENT || !strstr(why.message, function) || !strstr(why.message, row)
        || !strstr(why.message, wrong->name))
        fail_msg("%s %s: status %d, %s", function, row, (int)status, why.message);
    assert_null(r.q);
}

/* A row of a function of planted.h changed: in all passes, with the function and place that a check blames (NULL: it is
 * below what a check sees, or a quick one), and in quad alone, with what is said where a reference is asked for (NULL: of
 * another function, as there is no state to begin with). */
typedef struct {
    const dae_problem *problem;
    const char *function;
    planted_change change;
    double size;
    int row;                    /* from 1; of derivatives by hand the entry */
    const char *blamed;
    int at, column;
    const char *of_reference, *says;
} slip;

static const slip slips[] = {
    {&dae_slider_crank, "acceleration", PLANTED_FACTOR, 1e-6, 1, "acceleration", 1, 0, "acceleration", "row 1"},
    {&dae_slider_crank, "acceleration", PLANTED_SIGN, 0, 1, "acceleration", 1, 0, "acceleration", "row 1"},
    {&dae_slider_crank, "reaction", PLANTED_SIGN, 0, 2, "reaction", 2, 0, "reaction, row 2, column 1", "gradient"},
    {&dae_slider_crank, "inertia", PLANTED_FACTOR, 1e-6, 2, "inertia", 0, 0, "inertia", "row 2"},
    {&dae_slider_crank, "inertia", PLANTED_ADDED, 1e-6, 1, "inertia", 0, 0, "inertia", "row 1"},
    {&dae_slider_crank, "force", PLANTED_SIGN, 0, 1, NULL, 0, 0, "force", "energy"},
    {&dae_pendulum, "rate", PLANTED_SIGN, 0, 1, "rate", 1, 0, "rate", "row 1"},
    {&dae_pendulum, "reaction", PLANTED_FACTOR, 0, 2, "reaction", 2, 1, "reaction, row 2, column 1", "gradient"},
    {&dae_pendulum, "force", PLANTED_FACTOR, 0, 2, "force", 2, 0, "force or inertia", "row "},
    {&dae_pendulum, "force", PLANTED_SIGN, 0, 2, "force", 2, 0, "force or inertia", "row "},
    {&dae_pendulum, "inertia", PLANTED_SIGN, 0, 1, "inertia", 1, 0, "inertia", "row 1"},
    {&dae_pendulum, "minimal.acceleration", PLANTED_FACTOR, 1e-6, 1, "minimal.acceleration", 1, 0,
     "minimal.acceleration", "row "},
    {&dae_pendulum, "minimal.embed", PLANTED_FACTOR, 1e-6, 2, "minimal.embed", 2, 0, "minimal.embed", NULL},
    {&dae_pendulum, "minimal.embed", PLANTED_SIGN, 0, 4, "minimal.embed", 4, 0, "minimal.embed", "row "},
    {&dae_pendulum, "minimal.chart", PLANTED_FACTOR, 1e-4, 2, "minimal.chart", 2, 0, "minimal.chart", "row "},
    {&dae_pendulum, "partials.r_q", PLANTED_FACTOR, 1e-4, 4, "partials.r_q", 2, 2, "partials.r_q", "row 2, column 2"},
    {&dae_pendulum, "partials.acc_v", PLANTED_SIGN, 0, 2, "partials.acc_v", 1, 2, "partials.acc_v", "row 1, column 2"},
    {&dae_double_pendulum, "acceleration", PLANTED_FACTOR, 1e-5, 2, "acceleration", 2, 0, "acceleration", "row 2"},
    {&dae_linear_dae, "reduced", PLANTED_ADDED, 1e-6, 3, NULL, 0, 0, "reduced", "row 3"},
    {&dae_linear_dae, "mass", PLANTED_ADDED, 1e-6, 2, "mass", 2, 0, "mass", "row 2"},
    {&dae_linear_dae, "exact", PLANTED_FACTOR, 1e-6, 3, "exact", 1, 0, "exact", "row 1"},
    {&dae_kepler, "jacobian", PLANTED_FACTOR, 0, 4, "jacobian", 4, 1, "jacobian,", "row 4, column 1"},
    {&dae_robertson, "jacobian", PLANTED_SIGN, 0, 1, "jacobian", 1, 1, "jacobian,", "row 1, column 1"},
};

/* Which function of planted.h, and its kind */
static planting planting_of(const slip *s)
{
    planting w = {.problem = s->problem, .copies = 1, .kind = JACOBIAN, .change = s->change, .passes = IN_ALL,
                  .row = s->row - 1, .size = s->size};
    for (int k = 0; k < PLANTED_FUNCTIONS; k++)
        if (strcmp(planted_functions[k].name, s->function) == 0) {
            w.function = k;
            w.kind = planted_functions[k].kind;
        }
    for (int k = 0; k < PLANTED_BLOCKS; k++)
        if (strcmp(planted_blocks[k].name, s->function) == 0) {
            w.function = k;
            w.kind = PARTIALS;
        }
    return w;
}

TEST(slips_are_found)
{
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        planting w = planting_of(&slips[i]);
        if (slips[i].blamed)
            blames(planted_copy(&w), slips[i].blamed, slips[i].at, slips[i].column);
        if (slips[i].change == PLANTED_SIGN && (w.kind == PARTIALS || w.kind == JACOBIAN)
            && !(strstr(found[0].sentence, "by differences") && strstr(found[0].sentence, "the sign is wrong")))
            fail_msg("%s", found[0].sentence);
        w.passes = IN_QUAD;
        if (slips[i].says)
            refused(planted_copy(&w), slips[i].of_reference, slips[i].says);
    }
}

/* One pass that loses a derivative, or digits, or is another function: rhs of robertson */
TEST(slips_of_one_pass)
{
    static const struct { planted_change change; unsigned pass; int row; } losses[] = {
        {PLANTED_LOST, IN_DUAL, 2}, {PLANTED_LOST, IN_QUAD, 0}, {PLANTED_LOST, IN_DOUBLE, 1}, {PLANTED_FACTOR, IN_DOUBLE, 1},
        {PLANTED_LOST, IN_TANGENT, 0}};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        planting w = planting_of(&(slip){&dae_robertson, "rhs", losses[i].change, 1e-7, losses[i].row ? losses[i].row : 1,
                                         NULL, 0, 0, NULL, NULL});
        w.passes = losses[i].pass;
        blames(planted_copy(&w), "rhs", losses[i].row, 0);
    }
}

/* ---- slips that no change of a row is ------------------------------------------------------ */

static dae_problem wrong;

#define ROPE dae_pendulum.mechanical
#define CAR dae_car_axis.mechanical
#define RODS dae_double_pendulum.mechanical
#define MAP1(name) static void name(const dae_quad *p, dae_quad t, const dae_quad *q, dae_quad *r)
#define MAP2(name)                                                                                \
    static void name(const dae_quad *p, dae_quad t, const dae_quad *q, const dae_quad *v, dae_quad *r)

MAP1(rope_constraint)                       /* the rope grows by 1e-9 m/s, and the rate forgets it */
{
    ROPE.constraint.quad(p, t, q, r);
    r[0] -= DAE_QUAD_C(1e-9) * t;
}

MAP2(rope_energy)                           /* the potential of another height */
{
    ROPE.energy.quad(p, t, q, v, r);
    r[0] += DAE_QUAD_C(1e-6) * q[1];
}

MAP2(rope_force)                            /* gravity upwards */
{
    ROPE.force.quad(p, t, q, v, r);
    r[1] = -r[1];
}

MAP2(car_rate)                              /* the road moves, and the rate of row 1 forgets it */
{
    dae_quad still[2] = {0};
    const dae_quad rest[4] = {0};
    CAR.rate.quad(p, t, q, rest, still);
    CAR.rate.quad(p, t, q, v, r);
    r[0] -= still[0];
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

TEST(no_reference_of_others)
{
    wrong = dae_pendulum;
    wrong.mechanical.constraint.quad = rope_constraint;
    refused(&wrong, "rate", "row 1");
    wrong = dae_pendulum;
    wrong.mechanical.energy.quad = rope_energy;
    refused(&wrong, "energy", "row 1");
    wrong = dae_pendulum;
    wrong.mechanical.force.quad = rope_force;
    wrong.mechanical.minimal.n = 0;
    refused(&wrong, "force", "energy");
    wrong = dae_car_axis;
    wrong.mechanical.rate.quad = car_rate;
    refused(&wrong, "rate", "row 1");
    wrong = dae_double_pendulum;
    wrong.mechanical.reaction.quad = rods_reaction;
    refused(&wrong, "reaction, row ", ", column 2");
    wrong = dae_predator_prey;
    wrong.invariants.value.quad = prey_invariant;
    refused(&wrong, "invariants", "row 1");
    wrong = dae_spherical_pendulum;
    wrong.invariants.value.quad = sphere_invariants;
    refused(&wrong, "invariants", "row 2");
}

static void start_too_far(const double *p, double *u)
{
    dae_pendulum.start.f(p, u);
    u[5] = 1;
}

TEST(records)
{
    wrong = dae_linear_dae;
    wrong.first_order.index--;
    blames_in(&wrong, 1, "index", 0, 0);
    wrong = dae_pendulum;
    wrong.variables = "x y vx vy";
    blames(&wrong, "variables", 0, 0);
    wrong = dae_pendulum;
    wrong.start.f = start_too_far;
    blames(&wrong, "start", 6, 0);
    assert_int_equal(dae_check_model(NULL, NULL, NULL, NULL, found, ROOM, &count, NULL), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_check_model(&wrong, NULL, NULL, NULL, NULL, 0, &count, NULL), DAE_OK);
    assert_int_equal(count, 1);
}
