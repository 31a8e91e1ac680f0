/* test_parameter_arrays.c - parameters that are arrays, more of them than a record holds, and the numbers of each
 *
 * 36 rooms cool towards the air and are heated, u_k' = a_k (s_k h + c - u_k), from u_k = 1 on: one event function
 * and one action switch the heating s_k, a parameter, off where u_k rises above `high`, another on below `low`.
 * Each room by itself is an exponential between switches,
 *
 *     falls from high to low in log((high - c)/(low - c))/a_k, rises in log((c + h - low)/(c + h - high))/a_k.
 */
#ifndef DAE_PASS
enum { ROOMS = 36 };
enum { LOW, ON, HIGH = ON + ROOMS, HEAT, AIR, RATE, VALUES = RATE + 4 };
#include <daelab/model.h>

#include <daelab/sensitivity.h>

#include "cli.h"

static const double rates[] = {1, 1.25, 1.5, 2};
static const dae_event switches[] = {
    {.name = "off", .count = ROOMS, .value = DAE_MODEL(above), .direction = DAE_RISING,
     .action = DAE_MODEL(stop)},
    {.name = "on", .count = ROOMS, .value = DAE_MODEL(below), .direction = DAE_FALLING,
     .action = DAE_MODEL(heat)}, {0}};

static const dae_problem rooms = {
    .name = "rooms",
    .parameters = {{"low", 0.75, "-", "", DAE_POSITIVE}, {"on", 0, "-", "", DAE_NONNEGATIVE, ROOMS},
                   {"high", 1, "-", "", DAE_POSITIVE}, {"heat", 1, "-", ""}, {"air", 0.5, "-", ""},
                   {"rate", 0, "-", "", DAE_POSITIVE, 4, rates}},
    .first_order = {.n = ROOMS, .rhs = DAE_MODEL(cool)}, .start = DAE_MODEL(warm), .t_end = 4, .events = switches};

/* ---- the record --------------------------------------------------------------------------- */

TEST(test_places_and_names)
{
    char name[16];
    assert_int_equal(dae_parameter_count(&rooms), VALUES);
    assert_int_equal(VALUES, 44);
    const struct { const char *name; int i; } known[] = {
        {"low", LOW}, {"on", ON}, {"on[0]", ON}, {"on[7]", ON + 7}, {"on[35]", ON + 35}, {"high", HIGH},
        {"rate[3]", RATE + 3}, {"on[36]", -1}, {"on[]", -1}, {"on[ 1]", -1}, {"on[01]", -1}, {"on[+1]", -1},
        {"on[1]x", -1}, {"on[1", -1}, {"on[-1]", -1}, {"on[99999999999999999999]", -1}, {"low[0]", -1}, {"o", -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(dae_parameter_index(&rooms, known[i].name), known[i].i);
    for (int i = 0; i < VALUES; i++) {
        dae_parameter_name(&rooms, i, name, sizeof name);
        assert_int_equal(dae_parameter_index(&rooms, name), i);
    }
    dae_parameter_name(&rooms, VALUES, name, sizeof name);
    assert_string_equal(name, "");
    dae_parameter_name(&rooms, ON + 7, name, 4);
    assert_string_equal(name, "on[");
    assert_string_equal(dae_parameter_at(&rooms, ON + 7)->name, "on");
    assert_ptr_equal(dae_parameter_at(&rooms, ON + 35), dae_parameter_at(&rooms, ON));
    assert_null(dae_parameter_at(&rooms, VALUES));
    assert_true(dae_parameter_default(&rooms, RATE + 2) == 1.5 && dae_parameter_default(&rooms, HIGH) == 1);
    assert_true(isnan(dae_parameter_default(&rooms, VALUES)) && isnan(dae_parameter_default(&rooms, -1)));
}

/* 200 entries: those that fit, and the rest of a list. */
TEST(test_many_entries)
{
    enum { MANY = 200 };
    static dae_parameter more[MANY + 1];
    static char names[MANY][16];
    dae_problem many = rooms;
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        dae_parameter *p = i < DAE_PARAMETER_ENTRIES ? &many.parameters[i] : &more[i - DAE_PARAMETER_ENTRIES];
        *p = (dae_parameter){.name = names[i], .value = i};
    }
    many.more_parameters = more;
    assert_int_equal(dae_parameter_count(&many), MANY);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(dae_parameter_index(&many, names[i]), i);
        assert_true(dae_parameter_default(&many, i) == i);
    }
    memset(many.parameters, 0, sizeof many.parameters);                 /* a list alone */
    assert_int_equal(dae_parameter_count(&many), MANY - DAE_PARAMETER_ENTRIES);
    assert_int_equal(dae_parameter_index(&many, "p64"), 0);
}

