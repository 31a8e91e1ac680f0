/* test_arguments.c - each call of the library with arguments that are none: a status and a sentence,
 * and nothing is read out of bounds */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- records ------------------------------------------------------------------------------ */

static dae_event three_events[] = {{.name = "a"}, {.name = "b"}, {0}};
static double no_event(const double *p, double t, const double *x) { (void)p, (void)t; return x[0]; }

static dae_problem mechanical(void)
{
    dae_problem r = *problem_named("pendulum");
    const dae_event a = {.name = "a", .value = no_event}, b = {.name = "b", .value = no_event};
    three_events[0] = a;
    three_events[1] = b;
    r.events = three_events;
    return r;
}

#define SPOIL(name, what) static void name(dae_problem *r) { (void)r; what; }
SPOIL(no_name, r->name = NULL)
SPOIL(no_start, r->start = NULL)
SPOIL(no_rhs, r->first_order.rhs.f = NULL; r->first_order.rhs.dual = NULL;
      r->first_order.rhs.quad = NULL)
SPOIL(no_double_rhs, r->first_order.rhs.f = NULL)
SPOIL(no_dual_rhs, r->first_order.rhs.dual = NULL)
SPOIL(no_dual_mass, r->first_order.mass.dual = NULL)
SPOIL(no_dual_reduced, r->first_order.reduced.dual = NULL)
SPOIL(no_double_exact, r->first_order.exact.f = NULL)
SPOIL(no_force, memset(&r->mechanical.force, 0, sizeof r->mechanical.force))
SPOIL(no_dual_force, r->mechanical.force.dual = NULL)
SPOIL(no_inertia, memset(&r->mechanical.inertia, 0, sizeof r->mechanical.inertia))
SPOIL(no_constraint, memset(&r->mechanical.constraint, 0, sizeof r->mechanical.constraint))
SPOIL(no_rate, memset(&r->mechanical.rate, 0, sizeof r->mechanical.rate))
SPOIL(no_acceleration, memset(&r->mechanical.acceleration, 0, sizeof r->mechanical.acceleration))
SPOIL(no_reaction, memset(&r->mechanical.reaction, 0, sizeof r->mechanical.reaction))
SPOIL(no_dual_reaction, r->mechanical.reaction.dual = NULL)
SPOIL(no_dual_energy, r->mechanical.energy.dual = NULL)
SPOIL(no_chart, memset(&r->mechanical.minimal.chart, 0, sizeof r->mechanical.minimal.chart))
SPOIL(few_variables, r->variables = "x y vx vy")
SPOIL(many_variables, r->variables = "x y vx vy T S")
SPOIL(same_variables, r->variables = "x y vx x T")
SPOIL(few_units, r->units = "m m")
SPOIL(few_minimal_names, r->mechanical.minimal.names = "phi")
SPOIL(few_minimal_units, r->mechanical.minimal.units = "rad rad/s m")
SPOIL(few_invariants, r->invariants.names = "one two three four five six seven")
SPOIL(no_invariant, memset(&r->invariants.value, 0, sizeof r->invariants.value))
SPOIL(negative_nq, r->mechanical.nq = -2)
SPOIL(negative_nl, r->mechanical.nl = -1)
SPOIL(negative_n, r->first_order.n = -3)
SPOIL(negative_minimal, r->mechanical.minimal.n = -1)
SPOIL(negative_invariants, r->invariants.n = -1)
SPOIL(huge, r->first_order.n = 2147483647)
SPOIL(both_kinds, r->first_order.n = 5)
SPOIL(no_kind, r->mechanical.nq = 0)
SPOIL(loose_multipliers, r->mechanical.nl = 1)
SPOIL(negative_index, r->first_order.index = -1)
SPOIL(high_index, r->first_order.index = 4)
SPOIL(nan_t0, r->t0 = NAN)
SPOIL(infinite_end, r->t_end = INFINITY)
SPOIL(same_parameters, r->parameters[1].name = r->parameters[0].name)
SPOIL(unknown_range, r->parameters[0].range = (dae_range)9)
SPOIL(counts_nothing, r->parameters[0].range = DAE_COUNT)
SPOIL(two_counts, r->parameters[0].range = r->parameters[1].range = DAE_COUNT)
SPOIL(nan_parameter, r->parameters[0].value = NAN)
SPOIL(no_event_value, three_events[1].value = NULL)
SPOIL(same_events, three_events[1].name = "a")
SPOIL(no_direction, three_events[0].direction = (dae_direction)5)

