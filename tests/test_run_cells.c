/* test_run_cells - what a run depends on changes its cell, and what came out of it comes back to the bit */
#include "support.h"
#include "members.h"

#include <daelab/method.h>

#include "run/run_asked.h"
#include "run/run_record.h"
#include "study/scale.h"
#include "study/work.h"

/* ---- numbers and fields ------------------------------------------------------------------- */

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Through text, as it is kept. */
static json_t *through_text(json_t *tree)
{
    assert_non_null(tree);
    char *text = json_dumps(tree, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    assert_non_null(text);
    json_t *again = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(again);
    json_decref(tree);
    free(text);
    return again;
}

TEST(test_numbers)
{
    const double numbers[] = {0, -0.0, 1, -1.0 / 3, 0.1, 1e-06, 1e22, 4.9e-324, 2.2250738585072009e-308,
                              1.7976931348623157e308, INFINITY, -INFINITY, NAN, from_bits(0xfff8000000000000),
                              from_bits(0x7ff8000000000123), 123456789012345680.0};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    double again[COUNT];
    json_t *list = through_text(field_numbers(numbers, COUNT));
    field_numbers_at(list, again, COUNT);
    assert_memory_equal(numbers, again, sizeof numbers);
    json_decref(list);
}

/* Is this member of a struct in the table, itself or its members? */
static int in_table(const field_place *fields, const char *name)
{
    const size_t length = strlen(name);
    for (; fields->kind; fields++)
        if (strncmp(fields->name, name, length) == 0 && (!fields->name[length] || fields->name[length] == '.'))
            return 1;
    return 0;
}

static int in_list(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0)
            return 1;
    return 0;
}

/* A member that is added to a struct and to no table would be lost without a word. */
static void all_are_known(const member_list *members, const field_place *fields, const char *prefix,
                          const char *const *more, const char *const *others)
{
    for (int i = 0; i < members->count; i++) {
        char name[2 * MEMBER];
        snprintf(name, sizeof name, "%s%s", prefix, members->name[i]);
        if (!in_table(fields, name) && !in_list(more, name) && !in_list(others, name)) {
            print_error("nothing keeps %s\n", name);
            fail();
        }
    }
}

TEST(test_no_member_is_forgotten)
{
    static const char *const by_hand[] = {"values", NULL}, *const watching[] = {
        "sys", "t_last", "energy0", "work", "balance", "q", "v", "a", "lambda", "q_last",
        "v_last", "a_last", "constraint", "node", "invariant", "invariant0", "drifted", "moved", "next_look",
        "solver", "t_seen", "inside",
        NULL}, *const curves[] = {"t", "value", NULL};
    member_list members = members_of("bench/run/run.h", "struct run_result {", "\n};");
    assert_true(members.count > 25);
    all_are_known(&members, run_result_fields, "", by_hand, NULL);
    members = members_of("include/daelab/daelab.h", "typedef struct {", "} dae_start_change;");
    all_are_known(&members, run_result_fields, "start.", NULL, NULL);
    members = members_of("bench/run/monitor.h", "typedef struct {", "} monitor;");
    all_are_known(&members, monitor_fields, "", watching, curves);
    members = members_of("bench/run/burst.h", "typedef struct {", "} timed_round;");
    all_are_known(&members, timed_round_fields, "", NULL, NULL);
    members = members_of("bench/study/scale.h", "typedef struct {", "} scale_point;");
    all_are_known(&members, scale_point_fields, "", NULL, NULL);
    members = members_of("bench/study/work.h", "typedef struct {", "} work_spread;");
    all_are_known(&members, scale_point_fields, "step.", NULL, NULL);
    all_are_known(&members, scale_point_fields, "solve.", NULL, NULL);
}

/* ---- results ------------------------------------------------------------------------------ */

static void fields_equal(const field_place *fields, const void *a, const void *b)
{
    static const size_t sizes[] = {[FIELD_DOUBLE] = sizeof(double), [FIELD_INT] = sizeof(int),
                                   [FIELD_LONG] = sizeof(long)};
    for (; fields->kind; fields++) {
        const char *x = (const char *)a + fields->offset, *y = (const char *)b + fields->offset;
        if (fields->kind == FIELD_TEXT)
            assert_string_equal(x, y);
        else
            assert_memory_equal(x, y, sizes[fields->kind] * (size_t)(fields->count ? fields->count : 1));
    }
}

