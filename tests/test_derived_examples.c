/* test_derived_examples.c - the models in words of examples/: short, right, drawn, and of the orders that methods
 * have */
#include "cli_json.h"
#include "derived.h"

#include <daelab/check.h>

#include <glob.h>

enum { EXAMPLES = 11, MOST_LINES = 29, MOST_FINDINGS = 64 };

static glob_t texts;

static int begin(void **state)
{
    return glob(DAELAB_SOURCE_DIR "/examples/*.yaml", 0, NULL, &texts) ? -1 : cli_begin(state);
}

static int end(void **state)
{
    globfree(&texts);
    return cli_end(state);
}

TEST(test_each_is_short)
{
    assert_int_equal(texts.gl_pathc, EXAMPLES);
    for (size_t i = 0; i < texts.gl_pathc; i++) {
        FILE *file = fopen(texts.gl_pathv[i], "r");
        int lines = 0;
        assert_non_null(file);
        for (int c; (c = fgetc(file)) != EOF;)
            lines += c == '\n';
        assert_int_equal(fclose(file), 0);
        if (lines > MOST_LINES)
            fail_msg("%s has %d lines, more than %d", texts.gl_pathv[i], lines, MOST_LINES);
    }
}

/* Nothing that its functions say contradicts another. */
static void is_right(const char *path)
{
    dae_finding findings[MOST_FINDINGS];
    const dae_check_options how = {.quick = 0};
    dae_report why = {0};
    int count = 0;
    if (dae_check_model(loaded_from(path), NULL, NULL, &how, findings, MOST_FINDINGS, &count, &why))
        fail_msg("%s: %s", path, why.message);
    for (int k = 0; k < count && k < MOST_FINDINGS; k++)
        if (findings[k].failed)
            fail_msg("%s: %s, row %d: %s", path, findings[k].function, findings[k].row, findings[k].sentence);
}

TEST(test_each_is_right)
{
    for (size_t i = 0; i < texts.gl_pathc; i++)
        is_right(texts.gl_pathv[i]);
}

/* A block that stands on both feet, held by friction: three constraints of three coordinates. Bringing a state onto
 * them sets it, and derivatives of its action are what is left of terms that cancel. A rod that has fallen flat on two
 * feet: slopes by its angle, over a way as short as rounding moves it, are rounding of what cancels beside it. */
TEST(test_what_cancels_is_right)
{
    is_right(DAELAB_SOURCE_DIR "/tests/models/rocking_block.yaml");
    is_right(DAELAB_SOURCE_DIR "/tests/models/flat_rod.yaml");
}

static int finite_segment(const dae_segment *s)
{
    return isfinite(s->x0 + s->y0 + s->x1 + s->y1);
}

TEST(test_each_is_drawn)
{
    static dae_picture picture;
    for (size_t i = 0; i < texts.gl_pathc; i++) {
        const dae_problem *problem = loaded_from(texts.gl_pathv[i]);
        double p[MOST_PARAMETERS], x[MOST_UNKNOWNS] = {0};
        default_parameters(problem, p);
        problem->start.f(p, x);
        picture = (dae_picture){0};
        assert_non_null(problem->draw);
        problem->draw(p, problem->t0, x, &picture);
        assert_true(picture.bodies + picture.links >= 1);
        for (int k = 0; k < picture.bodies; k++)
            assert_true(isfinite(picture.body[k].x + picture.body[k].y) && picture.body[k].radius >= 0);
        for (int k = 0; k < picture.links; k++)
            assert_true(finite_segment(&picture.link[k]));
        for (int k = 0; k < picture.walls; k++)
            assert_true(finite_segment(&picture.wall[k]));
    }
}

/* The orders that a method declares, of positions, velocities and multipliers, in every formulation. */
TEST(test_orders)
{
    static const char *const smooth[] = {"pendulum", "double_pendulum", "spherical_pendulum", "ladder",
                                         "slider_crank", "chain_of_3", "knife_edge"};
    need_sympy();
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        char command[512];
        snprintf(command, sizeof command, "converge '%s/examples/%s.yaml' --method cros --form %s --format json",
                 DAELAB_SOURCE_DIR, smooth[i], strcmp(smooth[i], "knife_edge") ? "index1,index2,ggl" : "index1,index2");
        assert_true(agreeing_orders(command) >= 8);
    }
}

int main(void) { return run_all(begin, end); }