static void endless_parameters(dae_problem *r)
{
    static char names[DAE_MAX_PARAMETERS + 1][16];
    for (int i = 0; i <= DAE_MAX_PARAMETERS; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        r->parameters[i] = (dae_parameter){.name = names[i], .value = 1};
    }
}

typedef struct {
    const char *of;             /* the problem whose record is spoilt; NULL: the pendulum, with events */
    void (*spoil)(dae_problem *r);
    const char *says;
} spoilt_record;

static const spoilt_record records[] = {
    {NULL, no_name, "no name"},
    {NULL, no_start, "no start"},
    {"linear_dae", no_start, "no start"},
    {"linear_dae", no_rhs, "no rhs"},
    {"linear_dae", no_double_rhs, "rhs has no function of doubles"},
    {"linear_dae", no_dual_rhs, "rhs has no function of dual"},
    {"linear_dae", no_dual_mass, "mass has no function of dual"},
    {"linear_dae", no_dual_reduced, "reduced has no function of dual"},
    {"linear_dae", no_double_exact, "exact has no function of doubles"},
    {NULL, no_force, "no force"},
    {NULL, no_dual_force, "force has no function of dual"},
    {NULL, no_inertia, "no inertia"},
    {NULL, no_constraint, "no constraint"},
    {NULL, no_rate, "no rate"},
    {NULL, no_acceleration, "no acceleration"},
    {NULL, no_reaction, "no reaction"},
    {NULL, no_dual_reaction, "reaction has no function of dual"},
    {NULL, no_dual_energy, "energy has no function of dual"},
    {NULL, no_chart, "no chart"},
    {NULL, few_variables, "has 4 words, not 5"},
    {NULL, many_variables, "has 6 words, not 5"},
    {NULL, same_variables, "name x twice"},
    {NULL, few_units, "has 2 words, not 5"},
    {NULL, few_minimal_names, "has 1 words, not 2"},
    {NULL, few_minimal_units, "has 3 words, not 2"},
    {"predator_prey", few_invariants, "has 7 words"},
    {"predator_prey", no_invariant, "no value"},
    {NULL, negative_nq, "nq = -2"},
    {NULL, negative_nl, "nl = -1"},
    {"linear_dae", negative_n, "n = -3"},
    {NULL, negative_minimal, "minimal.n = -1"},
    {"predator_prey", negative_invariants, "invariants.n = -1"},
    {"linear_dae", huge, "2147483647"},
    {NULL, both_kinds, "both"},
    {NULL, no_kind, "neither"},
    {"linear_dae", loose_multipliers, "nq = 0"},
    {"linear_dae", negative_index, "index = -1"},
    {"linear_dae", high_index, "index 4"},
    {NULL, nan_t0, "interval"},
    {"linear_dae", infinite_end, "interval"},
    {NULL, same_parameters, "two parameters"},
    {NULL, unknown_range, "range 9"},
    {"linear_dae", counts_nothing, "copies"},
    {NULL, two_counts, "both"},
    {NULL, nan_parameter, "must be"},
    {NULL, endless_parameters, "do not end"},
    {NULL, no_event_value, "event b has no value"},
    {NULL, same_events, "two events are named a"},
    {NULL, no_direction, "direction 5"},
};

static void expect(dae_status status, dae_status expected, const dae_report *why, const char *says)
{
    if (status != expected || !strstr(why->message, says))
        fail_msg("%s instead of %s, and \"%s\" is not in: %s", dae_status_name(status),
                 dae_status_name(expected), says, why->message);
    assert_int_equal(why->status, expected);
}

static void test_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const spoilt_record *r = &records[i];
        dae_problem problem = r->of ? *problem_named(r->of) : mechanical();
        const dae_status expected = r->spoil == high_index ? DAE_UNSUPPORTED : DAE_BAD_ARGUMENT;
        dae_options o = tolerance(1e-6);
        r->spoil(&problem);
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_formulation *form = dae_formulation_at(f);
            dae_report why = {0};
            dae_system *sys = (dae_system *)&why;
            dae_hybrid *hybrid = (dae_hybrid *)&why;
            if (r->spoil == nan_parameter && !dae_formulation_applies(form, &problem))
                continue;                               /* is said first */
            expect(dae_system_create(&sys, &problem, form, NULL, NULL, &why), expected, &why,
                   r->says);
            assert_null(sys);
            expect(dae_hybrid_create(&hybrid, &problem, form, NULL, NULL, dae_find_method("radau"),
                                     &o, &why), expected, &why, r->says);
            assert_null(hybrid);
        }
    }
}

