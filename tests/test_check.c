/* test_check - dae_check_model: nothing is said of models that are right, and of wrong ones what is wrong
 *
 * The wrong ones are shipped models with one slip in all passes, or in one of them.
 */
#include "support.h"

#include "daelab/check.h"

extern const dae_problem dae_pendulum, dae_double_pendulum, dae_slider_crank, dae_robertson,
    dae_linear_dae, dae_friction_block;

enum { ROOM = 64 };
static dae_finding found[ROOM];
static int count;

static void check(const dae_problem *problem, int quick)
{
    const dae_check_options how = {.quick = quick};
    dae_report why = {0};
    assert_int_equal(dae_check_model(problem, NULL, NULL, &how, found, ROOM, &count, &why), DAE_OK);
}

TEST(shipped_models_are_right)
{
    for (int i = 0; dae_problems[i]; i++)
        for (int quick = 0; quick < 2; quick++) {
            check(dae_problems[i], quick);
            if (count && found[0].failed)
                fail_msg("%s, row %d, column %d: %s", found[0].function, found[0].row, found[0].column,
                         found[0].sentence);
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

static dae_problem wrong;

/* The only failure is in this function; row and column 0: whichever. */
static void blames_in(int kinds, const char *function, int row, int column)
{
    for (int quick = 0; quick < kinds; quick++) {
        check(&wrong, quick);
        if (!count || !found[0].failed || strcmp(found[0].function, function)
            || (row && found[0].row != row) || (column && found[0].column != column))
            fail_msg("%s, row %d, column %d: %s", function, row, column,
                     count ? found[0].sentence : "nothing is found");
        if (count > 1 && found[1].failed)
            fail_msg("%s, and also: %s", function, found[1].sentence);
    }
}

static void blames(const char *function, int row, int column)
{
    blames_in(2, function, row, column);
}

/* ---- one slip in each pass ---------------------------------------------------------------- */

/* name(p, t, q, v, r) := that of the pendulum, then a statement, in one pass */
#define ROPE2(name, map, pass, param, scalar, statement)                                          \
    static void name##_##pass(const param *p, scalar t, const scalar *q, const scalar *v, scalar *r) \
    {                                                                                             \
        dae_pendulum.mechanical.map.pass(p, t, q, v, r);                                          \
        statement;                                                                                \
    }
#define ROPE2_IN_ALL(name, map, statement)                                                        \
    ROPE2(name, map, f, double, double, statement)                                                \
    ROPE2(name, map, dual, double, dae_dual, statement)                                           \
    ROPE2(name, map, quad, dae_quad, dae_quad, statement)                                         \
    ROPE2(name, map, tangent, dae_dual, dae_dual, statement)
#define ALL(name) {name##_f, name##_dual, name##_quad, name##_tangent}

ROPE2_IN_ALL(wrong_rate, rate, r[0] = -r[0])
ROPE2_IN_ALL(wrong_reaction, reaction, r[1] *= 1.001)
ROPE2_IN_ALL(wrong_force, force, r[1] *= 1.001)
ROPE2_IN_ALL(wrong_energy, energy, r[0] += 1e-6 * q[1])
ROPE2_IN_ALL(wrong_inertia, inertia, r[0] = -r[0])
ROPE2_IN_ALL(wrong_embed, minimal.embed, r[1] *= 1.001)
ROPE2_IN_ALL(wrong_chart, minimal.chart, r[1] *= 1.001)
ROPE2_IN_ALL(wrong_angle, minimal.acceleration, r[0] *= 1.001)

TEST(mechanical)
{
    wrong = dae_pendulum;
    wrong.mechanical.rate = (dae_map2)ALL(wrong_rate);
    blames("rate", 1, 0);
    wrong = dae_pendulum;
    wrong.mechanical.reaction = (dae_map2)ALL(wrong_reaction);
    blames("reaction", 2, 1);
    wrong = dae_pendulum;
    wrong.mechanical.force = (dae_map2)ALL(wrong_force);
    blames("force", 2, 0);
    wrong = dae_pendulum;
    wrong.mechanical.energy = (dae_map2)ALL(wrong_energy);
    blames("energy", 1, 0);
    wrong = dae_pendulum;
    wrong.mechanical.inertia = (dae_map2)ALL(wrong_inertia);
    blames("inertia", 1, 0);
    wrong = dae_pendulum;
    wrong.mechanical.minimal.embed = (dae_map2)ALL(wrong_embed);
    blames("minimal.embed", 2, 0);
    wrong = dae_pendulum;
    wrong.mechanical.minimal.chart = (dae_map2)ALL(wrong_chart);
    blames("minimal.chart", 2, 0);
    wrong = dae_pendulum;
    wrong.mechanical.minimal.acceleration = (dae_map2)ALL(wrong_angle);
    blames("minimal.acceleration", 1, 0);
}

/* ---- one pass that is another function than the others ------------------------------------ */

static void robertson_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    const dae_dual held[3] = {u[0], dae_dual_value(u[1]), u[2]};
    dae_robertson.first_order.rhs.dual(p, t, held, F);
}

static void robertson_quad(const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    const dae_quad rounded[3] = {(double)u[0], (double)u[1], (double)u[2]};
    dae_robertson.first_order.rhs.quad(p, t, rounded, F);
}

static void robertson_float(const double *p, double t, const double *u, double *F)
{
    const double rounded[3] = {(float)u[0], u[1], u[2]};
    dae_robertson.first_order.rhs.f(p, t, rounded, F);
    F[0] *= 1.0000001;
}

static void robertson_tangent(const dae_dual *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    const dae_dual held[3] = {p[0], dae_dual_value(p[1]), p[2]};
    dae_robertson.first_order.rhs.tangent(held, t, u, F);
}

TEST(first_order)
{
    wrong = dae_robertson;
    wrong.first_order.rhs.dual = robertson_dual;
    blames("rhs", 0, 2);
    wrong = dae_robertson;
    wrong.first_order.rhs.quad = robertson_quad;
    blames("rhs", 0, 0);
    wrong = dae_robertson;
    wrong.first_order.rhs.f = robertson_float;
    blames("rhs", 1, 0);
    wrong = dae_robertson;
    wrong.first_order.rhs.tangent = robertson_tangent;
    blames("rhs", 0, 0);
    wrong = dae_linear_dae;
    wrong.first_order.index--;
    blames_in(1, "index", 0, 0);
}

/* ---- the record --------------------------------------------------------------------------- */

static void start_too_far(const double *p, double *u)
{
    dae_pendulum.start.f(p, u);
    u[5] = 1;
}

TEST(records)
{
    wrong = dae_pendulum;
    wrong.variables = "x y vx vy";
    blames("variables", 0, 0);
    wrong = dae_pendulum;
    wrong.start.f = start_too_far;
    blames("start", 6, 0);
    assert_int_equal(dae_check_model(NULL, NULL, NULL, NULL, found, ROOM, &count, NULL), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_check_model(&wrong, NULL, NULL, NULL, NULL, 0, &count, NULL), DAE_OK);
    assert_int_equal(count, 1);
}
