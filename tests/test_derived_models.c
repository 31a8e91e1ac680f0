/* test_derived_models.c - models in words have the functions of the problems of the table that were written by hand
 *
 * Where coordinates and the scaling of g are the same, M a, f, g, dg/dt, d2g/dt2, G^T lambda and the energy of each
 * mode agree at random states and parameters, in doubles, dual and quad numbers and with respect to parameters.
 */
#include "derived.h"

#include "base/numbers.h"
#include "checks/model_maps.h"

typedef struct {
    const char *words;          /* examples/NAME.yaml */
    const char *by_hand;        /* a problem of the table */
    int copies;                 /* of that, where its parameters count them */
} pair;

static const pair pairs[] = {
    {"pendulum", "pendulum", 1},
    {"double_pendulum", "double_pendulum", 1},
    {"spherical_pendulum", "spherical_pendulum", 1},
    {"ladder", "ladder", 1},
    {"slider_crank", "slider_crank", 1},
    {"chain_of_3", "chain", 3},
    {"friction_pendulum", "friction_pendulum", 1},
    {"friction_block", "friction_block", 1},
    {"box", "box", 1},
    {"knife_edge", "skate", 1},
};

enum { STATES = 20, MOST_NUMBERS = 64 };

/* One function of both, in one mode, with parameters of the same names. */
typedef struct {
    const dae_model_map *words, *by_hand;
    const double *p, *p_by_hand;
    double t, x[MOST_NUMBERS];
} comparison;

/* |a_i - b_i| of all rows against the largest of b */
static double apart(int rows, const double *a, const double *b)
{
    double largest = 0, size = 0;
    for (int i = 0; i < rows; i++) {
        largest = isfinite(a[i]) && isfinite(b[i]) ? fmax(largest, fabs(a[i] - b[i])) : INFINITY;
        size = fmax(size, fabs(b[i]));
    }
    return largest > 0 ? largest / size : 0;
}

/* ---- passes ------------------------------------------------------------------------------- */

static double doubles_apart(const comparison *c)
{
    double a[MOST_NUMBERS], b[MOST_NUMBERS];
    assert_true(dae_map_double(c->words, c->p, c->t, c->x, a));
    assert_true(dae_map_double(c->by_hand, c->p_by_hand, c->t, c->x, b));
    return apart(c->words->rows, a, b);
}

static double quads_apart(const comparison *c)
{
    dae_quad x[MOST_NUMBERS], p[MOST_NUMBERS], p_by_hand[MOST_NUMBERS], a[MOST_NUMBERS], b[MOST_NUMBERS];
    double difference[MOST_NUMBERS], size[MOST_NUMBERS], zero[MOST_NUMBERS] = {0};
    for (int i = 0; i < MOST_NUMBERS; i++) {
        x[i] = c->x[i];
        p[i] = c->p[i];
        p_by_hand[i] = c->p_by_hand[i];
    }
    assert_true(dae_map_quad(c->words, p, c->t, x, a));
    assert_true(dae_map_quad(c->by_hand, p_by_hand, c->t, x, b));
    for (int i = 0; i < c->words->rows; i++) {
        difference[i] = (double)(a[i] - b[i]);
        size[i] = (double)b[i];
    }
    const double largest = dae_largest(c->words->rows, size);
    return largest > 0 ? dae_largest(c->words->rows, difference) / largest : apart(c->words->rows, difference, zero);
}

/* Derivatives along one direction in (t, x), and of p where tangent is 1. */
static double derivatives_apart(const comparison *c, int tangent, uint64_t random)
{
    dae_dual x[MOST_NUMBERS], p[MOST_NUMBERS], p_by_hand[MOST_NUMBERS], a[MOST_NUMBERS], b[MOST_NUMBERS];
    double of_words[MOST_NUMBERS], of_hand[MOST_NUMBERS];
    const dae_dual t = dae_dual_make(c->t, dae_random_direction(&random));
    for (int i = 0; i < MOST_NUMBERS; i++) {
        x[i] = dae_dual_make(c->x[i], dae_random_direction(&random));
        p[i] = dae_dual_make(c->p[i], 0.1 * c->p[i]);
        p_by_hand[i] = dae_dual_make(c->p_by_hand[i], 0.1 * c->p_by_hand[i]);
    }
    if (tangent) {
        assert_true(dae_map_tangent(c->words, p, t, x, a));
        assert_true(dae_map_tangent(c->by_hand, p_by_hand, t, x, b));
    } else {
        assert_true(dae_map_dual(c->words, c->p, t, x, a));
        assert_true(dae_map_dual(c->by_hand, c->p_by_hand, t, x, b));
    }
    for (int i = 0; i < c->words->rows; i++) {
        of_words[i] = dae_dual_derivative(a[i]);
        of_hand[i] = dae_dual_derivative(b[i]);
    }
    return apart(c->words->rows, of_words, of_hand);
}