/* A record without names is complete, and so is one without functions of quad numbers, of which only
 * there is no reference. */
static void test_bare_record(void **state)
{
    (void)state;
    dae_problem bare = *problem_named("linear_dae");
    const double at = 0.1;
    double u[3];
    char name[8], unit[8];
    dae_system *sys;
    dae_reference reference;
    dae_report why = {0};
    bare.variables = bare.units = bare.title = bare.citation = bare.equations = NULL;
    bare.first_order.mass.quad = NULL;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &bare, dae_find_formulation("native"), NULL,
                                               NULL, &why));
    dae_system_unknown(sys, 0, name, unit, sizeof name);
    assert_string_equal("", name);
    assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
    expect(dae_reference_solve(&reference, sys, 0, u, &at, 1, &why), DAE_BAD_ARGUMENT, &why,
           "mass as a function of quad");
    dae_system_free(sys);
}

static void test_modes(void **state)
{
    (void)state;
    dae_problem first = mechanical(), other = mechanical(), third = mechanical();
    const dae_problem *const others[] = {&other, &third, NULL};
    dae_hybrid *hybrid;
    dae_report why = {0};
    dae_options o = tolerance(1e-6);
    first.mode = "one";
    first.modes = others;
    other.name = third.name = "two";
    const dae_formulation *form = dae_find_formulation("index1");
    const dae_method *method = dae_find_method("radau");
    expect(dae_hybrid_create(&hybrid, &first, form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "two modes are named two");
    third.name = "three";
    third.mechanical.force.f = NULL;
    expect(dae_hybrid_create(&hybrid, &first, form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "three: force has no function of doubles");
    third.mechanical.force = first.mechanical.force;
    o.max_events = 0;
    expect(dae_hybrid_create(&hybrid, &first, form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "max_events");
    o = tolerance(1e-6);
    o.accumulation = NAN;
    expect(dae_hybrid_create(&hybrid, &first, form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "accumulation");
    expect(dae_hybrid_create(NULL, &first, form, NULL, NULL, method, NULL, &why),
           DAE_BAD_ARGUMENT, &why, "no place");
    expect(dae_hybrid_create(&hybrid, NULL, form, NULL, NULL, method, NULL, &why),
           DAE_BAD_ARGUMENT, &why, "no problem");
    expect(dae_hybrid_create(&hybrid, &first, NULL, NULL, NULL, method, NULL, &why),
           DAE_BAD_ARGUMENT, &why, "no formulation");
    expect(dae_hybrid_create(&hybrid, &first, form, NULL, NULL, NULL, NULL, &why),
           DAE_BAD_ARGUMENT, &why, "no method");
}

/* ---- options ------------------------------------------------------------------------------ */

#define BEND(name, what) static void name(dae_options *o) { what; }
BEND(jacobian_77, o->jacobian = (dae_jacobian_kind)77)
BEND(jacobian_below, o->jacobian = (dae_jacobian_kind)-1)
BEND(linear_9, o->linear = (dae_linear_kind)9)
BEND(test_9, o->error_test = (dae_error_test)9)
BEND(project_8, o->project = 8)
BEND(project_high, o->project = 0x80000001u)
BEND(negative_step, o->step = -1)
BEND(nan_step, o->step = NAN)
BEND(infinite_step, o->step = INFINITY)
BEND(zero_rtol, o->rtol = 0)
BEND(nan_rtol, o->rtol = NAN)
BEND(rtol_2, o->rtol = 2)
BEND(zero_atol, o->atol = 0)
BEND(nan_atol, o->atol = NAN)
BEND(infinite_atol, o->atol = INFINITY)
BEND(no_steps, o->max_steps = 0)
BEND(negative_steps, o->max_steps = -5)

static void test_options(void **state)
{
    (void)state;
    static const struct { void (*bend)(dae_options *o); const char *says; } bent[] = {
        {jacobian_77, "jacobian = 77"}, {jacobian_below, "jacobian = -1"},
        {linear_9, "linear = 9"}, {test_9, "error_test = 9"}, {project_8, "project = 8"},
        {project_high, "project = "}, {negative_step, "step = -1"}, {nan_step, "step = "},
        {infinite_step, "step = inf"}, {zero_rtol, "rtol = 0"}, {nan_rtol, "rtol = "},
        {rtol_2, "rtol = 2"}, {zero_atol, "atol = 0"}, {nan_atol, "atol = "},
        {infinite_atol, "atol = inf"}, {no_steps, "max_steps = 0"},
        {negative_steps, "max_steps = -5"}};
    double u[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    for (int m = 0; dae_method_at(m); m++)
        for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
            dae_options o = tolerance(1e-6);
            dae_solver *solver;
            dae_report why = {0};
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            o.step = info.adaptive ? 0 : 0.1;
            if (o.step > 0 && bent[i].says[0] != 'm' && strstr(bent[i].says, "tol"))
                continue;                               /* tolerances are not asked for */
            bent[i].bend(&o);
            expect(dae_solver_create(&solver, sys, dae_method_at(m), &o, &why), DAE_BAD_ARGUMENT,
                   &why, bent[i].says);
            assert_null(solver);
        }
    dae_system_free(sys);
}

/* ---- systems ------------------------------------------------------------------------------ */

static void test_formulation_options(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -1};
    dae_system *sys;
    dae_report why = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dae_formulation_options o = {1, 1};
            *(k ? &o.alpha : &o.beta) = bad[i];
            expect(dae_system_create(&sys, problem_named("pendulum"),
                                     dae_find_formulation("baumgarte"), NULL, &o, &why),
                   DAE_BAD_ARGUMENT, &why, "alpha");
        }
}

static void test_parameters(void **state)
{
    (void)state;
    const dae_problem *chain = problem_named("chain");
    const double bad[] = {NAN, INFINITY, -1, 0, 2.5, 1e9};
    dae_system *sys;
    dae_report why = {0};
    double p[DAE_MAX_PARAMETERS];
    for (int i = 0; i < dae_parameter_count(chain); i++)
        p[i] = chain->parameters[i].value;
    for (int i = 0; i < 6; i++) {
        p[dae_parameter_index(chain, "N")] = bad[i];
        expect(dae_system_create(&sys, chain, dae_find_formulation("index1"), p, NULL, &why),
               DAE_BAD_ARGUMENT, &why, "parameter N");
    }
    assert_int_equal(-1, dae_parameter_index(chain, NULL));
    assert_int_equal(-1, dae_parameter_index(NULL, "N"));
    assert_int_equal(0, dae_parameter_count(NULL));
    assert_int_equal(1, dae_problem_copies(chain, NULL));
    assert_int_equal(1, dae_problem_copies(NULL, p));
}

static void test_tables(void **state)
{
    (void)state;
    const dae_method *method = dae_method_at(0);
    const dae_formulation *form = dae_formulation_at(0);
    const int past[] = {-1, 99, -2147483647 - 1, 2147483647};
    for (int i = 0; i < 4; i++) {
        assert_null(dae_method_at(past[i]));
        assert_null(dae_formulation_at(past[i]));
        assert_null(dae_reference_source(past[i]));
        assert_null(dae_method_orders(method, form, past[i]));
        assert_string_equal("unknown class", dae_class_name((dae_class)past[i]));
        assert_string_equal("unknown status", dae_status_name((dae_status)(past[i] & ~31)));
        assert_string_equal("unknown status", dae_status_sentence((dae_status)(past[i] & ~31)));
    }
    assert_string_equal("unknown class", dae_class_name(DAE_CLASSES));
    assert_null(dae_find_method(NULL));
    assert_null(dae_find_formulation(NULL));
    assert_null(dae_method_describe(NULL).name);
    assert_null(dae_formulation_describe(NULL).name);
    assert_null(dae_method_orders(NULL, form, 1));
    assert_non_null(dae_method_orders(method, NULL, 1));
    assert_int_equal(0, dae_formulation_applies(NULL, problem_named("pendulum")));
    assert_int_equal(0, dae_formulation_applies(form, NULL));
    assert_null(dae_nearest(NULL, (const char *const[]){"a"}, 1));
    assert_null(dae_nearest("a", NULL, 1));
    assert_null(dae_nearest("a", (const char *const[]){"b"}, -1));
    dae_sundials_version(NULL, 10);
    char text[4] = "abc";
    dae_sundials_version(text, 0);
    dae_sundials_version(text, -1);
    assert_string_equal("abc", text);
    assert_int_equal(DAE_SINGULAR, dae_fail(NULL, DAE_SINGULAR, "%d", 1));
}

static void test_unknowns(void **state)
{
    (void)state;
    static const char *const forms[] = {"index3", "ggl", "ode"};
    char name[16], unit[16];
    double u[MOST_UNKNOWNS];
    for (int f = 0; f < 3; f++) {
        dae_system *sys = system_at_start("pendulum", forms[f], 0, u);
        const int n = dae_system_size(sys), past[] = {-1, n, n + 1, 2147483647};
        for (int i = 0; i < 4; i++) {
            strcpy(name, "left");
            dae_system_unknown(sys, past[i], name, unit, sizeof name);
            assert_string_equal("", name);
            assert_int_equal(DAE_CLASSES, dae_system_class(sys, past[i]));
        }
        dae_system_unknown(sys, 0, NULL, unit, 3);
        dae_system_unknown(sys, 0, name, NULL, 3);
        dae_system_unknown(sys, 0, name, unit, 0);
        dae_system_unknown(sys, 0, name, unit, -4);
        dae_system_unknown(sys, 0, name, unit, 1);
        assert_string_equal("", name);
        dae_system_free(sys);
    }
}

static void test_systems(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS], q[4], v[4], a[4], J[64], F_t[8], out[8], energy, power;
    dae_report why = {0};
    dae_system *none;
    const dae_problem *pendulum = problem_named("pendulum");
    const dae_formulation *index1 = dae_find_formulation("index1");
    expect(dae_system_create(NULL, pendulum, index1, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why,
           "no place");
    expect(dae_system_create(&none, NULL, index1, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why,
           "no problem");
    expect(dae_system_create(&none, pendulum, NULL, NULL, NULL, &why), DAE_UNSUPPORTED, &why,
           "none");
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    const int kinds[] = {99, -1, 4};
    for (int i = 0; i < 3; i++)
        expect(dae_system_jacobian(sys, (dae_jacobian_kind)kinds[i], 0, u, J, F_t, &why),
               DAE_BAD_ARGUMENT, &why, "kind of Jacobian");
    expect(dae_system_jacobian(NULL, DAE_JACOBIAN_BEST, 0, u, J, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "system");
    expect(dae_system_jacobian(sys, DAE_JACOBIAN_BEST, 0, NULL, J, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "state");
    expect(dae_system_jacobian(sys, DAE_JACOBIAN_BEST, 0, u, NULL, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "place");
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_FD, 0, u, J, NULL, &why));
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, 0, u, J, NULL, &why));
    expect(dae_system_start(NULL, u, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_system_start(sys, NULL, &why), DAE_BAD_ARGUMENT, &why, "place");
    expect(dae_consistent_start(NULL, 0, u, NULL, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_consistent_start(sys, 0, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why, "state");
    expect(dae_consistent_start(sys, NAN, u, NULL, &why), DAE_BAD_ARGUMENT, &why, "finite");
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_split(NULL, 0, u, q, v, a));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_split(sys, 0, u, q, v, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(sys, 0, u, NULL, v, a));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(NULL, 0, q, v, a, out));
    const int levels[] = {-1, 3, 2147483647};
    for (int i = 0; i < 3; i++)
        assert_int_equal(0, dae_system_constraint(sys, levels[i], 0, u, out));
    assert_int_equal(0, dae_system_constraint(NULL, 0, 0, u, out));
    assert_int_equal(0, dae_system_energy(NULL, 0, q, v, &energy, &power));
    dae_system_free(sys);
    sys = system_at_start("linear_dae", "native", 0, u);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(sys, 0, q, v, a, out));
    assert_int_equal(0, dae_system_energy(sys, 0, q, v, &energy, &power));
    dae_system_free(sys);
    assert_null(dae_system_problem(NULL));
    assert_null(dae_system_parameters(NULL));
    assert_int_equal(0, dae_system_positions(NULL) + dae_system_multipliers(NULL)
                            + dae_system_size(NULL) + dae_system_index(NULL));
    dae_system_rhs(NULL, 0, u, out);
    dae_system_mass(NULL, u, out);
    dae_system_free(NULL);
}

/* ---- solvers ------------------------------------------------------------------------------ */

static dae_status no_values(void *context, double t, const double *u, double *g, dae_report *why)
{
    (void)context, (void)t, (void)why;
    g[0] = u[0] + 100;
    return DAE_OK;
}

static int go_on(void *context, double t, const double *u, const int *fired)
{
    (void)context, (void)t, (void)u, (void)fired;
    return 0;
}

static void test_watches(dae_solver *solver)
{
    const dae_direction any = DAE_ANY, none = (dae_direction)7;
    const dae_watch good = {1, &any, no_values, go_on, NULL};
    dae_watch bad[5] = {good, good, good, good, good};
    bad[0].count = -1;
    bad[1].direction = NULL;
    bad[2].values = NULL;
    bad[3].happened = NULL;
    bad[4].direction = &none;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(solver, &bad[i]));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_report(solver)->status);
    }
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(solver, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(NULL, &good));
}

