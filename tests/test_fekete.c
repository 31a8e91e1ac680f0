/* test_fekete.c - points on the sphere: published values, and configurations that are known in closed form
 *
 * The values of N = 20 were computed in quad precision by extrapolation of two orders, 20 and 26, which agree to 19
 * digits; those of the IVP test set (Mazzia, Magherini 2008) at t = 1000 agree with them to 2.6e-12.
 */
#include "support.h"

enum { POINTS = 20, MOST_POINTS = 32 };

static const double at_rest[POINTS][3] = {
    {-4.07026338033128690e-01, 3.46375877281720292e-01, 8.45194245002094120e-01},
    {7.75293475246382173e-02, -2.62866271994994338e-01, 9.61712287183572137e-01},
    {7.10057783334315181e-01, 1.21294805559435275e-01, 6.93617700517120243e-01},
    {2.34826774456494639e-01, 7.44927797693560919e-01, 6.24450928593896618e-01},
    {-4.34111473877280248e-01, 8.78543044227295277e-01, 1.99272044421519707e-01},
    {-9.51505960031050656e-01, 2.20350876280371456e-01, 2.14666949826611789e-01},
    {-6.38519164361679973e-01, -4.31083325936753228e-01, 6.37542502773084845e-01},
    {-1.46417508792651693e-01, -9.38087163521949338e-01, 3.13933729876700646e-01},
    {5.66697406506051560e-01, -6.73922188507190421e-01, 4.74007313548001968e-01},
    {9.84325953843837307e-01, -1.69699535783305436e-01, -4.80050429054126060e-02},
    {1.46417508792651693e-01, 9.38087163521949338e-01, -3.13933729876700646e-01},
    {-7.09275754997138726e-01, 5.26406263713682772e-01, -4.68854293886959628e-01},
    {-8.66573181928995147e-01, -4.81387805974872485e-01, -1.31592935297284109e-01},
    {-2.34789777870971175e-01, -8.59434040802129109e-01, -4.54144128793739105e-01},
    {5.53097694006572298e-01, -7.67437026562966063e-01, -3.24227314001774750e-01},
    {7.71105096990451285e-01, 6.35704181656858084e-01, 3.57368551964368296e-02},
    {7.10395120938428719e-01, 2.40357043125589194e-01, -6.61488672591450269e-01},
    {-3.03820873865714493e-02, 4.50192329361919396e-01, -8.92414587145304244e-01},
    {-5.77299615810708617e-01, -1.76676341498414856e-01, -7.97189202096681514e-01},
    {2.41448176696735475e-01, -3.41645681839806731e-01, -9.08284650343732033e-01}};

/* At t = 1: point, position, velocity, multiplier */
static const struct { int i; double p[3], v[3], lambda; } moving[] = {
    {0, {-3.49978279373252521e-01, 3.68855763471987314e-01, 8.61081081966405158e-01},
     {-2.26393400751924863e-02, 4.03712706524458732e-02, -2.64951276044803935e-02}, -4.75142218549995548e+00},
    {1, {-1.35873127881070940e-01, -4.72518615829956193e-01, 8.70783928890489122e-01},
     {7.73372096741866617e-03, 6.90333850189687556e-03, 4.95273358687230590e-03}, -4.75006599804622810e+00},
    {19, {1.13299668273234270e-01, -4.93548267000921289e-01, -8.62306960026162830e-01},
     {-1.16490214575351709e-02, 5.38922684631819566e-03, -4.61514753075976953e-03}, -4.75009302152682493e+00},
};

static const char *const forms[] = {"index3", "index2", "index1", "baumgarte", "ggl"};
enum { FORMS = sizeof forms / sizeof *forms };

/* A system of n points at its start, consistent, in u */
static dae_system *points(int n, const char *form, double *u)
{
    const dae_problem *problem = problem_named("fekete");
    const double p[2] = {n, 0.5};
    return consistent_system(problem, form, p, u);
}

