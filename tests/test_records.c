/* test_records.c - records that are not complete, or that contradict themselves: a status and a
 * sentence before anything of them is called */

#include "refusals.h"

static dae_event three_events[] = {{.name = "a"}, {.name = "b"}, {0}};
static double no_event(const double *p, double t, const double *x, int k)
{
    return x[0];
}

static dae_problem mechanical(void)
{
    dae_problem r = *problem_named("pendulum");
    const dae_event a = {.name = "a", .value = {no_event}}, b = {.name = "b", .value = {no_event}};
    three_events[0] = a;
    three_events[1] = b;
    r.events = three_events;
    return r;
}

#define SPOIL(name, what) static void name(dae_problem *r) { (void)r; what; }
SPOIL(no_name, r->name = NULL)
SPOIL(no_start, r->start.f = NULL)
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
SPOIL(no_event_value, three_events[1].value.f = NULL)
SPOIL(same_events, three_events[1].name = "a")
SPOIL(no_direction, three_events[0].direction = (dae_direction)5)

static void endless_parameters(dae_problem *r)
{
    static char names[DAE_PARAMETER_ENTRIES + 1][16];
    for (int i = 0; i <= DAE_PARAMETER_ENTRIES; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        r->parameters[i] = (dae_parameter){.name = names[i], .value = 1};
    }
}

typedef struct {
    const char *of;             /* the problem whose record is spoilt; NULL: the pendulum, with
                                   events */
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

TEST(test_records)
{
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

/* A record without names is complete, and so is one without functions of quad numbers, of which
 * only there is no reference. */
TEST(test_bare_record)
{
    dae_problem bare = *problem_named("linear_dae");
    const double at = 0.1;
    double u[3];
    char name[8], unit[8];
    dae_reference reference;
    dae_report why = {0};
    bare.variables = bare.units = bare.title = bare.citation = bare.equations = NULL;
    bare.first_order.mass.quad = NULL;
    OWNED(dae_system) *sys = system_of(&bare, "native", NULL, NULL);
    dae_system_unknown(sys, 0, name, unit, sizeof name);
    assert_string_equal("u1", name);
    assert_string_equal("-", unit);
    assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
    expect(dae_reference_solve(&reference, sys, 0, u, &at, 1, &why), DAE_BAD_ARGUMENT, &why,
           "mass as a function of quad");
}

/* Unknowns of a record without names have those of their kind, and the unit "-". */
TEST(test_default_names)
{
    static const struct { const char *problem, *form, *names[8]; } expected[] = {
        {"pendulum", "index3", {"q1", "q2", "v1", "v2", "lambda1"}},
        {"pendulum", "ggl", {"q1", "q2", "v1", "v2", "lambda1", "mu"}},
        {"pendulum", "ode", {"s1", "ds1"}},
        {"double_pendulum", "ode", {"s1", "s2", "ds1", "ds2"}},
        {"linear_dae", "native", {"u1", "u2", "u3"}}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        for (int empty = 0; empty < 2; empty++) {
            dae_problem bare = *problem_named(expected[i].problem);
            const char *nothing = empty ? " " : NULL;
            bare.variables = bare.units = nothing;
            bare.mechanical.minimal.names = bare.mechanical.minimal.units = nothing;
            OWNED(dae_system) *sys = system_of(&bare, expected[i].form, NULL, NULL);
            for (int k = 0; k < dae_system_size(sys); k++) {
                char name[8], unit[8];
                dae_system_unknown(sys, k, name, unit, sizeof name);
                assert_string_equal(expected[i].names[k], name);
                assert_string_equal("-", unit);
            }
        }
}

/* Of many copies they are numbered through. */
TEST(test_default_names_of_copies)
{
    dae_problem bare = *problem_named("chain");
    char name[16], unit[16];
    bare.variables = bare.units = NULL;
    OWNED(dae_system) *sys = system_of(&bare, "index2", NULL, NULL);
    const int nq = dae_system_positions(sys), places[] = {0, nq - 1, nq, 2 * nq, 2 * nq + 1};
    const char *const letters[] = {"q", "q", "v", "lambda", "lambda"};
    const int numbers[] = {1, nq, 1, 1, 2};
    for (int i = 0; i < 5; i++) {
        char expected[16];
        snprintf(expected, sizeof expected, "%s%d", letters[i], numbers[i]);
        dae_system_unknown(sys, places[i], name, unit, sizeof name);
        assert_string_equal(expected, name);
    }
}

TEST(test_modes)
{
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

TEST(test_parameters)
{
    const dae_problem *chain = problem_named("chain");
    const double bad[] = {NAN, INFINITY, -1, 0, 2.5, 1e9};
    dae_system *sys;
    dae_report why = {0};
    double p[MOST_PARAMETERS];
    default_parameters(chain, p);
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
