/* test_crosscheck.c - a fixed sample of what scripts/crosscheck does, and that it notices errors */
#include "cli.h"

#include "judge.h"
#include "judge_drawn.h"

static subject begin(const char *name)
{
    subject s;
    dae_report why = {0};
    if (subject_begin(&s, problem_named(name), &why))
        fail_msg("%s: %s", name, why.message);
    return s;
}

static void count_pair(const subject *s, const dae_formulation *form, const dae_method *method,
                       judgement j, int *count)
{
    if (j.verdict == WRONG)
        fail_msg("%s %s %s: %s", s->problem->name, dae_formulation_describe(form).name,
                 dae_method_describe(method).name, j.why);
    count[j.verdict]++;
}

static void count_problem(const char *name, int *count)
{
    subject s = begin(name);
    for (int f = 0; dae_formulation_at(f); f++)
        for (int m = 0; dae_formulation_applies(dae_formulation_at(f), s.problem)
                        && dae_method_at(m); m++) {
            const dae_formulation *form = dae_formulation_at(f);
            const dae_method *method = dae_method_at(m);
            const dae_method_info info = dae_method_describe(method);
            if (info.adaptive)
                count_pair(&s, form, method, judge_tolerance(&s, form, method, 1e-6), count);
            if (info.fixed && !s.eventful)
                count_pair(&s, form, method, judge_fixed(&s, form, method), count);
        }
    subject_end(&s);
}

/* Every form by every method of a few problems: nothing wrong without a word, few remarks. */
TEST(test_sample)
{
    const char *const sample[] = {"pendulum", "linear_dae", "spherical_pendulum", "akzo_nobel",
                                  "string_pendulum"};
    int count[VERDICTS] = {0};
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
        count_problem(sample[i], count);
    const int judged = count[RIGHT] + count[REMARKED] + count[FAILED];
    assert_true(judged > 300);
    if (count[REMARKED] > judged / 10)
        fail_msg("%d of %d are remarked", count[REMARKED], judged);
}

/* A reference that is off in one row makes every run wrong, which its own estimate does not see. */
TEST(test_notices)
{
    subject s = begin("pendulum");
    const dae_formulation *form = dae_find_formulation("index1");
    const dae_method *method = dae_find_method("radau");
    assert_int_equal(RIGHT, judge_tolerance(&s, form, method, 1e-6).verdict);
    assert_int_equal(RIGHT, judge_fixed(&s, form, dae_find_method("cros")).verdict);
    for (int k = 0; k < ROWS; k++)
        s.right[k * s.width] *= 1 + 1e-3;
    assert_int_equal(WRONG, judge_tolerance(&s, form, method, 1e-6).verdict);
    assert_int_equal(WRONG, judge_fixed(&s, form, dae_find_method("cros")).verdict);
    subject_end(&s);
}

/* The error of a method of order 1 is far above its tolerance, and a second run tells. */
TEST(test_remarks)
{
    subject s = begin("pendulum");
    const judgement j = judge_tolerance(&s, dae_find_formulation("index1"),
                                        dae_find_method("euler"), 1e-6);
    assert_int_equal(REMARKED, j.verdict);
    assert_non_null(strstr(j.why, "estimated at"));
    subject_end(&s);
}

/* Problems of each class that is drawn: nothing is beyond the limit without a word. Kernels and circuits are those
 * whose start, and whose rows, were: of index 1 in units from 1e-6 to 1e6, and of index 2 at times of which rounding is
 * seen. */
static const struct { const char *class; uint64_t number; int exponent; } drawn_sample[] = {
    {"stiff", 33, 7}, {"circuit", 20, 9}, {"jumps", 10, 3},     /* errors of steps that add up: CVODE, dirk, ... */
    {"spring", 26, 7},                                          /* ... and IDA */
    {"hessenberg", 2028, 5},                    /* IDA took combinations of unknowns for unknowns, M being diagonal */
    {"on_guard", 78, 4},                        /* a row next to an impact, which CVODE has a little later */
    {"hessenberg", 10, 6},                      /* IDA had grown by 1e43, and failed at smaller tolerances */
    {"stiff", 1, 4}, {"stiff", 1, 7}, {"stiff", 4, 5}, {"kernel", 1, 4}, {"kernel", 1, 7}, {"kernel", 2, 10},
    {"hessenberg", 1, 4}, {"hessenberg", 1, 7}, {"hessenberg", 5, 5}, {"circuit", 1, 4}, {"circuit", 1, 7},
    {"circuit", 0, 10}, {"jumps", 1, 4}, {"jumps", 1, 7}, {"balls", 1, 4}, {"balls", 1, 7}, {"on_guard", 1, 4},
    {"on_guard", 1, 7}, {"spring", 2, 4}, {"spring", 2, 7}};

static const drawn_class *class_named(const char *name)
{
    int c = 0;
    while (strcmp(drawn_class_at(c)->name, name) != 0)
        c++;
    return drawn_class_at(c);
}

/* Explicit methods are at the limit of their stability where a spring is stiff. */
static int is_drawn_for(const drawn_class *c, const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    return info.adaptive && (c != &drawn_spring || (info.implicit && !info.switches));
}

TEST(test_drawn)
{
    int runs = 0;
    for (size_t k = 0; k < sizeof drawn_sample / sizeof *drawn_sample; k++) {
        drawn d;
        drawn_make(&d, class_named(drawn_sample[k].class), drawn_sample[k].number);
        for (int m = 0; dae_method_at(m); m++) {
            double error;
            if (!is_drawn_for(class_named(drawn_sample[k].class), dae_method_at(m)))
                continue;
            const judgement j = judge_drawn(&d, dae_method_at(m), pow(10, -drawn_sample[k].exponent), &error);
            if (j.verdict == WRONG)
                fail_msg("%s %s: %s", d.title, dae_method_describe(dae_method_at(m)).name, j.why);
            if (j.verdict == FAILED && class_named("jumps") == class_named(drawn_sample[k].class)
                && dae_method_describe(dae_method_at(m)).implicit)
                fail_msg("%s %s stops at a jump: %s", d.title, dae_method_describe(dae_method_at(m)).name, j.why);
            runs++;
        }
        drawn_free(&d);
    }
    assert_true(runs > 200);
}

/* A closed form that is off by a part in 1e4 makes runs wrong. */
static void off_by_a_little(const void *data, double t, double *row)
{
    drawn d;
    drawn_make(&d, drawn_class_at(0), 1);
    d.exact(d.data, t, row);
    drawn_free(&d);
    row[0] *= 1 + 1e-4;
}

TEST(test_drawn_notices)
{
    drawn d;
    double error;
    drawn_make(&d, drawn_class_at(0), 1);
    assert_int_equal(RIGHT, judge_drawn(&d, dae_find_method("radau"), 1e-7, &error).verdict);
    d.exact = off_by_a_little;
    assert_int_equal(WRONG, judge_drawn(&d, dae_find_method("radau"), 1e-7, &error).verdict);
    drawn_free(&d);
}

int main(void) { return run_all(cli_begin, cli_end); }