/* sum over i < j of log|p_i - p_j| */
static double potential(const double *p, int n)
{
    double sum = 0;
    for (int i = 0; i < 3 * n; i += 3)
        for (int j = 0; j < i; j += 3)
            sum += log(hypot(hypot(p[i] - p[j], p[i + 1] - p[j + 1]), p[i + 2] - p[j + 2]));
    return sum;
}

/* Errors of radau at rtol 1e-9, of the positions at rest. */
TEST(test_at_rest)
{
    const dae_options options = tolerance(1e-9);
    for (int k = 0; k < FORMS; k++) {
        double u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = points(POINTS, forms[k], u);
        solve_to(sys, "radau", &options, 1000, u);
        assert_close(distance(u, at_rest[0], 3 * POINTS), 0, strcmp(forms[k], "index1") ? 1e-7 : 1e-6);
        for (int i = 0; i < 3 * POINTS; i++)
            assert_close(u[3 * POINTS + i], 0, 1e-9);
        for (int i = 0; i < POINTS; i++)
            assert_close(u[6 * POINTS + i], -4.75, 1e-6);
    }
}

/* In motion, and the potential by the way to rest */
TEST(test_in_motion)
{
    const dae_options options = tolerance(1e-11);
    static const struct { double t, sum; } by_the_way[] = {
        {10, 54.0078706843188944}, {50, 54.0111206463574865}};
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = points(POINTS, "index1", u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("radau"), &options, 0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) {
        const int i = moving[k].i;
        assert_close(distance(u + 3 * i, moving[k].p, 3), 0, 1e-10);
        assert_close(distance(u + 3 * (POINTS + i), moving[k].v, 3), 0, 1e-10);
        assert_close(u[6 * POINTS + i], moving[k].lambda, 1e-10);
    }
    assert_close(potential(u, POINTS), 53.6581032791699800, 1e-9);
    for (size_t k = 0; k < sizeof by_the_way / sizeof *by_the_way; k++) {
        assert_int_equal(DAE_OK, dae_solver_advance(solver, by_the_way[k].t, u));
        assert_close(potential(u, POINTS), by_the_way[k].sum, 1e-8);
    }
}

/* Two points end opposite each other, three in a triangle, four in a tetrahedron, six in an octahedron, twelve in an
 * icosahedron, of which the edge is 1/sin(2 pi/5) and each vertex has five neighbours, five next to them and one
 * opposite. Whatever N is, lambda = -(N - 1)/4 at rest. */
TEST(test_solids)
{
    const double edge = 1 / sin(2 * M_PI / 5), next = edge * (1 + sqrt(5)) / 2;
    const struct { int n; double sum; } solids[] = {
        {1, 0}, {2, log(2)}, {3, 3 * log(3) / 2}, {4, 3 * log(8.0 / 3)}, {6, 9 * log(2)},
        {12, 30 * log(edge) + 30 * log(next) + 6 * log(2)}};
    const dae_options options = tolerance(1e-9);
    for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
        const int n = solids[k].n;
        double u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = points(n, "ggl", u);
        solve_to(sys, "radau", &options, 300, u);
        assert_close(potential(u, n), solids[k].sum, 1e-7);
        for (int i = 0; i < n; i++)
            assert_close(u[6 * n + i], -(n - 1) / 4.0, 1e-6);
    }
}

/* Every layout lies on the sphere, with no two points nearer to each other than a third of what they would have, were
 * the sphere divided among them. */
TEST(test_starts)
{
    for (int n = 1; n <= MOST_POINTS; n++) {
        double u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = points(n, "index3", u);
        for (int i = 0; i < 3 * n; i += 3) {
            assert_close(hypot(hypot(u[i], u[i + 1]), u[i + 2]), 1, 1e-15);
            for (int j = 0; j < i; j += 3)
                assert_true(hypot(hypot(u[i] - u[j], u[i + 1] - u[j + 1]), u[i + 2] - u[j + 2])
                            > sqrt(4 * M_PI / n) / 3);
        }
    }
}