/* The names of rooms, r0 to r35, the last one as given: DAE_OK, or why not. */
static dae_status name_rooms(const char *last, dae_report *why)
{
    char names[256] = "";
    dae_system *sys = NULL;
    dae_problem named = rooms;
    for (int k = 0, at = 0; k < ROOMS; k++)
        at += k < ROOMS - 1 ? snprintf(names + at, sizeof names - (size_t)at, "r%d ", k)
                            : snprintf(names + at, sizeof names - (size_t)at, "%s", last);
    named.variables = names;
    const dae_status status = dae_system_create(&sys, &named, dae_find_formulation("native"), NULL, NULL, why);
    dae_system_free(sys);
    return status;
}

/* Of many names, as of few: each that differs is taken, and one that stands twice is found wherever it stands. */
TEST(test_names_stand_once)
{
    char again[16], says[48];
    dae_report why;
    assert_int_equal(name_rooms("r35", &why), DAE_OK);
    for (int k = 0; k < ROOMS - 1; k++) {
        snprintf(again, sizeof again, "r%d", k);
        snprintf(says, sizeof says, "variables has the name r%d twice", k);
        assert_int_equal(name_rooms(again, &why), DAE_BAD_ARGUMENT);
        if (!strstr(why.message, says))
            fail_msg("%s", why.message);
    }
}

/* 100 parameters of their own names, the last one as given. */
static dae_status name_parameters(const char *last, dae_report *why)
{
    enum { MANY = 100 };
    dae_parameter more[MANY + 1] = {{0}};
    char names[MANY][16];
    dae_system *sys = NULL;
    dae_problem named = rooms;
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        more[i] = (dae_parameter){.name = i < MANY - 1 ? names[i] : last, .value = 1};
    }
    named.more_parameters = more;
    const dae_status status = dae_system_create(&sys, &named, dae_find_formulation("native"), NULL, NULL, why);
    dae_system_free(sys);
    return status;
}

TEST(test_parameters_stand_once)
{
    char again[16], says[48];
    dae_report why;
    assert_int_equal(name_parameters("p99", &why), DAE_OK);
    for (int i = 0; i < 99; i++) {
        snprintf(again, sizeof again, "p%d", i);
        snprintf(says, sizeof says, "two parameters are named p%d", i);
        assert_int_equal(name_parameters(again, &why), DAE_BAD_ARGUMENT);
        if (!strstr(why.message, says))
            fail_msg("%s", why.message);
    }
}

TEST(test_refused)
{
    const struct { dae_parameter entry; const char *says; } bad[] = {
        {{"on", 0, .count = -1}, "on has the count -1"}, {{"N", 1, .range = DAE_COUNT, .count = 3}, "first_order"},
        {{"low", 1, .count = 3}, "two parameters are named low"},
        {{"on", 0, .range = DAE_POSITIVE, .count = 3}, "parameter on[0] = 0 must be finite and positive"}};
    double p[VALUES];
    dae_report why;
    dae_system *sys;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dae_problem wrong = rooms;
        wrong.parameters[1] = bad[i].entry;
        assert_int_equal(dae_system_create(&sys, &wrong, dae_find_formulation("native"), NULL, NULL, &why),
                         DAE_BAD_ARGUMENT);
        if (i != 1 && !strstr(why.message, bad[i].says))
            fail_msg("%s", why.message);
    }
    for (int i = 0; i < VALUES; i++)
        p[i] = dae_parameter_default(&rooms, i);
    p[RATE + 2] = -1;
    assert_int_equal(dae_system_create(&sys, &rooms, dae_find_formulation("native"), p, NULL, &why),
                     DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "rate[2] = -1"));
}

static double first_of(const double *p, double t, const double *x) { return p[RATE + 3] * x[0] + p[VALUES] * t; }
static void reads_behind(const double *p, double t, const double *u, double *F)
{
    for (int k = 0; k < ROOMS; k++)
        F[k] = first_of(p, t, u);
}

/* A name that counts too far is no number, not what lies in memory. */
TEST(test_behind_the_last)
{
    double u[ROOMS] = {1}, F[ROOMS];
    dae_problem wrong = rooms;
    wrong.first_order.rhs = (dae_map1){.f = reads_behind, .dual = cool_dual};
    dae_system *sys = system_of(&wrong, "native", NULL, NULL);
    dae_system_rhs(sys, 1, u, F);
    assert_true(isnan(F[0]));
    dae_system_free(sys);
}