static void test_solvers(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    dae_solver *solver;
    dae_report why = {0};
    const dae_method *radau = dae_find_method("radau");
    expect(dae_solver_create(NULL, sys, radau, NULL, &why), DAE_BAD_ARGUMENT, &why, "no place");
    expect(dae_solver_create(&solver, NULL, radau, NULL, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_solver_create(&solver, sys, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why, "method");
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, radau, NULL, &why));
    test_watches(solver);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, NAN, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, INFINITY, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, end));
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    const double ends[] = {NAN, INFINITY, -INFINITY, -1, 1e-300, 5e-324};
    for (int i = 0; i < 6; i++)
        expect(dae_solver_advance(solver, ends[i], end), DAE_BAD_ARGUMENT,
               dae_solver_report(solver), "t_end = ");
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, NULL));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.5, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, NAN, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 2, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 0.5, NULL));
    dae_solver_free(solver);
    dae_system_free(sys);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(NULL, 0, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(NULL, 1, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(NULL, 1, u));
    dae_solver_observe(NULL, NULL, NULL);
    dae_solver_free(NULL);
    assert_true(isnan(dae_solver_time(NULL)));
    assert_null(dae_solver_report(NULL));
    assert_int_equal(0, dae_solver_statistics(NULL).steps);
    assert_int_equal(DAE_JACOBIAN_BEST, dae_solver_jacobian(NULL));
    assert_int_equal(DAE_LINEAR_BEST, dae_solver_linear(NULL));
}