static void run_comes_back(const char *problem, const char *form, const char *method, double level, int curves)
{
    run_setting o = run_default_setting(problem_named(problem));
    study s;
    monitor m = {.t = NULL}, m_again;
    run_result again;
    assert_int_equal(0, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    run_result r = study_run(&s, dae_find_formulation(form), dae_find_method(method), level, &m);
    json_t *record = through_text(run_write(&r, &m, curves));
    assert_true(run_read(record, &again, &m_again, curves));
    fields_equal(run_result_fields, &r, &again);
    fields_equal(monitor_fields, &m, &m_again);
    for (int c = 0; c < DAE_CLASSES; c++) {
        assert_int_equal(r.values[c] != NULL, again.values[c] != NULL);
        if (r.values[c]) {
            assert_int_equal(r.length[c], again.length[c]);
            assert_memory_equal(r.values[c], again.values[c], (size_t)r.length[c] * sizeof(double));
        }
    }
    assert_int_equal(curves && m.t, m_again.t != NULL);
    if (curves && m.t)
        assert_memory_equal(m.t, m_again.t, (SERIES + 1) * SERIES_POINTS * sizeof(double));
    json_decref(record);
    run_free(&r);
    run_free(&again);
    monitor_free(&m);
    monitor_free(&m_again);
    study_end(&s);
}

TEST(test_results)
{
    run_comes_back("pendulum", "index3", "cros", 0.01, 1);
    run_comes_back("pendulum", "index1", "radau", 1e-5, 0);
    run_comes_back("pendulum", "index3", "rk4", 0.01, 1);       /* there is no such run */
    run_comes_back("kepler", "ode", "rk4", 0.02, 1);
    run_comes_back("robertson", "implicit", "radau", 1e-6, 1);
}

/* Where there is none, both are empty. */
TEST(test_no_record)
{
    monitor m;
    run_result r;
    assert_false(run_read(NULL, &r, &m, 1));
    assert_null(r.events.at);
    assert_null(m.t);
}

/* ---- cells -------------------------------------------------------------------------------- */

typedef struct {
    study s;
    const dae_formulation *form;
    const dae_method *method;
    double level;
    int watched;
} asked;

static char *cell_text(const asked *a)
{
    json_t *cell = run_cell(&a->s, a->form, a->method, a->level, a->watched);
    assert_non_null(cell);
    char *text = json_dumps(cell, JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(text);
    json_decref(cell);
    return text;
}

static int same_cell(const asked *a, const asked *b)
{
    char *x = cell_text(a), *y = cell_text(b);
    const int same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* What stands elsewhere than in the setting; test_settings.c has its rows. */
TEST(test_the_rest_of_cells)
{
    double parameters[MOST_PARAMETERS], others[MOST_PARAMETERS];
    run_setting plain = run_default_setting(problem_named("pendulum"));
    plain.rtol = 1e-6;
    for (int i = 0; i < dae_parameter_count(plain.problem); i++)
        parameters[i] = others[i] = run_parameter(&plain, i);
    others[dae_parameter_count(plain.problem) - 1] += 1;
    const asked before = {.s = {.setting = &plain, .t_end = 2}, .form = dae_find_formulation("index1"),
                          .method = dae_find_method("radau"), .level = 1e-6};
    asked now = before;
    run_setting other = plain;
#define DIFFERS(...)                             \
    do {                                         \
        now = before;                            \
        other = plain;                           \
        now.s.setting = &other;                  \
        __VA_ARGS__;                             \
        assert_false(same_cell(&before, &now));  \
    } while (0)
#define IS_SAME(...)                             \
    do {                                         \
        now = before;                            \
        other = plain;                           \
        now.s.setting = &other;                  \
        __VA_ARGS__;                             \
        assert_true(same_cell(&before, &now));   \
    } while (0)
    DIFFERS(other.problem = problem_named("double_pendulum"));
    DIFFERS(other.parameters = others);
    IS_SAME(other.parameters = parameters);
    DIFFERS(now.s.t_end = 2.5);
    DIFFERS(now.s.t0 = 0.5);
    DIFFERS(now.level = 1.0000000000000002e-6);
    DIFFERS(now.form = dae_find_formulation("index2"));
    DIFFERS(now.method = dae_find_method("radau5"));
    DIFFERS(other.step = 1e-6);                         /* the level is a step then */
    DIFFERS(other.atols = 1; other.atol_of[0] = (run_atol){"velocity", 1e-3, 0});
    DIFFERS(other.stops = 1; other.stop[0] = "x=1");
    DIFFERS(now.watched = 1);
    DIFFERS(now.s.sampled = 1);
    IS_SAME(other.rtol = 1e-4);                         /* of a study that begins with another level */
    IS_SAME(now.s.limit = 20);
    IS_SAME(other.front.warn = NULL; other.runner = (struct runner *)&other);
    now = before;
    now.watched = 1;
    asked curves = now;
    curves.s.curves = 1;
    assert_false(same_cell(&now, &curves));
}

/* Errors are those against a reference: another one is another question. */
TEST(test_references_in_cells)
{
    const run_setting o = run_default_setting(problem_named("pendulum"));
    asked a = {.form = dae_find_formulation("index1"), .method = dae_find_method("cros"), .level = 0.01};
    assert_int_equal(0, study_begin(&a.s, &o, REFERENCE_ON_PATH, 0, NULL));
    asked without = a;
    without.s.referenced = 0;
    assert_false(same_cell(&a, &without));
    char *before = cell_text(&a);
    a.s.path.lambda[0] = dae_quad_parse("1.0", NULL);
    char *after = cell_text(&a);
    assert_string_not_equal(before, after);
    free(before);
    free(after);
    study_end(&a.s);
}

/* Code that lies in no object is not known: there is no cell, and what is asked for is computed. */
TEST(test_unknown_code)
{
    const run_setting o = run_default_setting(problem_named("pendulum"));
    const dae_method own = *dae_find_method("cros");
    const study s = {.setting = &o, .t_end = 2};
    assert_null(run_cell(&s, dae_find_formulation("index1"), &own, 0.01, 0));
    run_setting with_data = o;
    with_data.baumgarte.user_data = &o;
    const study t = {.setting = &with_data, .t_end = 2};
    assert_null(run_cell(&t, dae_find_formulation("index1"), dae_find_method("cros"), 0.01, 0));
}
