/* test_broken_methods.c - converge says "below" of methods with one wrong coefficient
 *
 * Coefficients of copies of the methods are changed by 1e-3 and 1e-6 of themselves, and a method of
 * order 3 is declared as one of order 4. Each goes through daelab converge with its default
 * ladders on the pendulum in index 1 and in minimal coordinates, and is refused in all classes of
 * variables, by 1e-6, too. The copies are those of the tableaus; of Radau IIA the
 * file that has them is compiled once more.
 */
#include "support.h"

#include "study/converge.h"
#include "methods/complex/cros_tableau.h"
#include "methods/explicit_stepper.h"
#include "methods/rosenbrock.h"

/* Relative changes that the copies below make. */
static double of_radau;

/* ---- Radau's tableau once more: the real eigenvalue of A^-1 */

#define dae_radau_tableau right_tableau
#include "../src/stepper/radau_tableau.c"
#undef dae_radau_tableau

const radau_tableau *dae_radau_tableau(int s)
{
    static radau_tableau wrong;
    if (of_radau == 0 || s != 3)
        return right_tableau(s);
    wrong = *right_tableau(s);
    wrong.mu *= 1 + of_radau;
    return &wrong;
}

/* ---- the others: copies of their tableaus */

static dae_method copy;
static dae_tableau explicit_copy;
static dae_rosenbrock_tableau rosenbrock_copy;
static dae_cros_tableau cros_copy;

static const dae_method *break_cros(double change)
{
    copy = *dae_find_method("cros");
    cros_copy = *(const dae_cros_tableau *)copy.tableau;
    cros_copy.a1 += change * creal(cros_copy.a1);
    copy.tableau = &cros_copy;
    return &copy;
}

static const dae_method *break_radau5(double change)
{
    of_radau = change;
    return dae_find_method("radau5");
}

static const dae_method *break_cros4(double change)
{
    copy = *dae_find_method("cros4");
    cros_copy = *(const dae_cros_tableau *)copy.tableau;
    cros_copy.a21 *= 1 + change;
    copy.tableau = &cros_copy;
    return &copy;
}

static const dae_method *break_rosenbrock(const char *name, double change)
{
    copy = *dae_find_method(name);
    rosenbrock_copy = *(const dae_rosenbrock_tableau *)copy.tableau;
    rosenbrock_copy.A[2][1] *= 1 + change;
    copy.tableau = &rosenbrock_copy;
    return &copy;
}

static const dae_method *break_rodas4(double change)
{
    return break_rosenbrock("rodas4", change);
}

static const dae_method *break_rodas5p(double change)
{
    return break_rosenbrock("rodas5p", change);
}

static const dae_method *break_dop853(double change)
{
    copy = *dae_find_method("dop853");
    explicit_copy = *(const dae_tableau *)copy.tableau;
    explicit_copy.A[12][0] *= 1 + change;
    copy.tableau = &explicit_copy;
    return &copy;
}

/* Kutta's method of order 3, declared as one of order 4. */
static const dae_method *lower_order(double change)
{
    (void)change;
    copy = *dae_find_method("rk4");
    explicit_copy = (dae_tableau){.stages = 3, .last = 3,
                                  .A = {[1] = {0.5}, {-1, 2}, {1. / 6, 2. / 3, 1. / 6}},
                                  .c = {0, 0.5, 1, 1}, .E = {{-0.5, 0.5}}};
    copy.tableau = &explicit_copy;
    return &copy;
}

static const struct {
    const char *what;
    const dae_method *(*make)(double change);
} broken[] = {
    {"cros, a", break_cros},           {"cros4, a21", break_cros4},
    {"rodas4, A[2][1]", break_rodas4}, {"rodas5p, A[2][1]", break_rodas5p},
    {"radau5, mu", break_radau5},      {"dop853, b[0]", break_dop853},
    {"order 3 as 4", lower_order},
};

/* ---- what converge says of them */

typedef struct { int agree, below, above, open; } tally;

static void add(const converge_curve *c, tally *sum)
{
    for (dae_class k = DAE_POSITION; k <= DAE_RECOVERED; k++) {
        const char *said = c->order[k].verdict;
        sum->agree += said && strcmp(said, "agrees") == 0;
        sum->below += said && strcmp(said, "below") == 0;
        sum->above += said && strcmp(said, "above") == 0;
        sum->open += said && strcmp(said, "not determined") == 0;
    }
}

static tally converge_on_pendulum(const dae_method *method)
{
    static const char *const forms[] = {"index1", "ode"};
    const study_specification spec = study_default_specification(problem_named("pendulum"));
    tally sum = {0};
    study s;
    const double changed = of_radau;
    of_radau = 0;                                       /* paces are measured by radau5 */
    assert_int_equal(0, study_begin(&s, &spec.run, REFERENCE_ON_PATH, 0, NULL));
    of_radau = changed;
    for (int f = 0; f < 2; f++) {
        converge_curve c = {.value = 0};
        converge_plan(&c, &spec, &s, dae_find_formulation(forms[f]), method);
        converge_run(&spec, &s, &c);
        add(&c, &sum);
        converge_free(&c);
    }
    study_end(&s);
    return sum;
}

static tally try(int i, double change)
{
    const tally said = converge_on_pendulum(broken[i].make(change));
    of_radau = 0;
    print_message("%-17s %7.0e: %d agree, %d below, %d above, %d not determined\n", broken[i].what,
                  change, said.agree, said.below, said.above, said.open);
    return said;
}

enum { BROKEN = sizeof broken / sizeof *broken };

/* As they are, the copies agree, or are not determined. */
TEST(test_unbroken)
{
    for (int i = 0; i < BROKEN - 1; i++) {
        const tally said = try(i, 0);
        assert_int_equal(0, said.below);
        assert_true(said.agree > said.open);
    }
}

TEST(test_broken)
{
    for (int i = 0; i < BROKEN; i++) {
        const tally said = try(i, 1e-3);
        assert_true(said.below > 0);
        assert_true(said.agree <= said.below);
    }
}

/* A change by 1e-6 shows in the terms that so many levels in quad precision determine, where the ladder
 * does not come down to it. */
TEST(test_slightly_broken)
{
    for (int i = 0; i < BROKEN - 1; i++) {
        const tally said = try(i, 1e-6);
        assert_true(said.below > 0);
        assert_int_equal(0, said.agree);
    }
}