/* ---- runs --------------------------------------------------------------------------------- */

/* Events of one room: off at the start of heating's end. */
static void look_at_rooms(dae_hybrid *run, const double *rate, const char *method, double off)
{
    const double down = log((1 - 0.5) / (0.75 - 0.5)), up = log((1.5 - 0.75) / (1.5 - 1));
    double next[ROOMS];
    int seen[ROOMS] = {0};
    for (int k = 0; k < ROOMS; k++)
        next[k] = down / rate[k % 4];
    for (int i = 0; i < dae_hybrid_events(run); i++) {
        const dae_event_record r = dae_hybrid_event(run, i);
        const int k = r.number, heats = strncmp(r.name, "on[", 3) == 0;
        assert_int_equal(heats, seen[k]++ % 2 == 0);
        if (!(fabs(r.t - next[k]) <= off))
            fail_msg("%s: %s at t = %.12g, not %.12g", method, r.name, r.t, next[k]);
        next[k] += (heats ? up : down) / rate[k % 4];
    }
    for (int k = 0; k < ROOMS; k++)
        assert_true(next[k] > rooms.t_end && seen[k] > 3);
}

/* Heating that actions have switched on is off again at the next start; an array is set element by element. */
TEST(test_set)
{
    static const char *const methods[] = {"dop853", "radau5", "ida"};
    const dae_options options = tolerance(1e-8);
    for (int m = 0; m < 3; m++) {
        double p[VALUES];
        dae_report why;
        default_parameters(&rooms, p);
        OWNED(dae_hybrid) *run = hybrid_of(&rooms, "native", NULL, dae_find_method(methods[m]), &options);
        for (int again = 0; again < 3; again++) {
            for (int k = 0; again && k < 4; k++)
                p[RATE + k] = rates[k] + again;
            assert_int_equal(dae_hybrid_set_parameters(run, again ? p : NULL, &why), DAE_OK);
            assert_int_equal(hybrid_to(run, rooms.t_end), DAE_OK);
            look_at_rooms(run, p + RATE, methods[m], 1e-5);
        }
        p[RATE] = 0;
        assert_int_equal(dae_hybrid_set_parameters(run, p, &why), DAE_BAD_ARGUMENT);
        assert_true(dae_hybrid_parameters(run)[RATE + 1] == rates[1] + 2);
    }
}

/* dF_k/d rate[k % 4] = s_k h + c - u_k, and nothing of the others. */
TEST(test_sensitivity)
{
    double u[ROOMS], *F_p = calloc(ROOMS * VALUES, sizeof *F_p);
    dae_report why;
    dae_system *sys = system_of(&rooms, "native", NULL, NULL);
    for (int k = 0; k < ROOMS; k++)
        u[k] = 1 + k / 10.0;
    assert_int_equal(dae_system_rhs_parameters(sys, 0, u, F_p, &why), DAE_OK);
    for (int k = 0; k < ROOMS; k++) {
        for (int j = 0; j < 4; j++)
            assert_close(F_p[(RATE + j) * ROOMS + k], j == k % 4 ? 0.5 - u[k] : 0, 1e-14);
        for (int j = 0; j < ROOMS; j++)
            assert_close(F_p[(ON + j) * ROOMS + k], j == k ? rates[k % 4] : 0, 1e-14);
    }
    dae_system_free(sys);
    free(F_p);
}

/* ---- checks ------------------------------------------------------------------------------- */

/* The tangent pass without the derivative by rate[2]. */
static void cool_but_2(const dae_dual *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    cool_tangent(p, t, u, F);
    for (int k = 2; k < ROOMS; k += 4)
        F[k] *= dae_dual_value(p[RATE + 2]) / p[RATE + 2];
}

TEST(test_check)
{
    dae_problem wrong = rooms;
    wrong.first_order.rhs.tangent = cool_but_2;
    for (int quick = 0; quick <= 1; quick++) {
        const dae_finding right = first_failure(&rooms, quick), found = first_failure(&wrong, quick);
        if (right.failed)
            fail_msg("%s", right.sentence);
        assert_int_equal(found.failed, 1);
        assert_string_equal(found.function, "rhs");
        if (!strstr(found.sentence, "by parameter rate[2]"))
            fail_msg("%s", found.sentence);
    }
}

/* ---- the command line --------------------------------------------------------------------- */