static void agree(const comparison *c, const char *problem, const char *mode, uint64_t random)
{
    const double off[] = {doubles_apart(c), quads_apart(c), derivatives_apart(c, 0, random),
                          derivatives_apart(c, 1, random)};
    static const double most[] = {1e-13, 1e-30, 1e-12, 1e-12};
    static const char *const pass[] = {"doubles", "quad", "derivatives", "derivatives by parameters"};
    for (int i = 0; i < 4; i++)
        if (!(off[i] <= most[i]))
            fail_msg("%s%s%s: %s in %s is off by %.2g of its size", problem, mode ? ", " : "", mode ? mode : "",
                     c->words->name, pass[i], off[i]);
}

/* ---- states and parameters ---------------------------------------------------------------- */

static double random_parameter(const dae_parameter *entry, uint64_t *random)
{
    const double part = dae_random(random);
    return entry->value != 0 ? entry->value * (1 + 0.3 * part) : entry->range == DAE_ANY_VALUE ? part : fabs(part);
}

/* p, p_by_hand := random ones, the same where names are the same; that which counts copies as it is to be */
static void set_parameters(const pair *of, const dae_problem *words, const dae_problem *by_hand, double *p,
                           double *p_by_hand, uint64_t *random)
{
    for (int i = 0; i < dae_parameter_count(words); i++)
        p[i] = random_parameter(dae_parameter_at(words, i), random);
    for (int i = 0; i < dae_parameter_count(by_hand); i++) {
        const dae_parameter *entry = dae_parameter_at(by_hand, i);
        const int same = dae_parameter_index(words, entry->name);
        p_by_hand[i] = entry->range == DAE_COUNT ? of->copies : same < 0 ? entry->value : p[same];
    }
}

static const dae_model_map *find(const dae_model_map *maps, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(maps[i].name, name) == 0)
            return maps + i;
    return NULL;
}

/* Is it one of the functions that both have to have? Minimal coordinates may be others. */
static int is_compared(const dae_model_map *map)
{
    static const char *const left_out[] = {"start", "events.", "minimal.", "invariants"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strncmp(map->name, left_out[i], strlen(left_out[i])) == 0)
            return 0;
    return 1;
}

static int compare_mode(const pair *of, const dae_problem *words, const dae_problem *by_hand, const char *mode)
{
    static dae_model_map maps[DAE_MOST_MAPS], others[DAE_MOST_MAPS];
    const dae_problem *in_words = mode_named(words, mode), *in_c = mode_named(by_hand, mode);
    const dae_state_places places = dae_places_of(in_words, 1), same = dae_places_of(in_c, of->copies);
    const int count = dae_list_maps(in_words, &places, maps), n = dae_list_maps(in_c, &same, others);
    double p[MOST_NUMBERS] = {0}, p_by_hand[MOST_NUMBERS] = {0}, x[4 * MOST_NUMBERS] = {0};
    uint64_t random = 20261122;
    int compared = 0;
    assert_int_equal(places.nq, same.nq);
    assert_int_equal(places.nl, same.nl);
    for (int k = 0; k < STATES; k++) {
        set_parameters(of, words, by_hand, p, p_by_hand, &random);
        for (int i = 0; i < places.s; i++)
            x[i] = 2 * dae_random(&random);
        for (int i = 0; i < n; i++) {
            const dae_model_map *map = find(maps, count, others[i].name);
            if (!is_compared(&others[i]))
                continue;
            if (!map)
                fail_msg("%s has no %s", words->name, others[i].name);
            assert_int_equal(map->rows, others[i].rows);
            comparison c = {map, &others[i], p, p_by_hand, dae_random(&random), {0}};
            dae_map_arguments(map, x, c.x);
            agree(&c, words->name, mode, random);
            compared++;
        }
    }
    return compared / STATES;
}

TEST(test_functions_are_those_written_by_hand)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const dae_problem *words = example(pairs[k].words), *by_hand = problem_named(pairs[k].by_hand);
        const int least = by_hand->mechanical.nl ? 6 : 2;
        assert_true(compare_mode(&pairs[k], words, by_hand, by_hand->mode) >= least);
        for (int i = 0; by_hand->modes && by_hand->modes[i]; i++)
            assert_true(compare_mode(&pairs[k], words, by_hand, by_hand->modes[i]->name) >= 2);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