static long evaluations;

static int count_steps(void *context, double t, const double *u)
{
    (void)context, (void)t, (void)u;
    evaluations++;
    return 0;
}

/* Intervals at the end of the numbers end at once, or are refused. */
static void test_intervals(void **state)
{
    (void)state;
    const double ends[] = {5e-324, 1e-300, 1.1e-100, 1e-60, 1e-20};
    for (int m = 0; dae_method_at(m); m++) {
        double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
        dae_system *sys = system_at_start("pendulum", "index1", 0, u);
        dae_options o = tolerance(1e-6);
        dae_solver *solver;
        dae_report why = {0};
        if (!dae_method_describe(dae_method_at(m)).adaptive)
            o.step = 0.01;
        assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_method_at(m), &o, &why));
        dae_solver_observe(solver, count_steps, NULL);
        for (int i = 0; i < 5; i++) {
            evaluations = 0;
            assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
            const dae_status status = dae_solver_advance(solver, ends[i], end);
            if (i < 2)
                assert_int_equal(DAE_BAD_ARGUMENT, status);
            else if (status || distance(u, end, 2) > 0)
                fail_msg("%s to %g: %s", dae_method_describe(dae_method_at(m)).name, ends[i],
                         dae_solver_report(solver)->message);
            assert_true(evaluations < 100);
        }
        dae_solver_free(solver);
        dae_system_free(sys);
    }
}