static const char model[] =
    "#ifndef DAE_PASS\n"
    "enum { A, K, B = K + 3 };\n"
    "#include <daelab/model.h>\n"
    "const dae_problem dae_decay = {\n"
    "    .name = \"decay\",\n"
    "    .parameters = {{\"a\", 1}, {\"k\", 2, \"1/s\", \"rates\", DAE_POSITIVE, 3}, {\"b\", 5}},\n"
    "    .first_order = {.n = 3, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 1};\n"
    "DAE_PLUGIN_PROBLEMS(&dae_decay);\n"
    "#else\n"
    "static void FN(start)(const param *p, real *u) { for (int i = 0; i < 3; i++) u[i] = p[A] + p[B]; }\n"
    "static void FN(rhs)(const param *p, real t, const real *u, real *F)\n"
    "{ for (int i = 0; i < 3; i++) F[i] = -p[K + i] * u[i]; }\n"
    "#endif\n";

TEST(test_command)
{
    char path[300];
    snprintf(path, sizeof path, "%s/decay.c", cli_folder);
    FILE *file = fopen(path, "w");
    assert_true(file && fputs(model, file) >= 0 && fclose(file) == 0);
    const struct { const char *arguments; int status; const char *says; } runs[] = {
        {"info ./decay.c", 0, "k[0..2]    = 2"},
        {"info ./decay.c --json", 0, "\"count\": 3"},
        {"solve ./decay.c", 0, "a=1 k=2 b=5"},
        {"solve ./decay.c --param 'k[2]=4'", 0, "a=1 k=2,2,4 b=5"},
        {"solve ./decay.c --param k=3 --param 'k[0]=0.5'", 0, "k=0.5,3,3"},
        {"solve ./decay.c --param k=1,2,3", 0, "k=1,2,3"},
        {"converge ./decay.c --vary 'k[1]=1,2' --levels 2", 0, "k=2 k[1]=1,2"},
        {"solve ./decay.c --param 'k[3]=4'", 2, "k has the elements k[0] to k[2]"},
        {"solve ./decay.c --param 'k[x]=4'", 2, "k has the elements k[0] to k[2]"},
        {"solve ./decay.c --param 'b[0]=4'", 2, "b is one number, no array"},
        {"solve ./decay.c --param 'K[0]=4'", 2, "did you mean k?"},
        {"solve ./decay.c --param k=1,2", 2, "2 numbers, and the array has 3"},
        {"solve ./decay.c --param k=1,2,3,4", 2, "4 numbers, and the array has 3"},
        {"solve ./decay.c --param k=1,,3", 2, "finite numbers are needed"},
        {"solve ./decay.c --param k=1,2,3,", 2, "finite numbers are needed"},
        {"solve ./decay.c --param 'k[1]=-2'", 2, "parameter k[1] = -2 must be finite and positive"},
        {"solve ./decay.c --param 'k[1]=2' --param 'k[1]=3'", 2, "k[1] is given twice"},
        {"solve ./decay.c --param 'k[1]=2' --param k=3", 2, "k[1] is given twice"},
        {"converge ./decay.c --vary k=1,2", 2, "one of them is varied, k[0]=.."}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const int status = cli_run("", runs[i].arguments);
        const char *said = status ? cli_said.err : cli_said.out;
        if (status != runs[i].status || !strstr(said, runs[i].says))
            fail_msg("%s: %d\n%s\n%s", runs[i].arguments, status, cli_said.out, cli_said.err);
    }
    assert_int_equal(cli_run("", "solve ./decay.c --param k=1,2,3 --samples 1 --format csv --rtol 1e-10"), 0);
    double u[3];
    const char *last = strrchr(cli_said.out, '1');
    while (last > cli_said.out && last[-1] != '\n')
        last--;
    assert_int_equal(sscanf(last, "1,%lf,%lf,%lf", u, u + 1, u + 2), 3);
    for (int i = 0; i < 3; i++)
        assert_close(u[i], 6 * exp(-1.0 - i), 1e-8);
}

int main(void) { return run_all(cli_begin, cli_end); }

#else
static void FN(warm)(const param *p, real *u)
{
    for (int k = 0; k < ROOMS; k++)
        u[k] = p[HIGH];
}

static void FN(cool)(const param *p, real t, const real *u, real *F)
{
    for (int k = 0; k < ROOMS; k++)
        F[k] = p[RATE + k % 4] * (p[ON + k] * p[HEAT] + p[AIR] - u[k]);
}

static real FN(above)(const param *p, real t, const real *x, int k) { return x[k] - p[HIGH]; }
static real FN(below)(const param *p, real t, const real *x, int k) { return x[k] - p[LOW]; }

static int FN(stop)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[ON + k] = (real){0};
    return 0;
}

static int FN(heat)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[ON + k] = (real){0} + 1;
    return 0;
}
#endif
