/* test_strict.c - orders in every study that has a ladder, and --strict, which refuses those that are too low */
#include "cli_json.h"
#include "cli_says.h"

#include "run/order.h"
#include "numbers/slope_interval.h"

/* Tables in books: two-sided 95 %. */
TEST(test_quantiles)
{
    static const struct { int degrees; double t; } known[] = {{1, 12.7062}, {2, 4.30265}, {5, 2.57058}, {8, 2.30600},
        {9, 2.26216}, {10, 2.22814}, {12, 2.17881}, {20, 2.08596}, {60, 2.00030}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_close(student_quantile(known[i].degrees), known[i].t, 1e-3 * known[i].t);
}

/* Uniform in (0, 1), from a seed (Knuth's MMIX generator). */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Of lines with normal scatter 95 % of the intervals hold the slope. */
TEST(test_coverage)
{
    enum { LINES = 4000, POINTS = 6 };
    uint64_t seed = 1908;
    int held = 0;
    for (int k = 0; k < LINES; k++) {
        double x[POINTS], y[POINTS];
        for (int i = 0; i < POINTS; i++) {
            x[i] = -2.3 * i;
            y[i] = 0.8 * x[i] + 3 + sqrt(-2 * log(uniform(&seed))) * cos(6.283185307179586 * uniform(&seed));
        }
        const slope_interval s = slope_interval_of(x, y, POINTS);
        assert_true(s.low < s.slope && s.slope < s.high);
        held += s.low <= 0.8 && 0.8 <= s.high;
    }
    assert_in_range(held, (int)(0.94 * LINES), (int)(0.96 * LINES));
    const double two[] = {1, 2};
    assert_close(slope_interval_of(two, two, 2).slope, 1, 1e-14);
    assert_true(isnan(slope_interval_of(two, two, 2).low));
}

/* bench and converge make the same runs with the same steps: their orders are the same. */
TEST(test_bench_has_orders)
{
    json_t *bench = parsed(0, "bench pendulum --form index3,index1 --method cros --step 0.02 --levels 4 --runs 1 "
                              "--seconds 1e-9 --format json");
    json_t *converge = parsed(0, "converge pendulum --form index3,index1 --method cros --step 0.02 --levels 4 "
                                 "--format json");
    assert_string_equal(text_in(bench, "orders", "form=index1 class=position", "verdict"), "agrees");
    assert_int_equal(count_rows(bench, "orders", ""), 8);
    for (int i = 0; i < 8; i++)
        for (int c = column_at(bench, "orders", "class"); c <= column_at(bench, "orders", "unit"); c++) {
            char cell[64];
            snprintf(cell, sizeof cell, "tables/orders/rows/%d/%d", i, c);
            assert_true(json_equal(at(bench, cell), at(converge, cell)));
        }
    json_decref(bench);
    json_decref(converge);
}

/* Where steps are chosen: the slope against the tolerance with its interval, and named so. */
TEST(test_slopes)
{
    json_t *tree = parsed(0, "bench pendulum --form index1 --method euler,cros --rtol 1e-3:1e-6 --runs 1 "
                             "--seconds 1e-9 --format json");
    for (int i = 0; i < 2; i++) {                       /* p/(p + 1) where the error of a step is held, p = 1; 1 */
        const char *where = i ? "method=cros class=position" : "method=euler class=position";
        const double low = number_in(tree, "orders", where, "low");
        const double observed = number_in(tree, "orders", where, "observed");
        assert_string_equal(text_in(tree, "orders", where, "verdict"), "slope against rtol");
        assert_true(low < observed);
        assert_close(observed, i ? 1 : 0.5, 0.1);
        assert_true(number_in(tree, "orders", where, "high") - low < 0.4);
    }
    json_decref(tree);
}

/* One level shows nothing. */
TEST(test_no_ladder)
{
    runs("", "bench pendulum --form index1 --method cros --step 0.02 --levels 1 --runs 1 --strict");
    assert_null(strstr(cli_said.out, "orders:"));
}

/* The midpoint rule, of order 2, declared as of order 3. */
static void declare_too_much(void)
{
    runs("", "new three --method");
    in_folder("sed -i 's/\\] = 2/] = 3/g' three.c");
}

TEST(test_too_low)
{
    declare_too_much();
    runs("", "converge pendulum --form index1 --method ./three.c --step 0.02 --levels 5");
    says(cli_said.out, "below");
    assert_int_equal(cli_run("", "converge pendulum --form index1 --method ./three.c,heun --step 0.02 --levels 5 "
                                 "--strict"), 1);
    says(cli_said.err, "daelab: pendulum: 4 of 8 orders are too low: index1 three position 2.00 (declared: 3), ");
    says(cli_said.out, "agrees");
    assert_int_equal(cli_run("", "bench pendulum --form index1 --method ./three.c --step 0.02 --levels 5 --runs 1 "
                                 "--seconds 1e-9 --strict"), 1);
    says(cli_said.err, "4 of 4 orders are too low");
    runs("", "converge pendulum --form index1,ode --method heun,cros --step 0.02 --levels 5 --strict");
    assert_int_equal(cli_run("", "bench kepler,pendulum --method ./three.c --form native,index1 --step 0.01 --levels 5 "
                                 "--runs 1 --seconds 1e-9 --strict"), 1);
    says(cli_said.err, "pendulum: 4 of 4");
}

/* A method that says nothing of its orders and goes to something else than the solution. */
TEST(test_error_stays)
{
    runs("", "new stays --method");
    in_folder("sed -i 's/+ h \\* k\\[i\\]/+ 1.01 * h * k[i]/; s/{\\[0\\] = TWO, \\[1\\] = TWO}/{{0}}/' stays.c");
    assert_int_equal(cli_run("", "converge pendulum --form index1 --method ./stays.c --step 0.02 --levels 5 --strict"),
                     1);
    says(cli_said.err, "the error does not fall");
    says(cli_said.out, "the error of position does not fall with the step");
}

/* Six runs whose error does not fall, of this size beside variables of that size. */
static order_result constant(int tolerances, double error, double scale)
{
    enum { RUNS = 6 };
    run_result runs_made[RUNS];
    const order_subject subject = {.problem = problem_named("pendulum"), .form = dae_find_formulation("index1"),
                                   .method = dae_find_method("ida"), .tolerances = tolerances};
    memset(runs_made, 0, sizeof runs_made);
    for (int i = 0; i < RUNS; i++) {
        run_result *r = &runs_made[i];
        for (int c = 0; c < DAE_CLASSES; c++) {
            r->error[c] = r->norm[c] = error * (1 + 1e-3 * (i % 2));
            r->scale[c] = scale;
            r->path[c] = r->noise[c] = NAN;
        }
        r->step = tolerances ? NAN : pow(0.5, i);
        r->rtol = tolerances ? pow(10, -4 - i) : NAN;
    }
    return order_observe(&subject, runs_made, RUNS, DAE_VELOCITY);
}

/* At rounding, or at what the tolerance asks for, an error need not fall; in any units. */
TEST(test_lost)
{
    for (double unit = 1e-9; unit < 1e10; unit *= 1e3) {
        assert_true(constant(1, 0.1 * unit, unit).lost);
        assert_true(constant(0, 0.1 * unit, unit).lost);
        assert_true(constant(1, 1e-6 * unit, unit).lost);
        assert_false(constant(1, 1e-8 * unit, unit).lost);
        assert_false(constant(1, 1e-15 * unit, 1e-3 * unit).lost);
        assert_false(constant(0, 1e-15 * unit, 1e-3 * unit).lost);
        assert_false(constant(1, 1e-15 * unit, 0).lost);
    }
}

/* Impacts of a ball, whose errors are those of rounding at every tolerance. */
TEST(test_at_rounding)
{
    static const char *const lines[] = {
        "converge bouncing_ball --method radau5,ida --form index1 --rtol 1e-4 --t-end 1 --strict",
        ("bench bouncing_ball --method radau5,ida --form index1 --rtol 1e-4:1e-9 --runs 1 --seconds 1e-9 --t-end 1 "
         "--strict"),
        "converge bouncing_ball --method radau5,rk4 --form index1 --step 0.01 --levels 5 --t-end 1 --strict",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        runs("", lines[i]);
        assert_null(strstr(cli_said.out, "does not fall"));
    }
}

TEST(test_misuse)
{
    refused("", "bench pendulum --digits --strict", USAGE, "--strict is not used");
    refused("", "solve pendulum --strict", USAGE, "no option --strict");
}

int main(void) { return run_all(cli_begin, cli_end); }