/* Fixed steps that max_steps cannot hold are refused before the first. */
static void test_max_steps(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    dae_options o = tolerance(1e-6);
    dae_solver *solver;
    dae_report why = {0};
    o.step = 0.01;
    o.max_steps = 100;
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method("rk4"), &o, &why));
    dae_solver_observe(solver, count_steps, NULL);
    evaluations = 0;
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    expect(dae_solver_advance(solver, 1.02, end), DAE_MAX_STEPS, dae_solver_report(solver),
           "102 steps");
    assert_int_equal(0, evaluations);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, end));
    assert_int_equal(100, evaluations);
    dae_solver_free(solver);
    dae_system_free(sys);
}

/* ---- runs and references ------------------------------------------------------------------ */

static double x_of(void *context, double t, const double *x) { (void)context, (void)t; return x[0]; }

static void test_hybrids(void **state)
{
    (void)state;
    dae_hybrid *h;
    dae_report why = {0};
    double x[16] = {0};
    assert_int_equal(DAE_OK, dae_hybrid_create(&h, problem_named("string_pendulum"),
                                               dae_find_formulation("index1"), NULL, NULL,
                                               dae_find_method("radau"), NULL, &why));
    const int past[] = {-1, 99, 2147483647};
    for (int i = 0; i < 3; i++) {
        assert_null(dae_hybrid_problem(h, past[i]));
        assert_null(dae_hybrid_mode_name(h, past[i]));
        assert_null(dae_hybrid_event(h, past[i]).name);
        assert_true(isnan(dae_hybrid_event(h, past[i]).t));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, past[i], 0, x));
    }
    assert_null(dae_hybrid_event(h, 0).name);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, 1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, 0, NAN, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, 0, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, NULL, x_of, NULL, DAE_ANY));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, "x", NULL, NULL, DAE_ANY));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, "x", x_of, NULL,
                                                             (dae_direction)-2));
    assert_int_equal(DAE_OK, dae_hybrid_start(h, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, NAN));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, -1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_state(h, 0, NULL, x));
    dae_hybrid_free(h);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start(NULL, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(NULL, 0, 0, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(NULL, 1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_state(NULL, 0, x, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(NULL, "x", x_of, NULL, DAE_ANY));
    dae_hybrid_observe(NULL, NULL, NULL);
    dae_hybrid_free(NULL);
    assert_int_equal(-1, dae_hybrid_mode(NULL));
    assert_int_equal(0, dae_hybrid_modes(NULL) + dae_hybrid_events(NULL)
                            + dae_hybrid_state_size(NULL) + dae_hybrid_most_unknowns(NULL));
    assert_true(isnan(dae_hybrid_time(NULL)));
    assert_null(dae_hybrid_problem(NULL, 0));
    assert_null(dae_hybrid_mode_name(NULL, 0));
    assert_null(dae_hybrid_system(NULL));
    assert_null(dae_hybrid_solver(NULL));
    assert_null(dae_hybrid_unknowns(NULL));
    assert_null(dae_hybrid_parameters(NULL));
    assert_null(dae_hybrid_report(NULL));
    assert_null(dae_hybrid_event(NULL, 0).name);
    assert_int_equal(0, dae_hybrid_statistics(NULL).steps);
}

static void test_references(void **state)
{
    (void)state;
    const double rising[] = {0.1, 0.2}, falling[] = {0.2, 0.1}, early[] = {-1}, nan[] = {NAN};
    double u[MOST_UNKNOWNS], bad[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("linear_dae", "native", 0, u);
    dae_reference r;
    dae_report why = {0};
    memcpy(bad, u, sizeof bad);
    bad[1] = NAN;
    expect(dae_reference_solve(NULL, sys, 0, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why,
           "no reference");
    expect(dae_reference_solve(&r, NULL, 0, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_reference_solve(&r, sys, 0, NULL, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "start");
    expect(dae_reference_solve(&r, sys, 0, u, NULL, 2, &why), DAE_BAD_ARGUMENT, &why, "time");
    expect(dae_reference_solve(&r, sys, 0, u, rising, 0, &why), DAE_BAD_ARGUMENT, &why, "0 times");
    expect(dae_reference_solve(&r, sys, 0, u, rising, -3, &why), DAE_BAD_ARGUMENT, &why,
           "-3 times");
    expect(dae_reference_solve(&r, sys, 0, u, falling, 2, &why), DAE_BAD_ARGUMENT, &why,
           "increase");
    expect(dae_reference_solve(&r, sys, 0, u, early, 1, &why), DAE_BAD_ARGUMENT, &why, "increase");
    expect(dae_reference_solve(&r, sys, 0, u, nan, 1, &why), DAE_BAD_ARGUMENT, &why, "increase");
    expect(dae_reference_solve(&r, sys, NAN, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "finite");
    expect(dae_reference_solve(&r, sys, 0, bad, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "finite");
    dae_reference_free(&r);
    dae_reference_free(NULL);
    dae_system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_bare_record),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_formulation_options),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_unknowns),
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_max_steps),
        cmocka_unit_test(test_hybrids),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
