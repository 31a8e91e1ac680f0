/* test_functions.c - every function that functions.h gives a model, in all passes
 *
 * The table is that of functions.h, which is read to see that it is. At random points of its domain each
 * function has in the dual pass the value of the double pass, bit for bit, and the derivative that central
 * differences of the quad pass give; so it has in the tangent pass. In the quad pass it has 32 digits at points
 * where it is known to 36. */
#ifndef DAE_PASS
/* name, call, the domains of x and of y; z is in that of y */
#define FUNCTIONS(F)                                                                               \
    F(sin, sin(x), -20, 20, 0, 1)                                                                  \
    F(cos, cos(x), -20, 20, 0, 1)                                                                  \
    F(tan, tan(x), -1.5, 1.5, 0, 1)                                                                \
    F(asin, asin(x), -0.99, 0.99, 0, 1)                                                            \
    F(acos, acos(x), -0.99, 0.99, 0, 1)                                                            \
    F(atan, atan(x), -9, 9, 0, 1)                                                                  \
    F(sinh, sinh(x), -9, 9, 0, 1)                                                                  \
    F(cosh, cosh(x), -9, 9, 0, 1)                                                                  \
    F(tanh, tanh(x), -4, 4, 0, 1)                                                                  \
    F(asinh, asinh(x), -9, 9, 0, 1)                                                                \
    F(acosh, acosh(x), 1.01, 9, 0, 1)                                                              \
    F(atanh, atanh(x), -0.99, 0.99, 0, 1)                                                          \
    F(exp, exp(x), -30, 30, 0, 1)                                                                  \
    F(exp2, exp2(x), -30, 30, 0, 1)                                                                \
    F(expm1, expm1(x), -9, 9, 0, 1)                                                                \
    F(log, log(x), 0.01, 30, 0, 1)                                                                 \
    F(log2, log2(x), 0.01, 30, 0, 1)                                                               \
    F(log10, log10(x), 0.01, 30, 0, 1)                                                             \
    F(log1p, log1p(x), -0.99, 30, 0, 1)                                                            \
    F(sqrt, sqrt(x), 0.01, 30, 0, 1)                                                               \
    F(cbrt, cbrt(x), 0.01, 30, 0, 1)                                                               \
    F(erf, erf(x), -4, 4, 0, 1)                                                                    \
    F(erfc, erfc(x), -4, 4, 0, 1)                                                                  \
    F(fabs, fabs(x), -4, 4, 0, 1)                                                                  \
    F(floor, floor(x), -9, 9, 0, 1)                                                                \
    F(ceil, ceil(x), -9, 9, 0, 1)                                                                  \
    F(trunc, trunc(x), -9, 9, 0, 1)                                                                \
    F(round, round(x), -9, 9, 0, 1)                                                                \
    F(rint, rint(x), -9, 9, 0, 1)                                                                  \
    F(nearbyint, nearbyint(x), -9, 9, 0, 1)                                                        \
    F(atan2, atan2(x, y), -4, 4, -4, 4)                                                            \
    F(pow, pow(x, y), 0.01, 5, -4, 4)                                                              \
    F(hypot, hypot(x, y), -4, 4, -4, 4)                                                            \
    F(fmax, fmax(x, y), -4, 4, -4, 4)                                                              \
    F(fmin, fmin(x, y), -4, 4, -4, 4)                                                              \
    F(fdim, fdim(x, y), -4, 4, -4, 4)                                                              \
    F(copysign, copysign(x, y), -4, 4, -4, 4)                                                      \
    F(fmod, fmod(x, y), -40, 40, 0.5, 4)                                                           \
    F(remainder, remainder(x, y), -40, 40, 0.5, 4)                                                 \
    F(fma, fma(x, y, z), -4, 4, -4, 4)                                                             \
    F(ldexp, ldexp(x, 5), -4, 4, 0, 1)                                                             \
    F(bessel_0, bessel_0(x), -2, 2, 0, 1)                                                          \
    F(with_numbers, pow(2.0, y) + pow(x, 2) + hypot(1.0, y) + fmin(y, 1) + fmax(0, x) + atan2(y, 2),\
      0.1, 4, 0.1, 4)

#define QUESTIONS(F) F(isnan) F(isinf) F(isfinite) F(isnormal) F(signbit)

/* name, constant, the same by a function of constants */
#define CONSTANTS(F)                                                                               \
    F(pi, M_PI, 4 * atan(1)) F(half_pi, M_PI_2, asin(1.0))                                         \
    F(quarter_pi, M_PI_4, atan2(1, 1)) F(one_by_pi, M_1_PI, 1 / acos(-1.0))                        \
    F(two_by_pi, M_2_PI, 1 / acos(0)) F(two_by_root_pi, M_2_SQRTPI, 2 / sqrt(PI))                  \
    F(e, M_E, exp(1)) F(log2_e, M_LOG2E, 1 / log(2)) F(log10_e, M_LOG10E, 1 / log(10.0))           \
    F(log_2, M_LN2, log(2.0)) F(log_10, M_LN10, log1p(9)) F(root_2, M_SQRT2, pow(2, 0.5))          \
    F(root_half, M_SQRT1_2, 1 / hypot(1, 1))

/* A function of one's own, as refused.h describes it. */
#include <daelab/functions.h>
static double bessel_0(double x) { return j0(x); }
static dae_dual bessel_0_dual(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_make(j0(a), -j1(a) * dae_dual_derivative(x));
}
dae_quad DAE_QUAD_NAME(j0)(dae_quad x);
#define bessel_0(x) DAE_PICK((x), bessel_0_dual, DAE_QUAD_NAME(j0), bessel_0)(x)

#include <daelab/model.h>

#include "support.h"

enum { POINTS = 400, ARGUMENTS = 3, MOST_NAMES = 128 };

typedef struct {
    const char *name;
    dae_event_function f;       /* of x[3] */
    double from[2], to[2];
} row;

#define ROW(name, call, x0, x1, y0, y1) {#name, DAE_MODEL(at_##name), {x0, y0}, {x1, y1}},
static const row functions[] = {FUNCTIONS(ROW)};
enum { COUNT = sizeof functions / sizeof functions[0] };

#define CONSTANT_ROW(name, constant, same) {#constant, DAE_MODEL(at_##name), {0}, {0}},
static const row constants[] = {CONSTANTS(CONSTANT_ROW)};
enum { CONSTANT = sizeof constants / sizeof constants[0] };

#define QUESTION_ROW(name) {#name, DAE_MODEL(at_##name), {0}, {0}},
static const row questions[] = {QUESTIONS(QUESTION_ROW)};
enum { ASKED = sizeof questions / sizeof questions[0] };

/* From mpmath, with 60 digits. */
static const struct {
    const char *name, *x[ARGUMENTS], *value;
} known[] = {
    {"sin", {"0.1", "0", "0"}, "0.099833416646828152306814198410622027"},
    {"sin", {"-3.7", "0", "0"}, "0.52983614090849321321077762570120827"},
    {"cos", {"0.1", "0", "0"}, "0.995004165278025766095561987803870295"},
    {"cos", {"-3.7", "0", "0"}, "-0.84810003171040815883567010635440237"},
    {"tan", {"0.1", "0", "0"}, "0.100334672085450545058080045781111537"},
    {"tan", {"-1.2", "0", "0"}, "-2.57215162212631893540999423603336396"},
    {"asin", {"0.1", "0", "0"}, "0.100167421161559796345523179452693319"},
    {"asin", {"-0.9", "0", "0"}, "-1.11976951499863418668667705584539962"},
    {"acos", {"0.1", "0", "0"}, "1.47062890563333682288579851218705812"},
    {"acos", {"-0.9", "0", "0"}, "2.69056584179353080591799874748515106"},
    {"atan", {"0.1", "0", "0"}, "0.0996686524911620273784461198780205902"},
    {"atan", {"-3.7", "0", "0"}, "-1.30683260316919205666262523215099008"},
    {"sinh", {"0.1", "0", "0"}, "0.100166750019844025823729383521905024"},
    {"sinh", {"-3.7", "0", "0"}, "-20.2112904167985255688457159280278653"},
    {"cosh", {"0.1", "0", "0"}, "1.00500416805580359898797844296834164"},
    {"cosh", {"-3.7", "0", "0"}, "20.2360139432688649600484733110112679"},
    {"tanh", {"0.1", "0", "0"}, "0.0996679946249558171183050836783521835"},
    {"tanh", {"-1.7", "0", "0"}, "-0.93540907060309898052244875774600596"},
    {"asinh", {"0.1", "0", "0"}, "0.0998340788992075633273031247047694433"},
    {"asinh", {"-3.7", "0", "0"}, "-2.01926065615496041379677795657425314"},
    {"acosh", {"1.1", "0", "0"}, "0.443568254385115189132911066352498087"},
    {"acosh", {"37.7", "0", "0"}, "4.3226313320416815231401818784219705"},
    {"atanh", {"0.1", "0", "0"}, "0.100335347731075580635726552060038945"},
    {"atanh", {"-0.9", "0", "0"}, "-1.47221948958322023000451371594392677"},
    {"exp", {"0.1", "0", "0"}, "1.10517091807564762481170782649024667"},
    {"exp", {"-3.7", "0", "0"}, "0.0247235264703393912027573829834026293"},
    {"exp2", {"0.1", "0", "0"}, "1.07177346253629316421300632502334202"},
    {"exp2", {"-3.7", "0", "0"}, "0.0769465258340572677812120668229839444"},
    {"expm1", {"0.001", "0", "0"}, "0.00100050016670834166805575399305831156"},
    {"expm1", {"-3.7", "0", "0"}, "-0.975276473529660608797242617016597371"},
    {"log", {"0.1", "0", "0"}, "-2.30258509299404568401799145468436421"},
    {"log", {"3.7", "0", "0"}, "1.30833281965017876035010421634708296"},
    {"log2", {"0.1", "0", "0"}, "-3.32192809488736234787031942948939018"},
    {"log2", {"3.7", "0", "0"}, "1.88752527074158743398748474812378532"},
    {"log10", {"0.3", "0", "0"}, "-0.522878745280337562704972096744884691"},
    {"log10", {"3.7", "0", "0"}, "0.568201724066994996808450689539129448"},
    {"log1p", {"0.001", "0", "0"}, "0.000999500333083533166809398920535011461"},
    {"log1p", {"3.7", "0", "0"}, "1.5475625087160129028029592150878095"},
    {"sqrt", {"0.1", "0", "0"}, "0.316227766016837933199889354443271853"},
    {"sqrt", {"3.7", "0", "0"}, "1.92353840616713447518553629212133739"},
    {"cbrt", {"0.1", "0", "0"}, "0.464158883361277889241007635091944658"},
    {"cbrt", {"3.7", "0", "0"}, "1.54668037377203545372152485713535489"},
    {"erf", {"0.1", "0", "0"}, "0.112462916018284892203275071743968383"},
    {"erf", {"-1.7", "0", "0"}, "-0.983790458590774563626242588121881213"},
    {"erfc", {"0.1", "0", "0"}, "0.887537083981715107796724928256031617"},
    {"erfc", {"2.7", "0", "0"}, "0.000134332739940524329140118720180089538"},
    {"fabs", {"0.1", "0", "0"}, "0.1"},
    {"fabs", {"-2.7", "0", "0"}, "2.7"},
    {"floor", {"1152921504606847001.75", "0", "0"}, "1152921504606847001"},
    {"floor", {"-2.7", "0", "0"}, "-3"},
    {"ceil", {"1152921504606847001.25", "0", "0"}, "1152921504606847002"},
    {"ceil", {"-2.7", "0", "0"}, "-2"},
    {"trunc", {"1152921504606847001.75", "0", "0"}, "1152921504606847001"},
    {"trunc", {"-2.7", "0", "0"}, "-2"},
    {"round", {"1152921504606847001.75", "0", "0"}, "1152921504606847002"},
    {"round", {"-2.5", "0", "0"}, "-3"},
    {"rint", {"1152921504606847001.75", "0", "0"}, "1152921504606847002"},
    {"rint", {"-2.5", "0", "0"}, "-2"},
    {"nearbyint", {"1152921504606847001.75", "0", "0"}, "1152921504606847002"},
    {"nearbyint", {"-2.5", "0", "0"}, "-2"},
    {"atan2", {"0.1", "-3.7", "0"}, "3.11457220440252844967446804992098325"},
    {"atan2", {"2.7", "0.3", "0"}, "1.46013910562100097267218181942968934"},
    {"pow", {"0.1", "-3.7", "0"}, "5011.87233627272285001554186884945768"},
    {"pow", {"2.7", "0.3", "0"}, "1.34712882579762940577081062613709287"},
    {"hypot", {"0.1", "-3.7", "0"}, "3.7013511046643494558303107416499186"},
    {"hypot", {"2.7", "0.3", "0"}, "2.71661554144122498797214245009521992"},
    {"fmax", {"0.1", "-3.7", "0"}, "0.1"},
    {"fmax", {"2.7", "3.3", "0"}, "3.3"},
    {"fmin", {"0.1", "-3.7", "0"}, "-3.7"},
    {"fmin", {"2.7", "3.3", "0"}, "2.7"},
    {"fdim", {"0.1", "-3.7", "0"}, "3.8"},
    {"fdim", {"2.7", "3.3", "0"}, "0"},
    {"copysign", {"0.1", "-3.7", "0"}, "-0.1"},
    {"copysign", {"-2.7", "3.3", "0"}, "2.7"},
    {"fmod", {"10.1", "3.7", "0"}, "2.7"},
    {"fmod", {"-2.7", "0.4", "0"}, "-0.3"},
    {"remainder", {"10.1", "3.7", "0"}, "-1.0"},
    {"remainder", {"-2.7", "0.4", "0"}, "0.1"},
    {"fma", {"0.1", "3.7", "0.3"}, "0.67"},
    {"fma", {"2.7", "0.4", "-0.9"}, "0.18"},
    {"ldexp", {"0.1", "0", "0"}, "3.2"},
    {"ldexp", {"-3.7", "0", "0"}, "-118.4"},
    {"bessel_0", {"0.1", "0", "0"}, "0.997501562066040032281286898474792085"},
    {"bessel_0", {"-3.7", "0", "0"}, "-0.39923020337119110576612465765164017"},
    {"with_numbers", {"0.1", "3.7", "0"}, "19.0140365743561964692856351169128118"},
    {"with_numbers", {"2.7", "0.4", "0"}, "12.9839364320496758239941938347324963"},
};

static const row *row_of(const char *name)
{
    for (int k = 0; k < COUNT; k++)
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    for (int k = 0; k < ASKED; k++)
        if (strcmp(questions[k].name, name) == 0)
            return &questions[k];
    return NULL;
}

TEST(tables_agree)
{
    char line[512], seen[MOST_NAMES][32];
    int count = 0;
    FILE *header = fopen(DAELAB_SOURCE_DIR "/include/daelab/functions.h", "r");
    assert_non_null(header);
    while (fgets(line, sizeof line, header)) {
        char name[32];
        if (!strstr(line, ") DAE_PICK") || sscanf(line, "#define %31[a-z0-9](", name) != 1)
            continue;
        assert_true(count < MOST_NAMES);
        if (!row_of(name))
            fail_msg("%s is not tested", name);
        for (int k = 0; k < count; k++)
            assert_string_not_equal(seen[k], name);
        strcpy(seen[count++], name);
    }
    fclose(header);
    assert_int_equal(count + 2, COUNT + ASKED);         /* bessel_0 and with_numbers are not of functions.h */
    for (int k = 0; k < COUNT; k++) {
        int values = 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            values += strcmp(known[i].name, functions[k].name) == 0;
        if (values < 2)
            fail_msg("%s is known at %d points", functions[k].name, values);
    }
}

TEST(quad_has_all_digits)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        dae_quad x[ARGUMENTS];
        const dae_quad value = dae_quad_parse(known[i].value, NULL);
        for (int k = 0; k < ARGUMENTS; k++)
            x[k] = dae_quad_parse(known[i].x[k], NULL);
        const dae_quad off = row_of(known[i].name)->f.quad(NULL, 0, x, 0) - value;
        if (!(fabs(off) <= DAE_QUAD_C(1e-32) * fabs(value)))
            fail_msg("%s(%s, %s, %s) is off by %g", known[i].name, known[i].x[0], known[i].x[1],
                     known[i].x[2], value(off));
    }
}

/* u[0] = 0 asks for the constant, else for the function of constants. */
TEST(constants_have_all_digits)
{
    for (int k = 0; k < CONSTANT; k++) {
        const row *r = &constants[k];
        const double x[] = {0, 1};
        const dae_quad q[] = {0, 1}, constant = r->f.quad(NULL, 0, &q[0], 0);
        const dae_dual z[] = {0, 1};
        if (!(fabs(r->f.quad(NULL, 0, &q[1], 0) / constant - 1) <= DAE_QUAD_C(1e-33)))
            fail_msg("%s: %.17g times what functions of constants say", r->name,
                     value(constant / r->f.quad(NULL, 0, &q[1], 0)));
        assert_true(r->f.f(NULL, 0, &x[0], 0) == value(constant));
        assert_true(r->f.dual(NULL, 0, &z[0], 0) == value(constant));
        assert_true(fabs(r->f.f(NULL, 0, &x[1], 0) / value(constant) - 1) <= 1e-15);
    }
    assert_true(constants[0].f.quad(NULL, 0, &(dae_quad){0}, 0) == DAE_PI_QUAD);
    assert_true(M_PI == DAE_PI_DOUBLE && sizeof M_PI == sizeof(double));
}

static double uniform(uint64_t *seed, double from, double to)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

/* (f(x + s d) - f(x - s d)) / 2s, s = 2^-38, in quad */
static dae_quad slope(const row *r, const double *x, const double *d)
{
    dae_quad ahead[ARGUMENTS], behind[ARGUMENTS];
    const dae_quad s = DAE_QUAD_C(0x1p-38);
    for (int k = 0; k < ARGUMENTS; k++) {
        ahead[k] = (dae_quad)x[k] + s * (dae_quad)d[k];
        behind[k] = (dae_quad)x[k] - s * (dae_quad)d[k];
    }
    return (r->f.quad(NULL, 0, ahead, 0) - r->f.quad(NULL, 0, behind, 0)) / (2 * s);
}

/* |got - expected| <= 1e-13 times the largest slope by one argument */
static void same_slope(const row *r, const double *x, const double *d, double got)
{
    dae_quad largest = DAE_QUAD_C(1e-20);
    for (int k = 0; k < ARGUMENTS; k++) {
        double e[ARGUMENTS] = {0};
        e[k] = d[k];
        largest = fmax(largest, fabs(slope(r, x, e)));
    }
    const dae_quad expected = slope(r, x, d);
    if (!(fabs((dae_quad)got - expected) <= DAE_QUAD_C(1e-13) * largest))
        fail_msg("%s(%.17g, %.17g, %.17g): slope %.17g, not %.17g", r->name, x[0], x[1], x[2], got,
                 value(expected));
}

TEST(passes_agree)
{
    uint64_t seed = 20261;
    for (int i = 0; i < COUNT * POINTS; i++) {
        const row *r = &functions[i / POINTS];
        double x[ARGUMENTS], d[ARGUMENTS];
        dae_dual z[ARGUMENTS];
        dae_quad q[ARGUMENTS];
        for (int k = 0; k < ARGUMENTS; k++) {
            x[k] = uniform(&seed, r->from[k > 0], r->to[k > 0]);
            d[k] = uniform(&seed, -1, 1);
            z[k] = dae_dual_make(x[k], d[k]);
            q[k] = (dae_quad)x[k];
        }
        const double f = r->f.f(NULL, 0, x, 0);
        const dae_dual dual = r->f.dual(NULL, 0, z, 0), tangent = r->f.tangent(NULL, 0, z, 0);
        const dae_quad exact = r->f.quad(NULL, 0, q, 0);
        assert_true(value(dual) == f && value(tangent) == f);
        assert_true(fabs((dae_quad)f - exact) <= DAE_QUAD_C(1e-15) * fabs(exact));
        assert_true(dae_dual_derivative(dual) == dae_dual_derivative(tangent));
        same_slope(r, x, d, dae_dual_derivative(dual));
    }
}

/* The questions: the same answer in all passes, for a number of each kind, whatever the derivative is. */
TEST(questions_agree)
{
    const double x[] = {NAN, INFINITY, -INFINITY, -0.0, 2, -2};
    for (int i = 0; i < ASKED * 6; i++) {
        const row *r = &questions[i / 6];
        const dae_dual z = dae_dual_make(x[i % 6], NAN);
        const dae_quad q = (dae_quad)x[i % 6];
        const double answer = r->f.f(NULL, 0, &x[i % 6], 0);
        assert_true(value(r->f.dual(NULL, 0, &z, 0)) == answer && value(r->f.quad(NULL, 0, &q, 0)) == answer);
    }
    assert_true(at_isnan_double(NULL, 0, &x[0], 0) == 1 && at_isnan_double(NULL, 0, &x[1], 0) == 0);
    assert_true(at_isinf_double(NULL, 0, &x[2], 0) == 1 && at_isinf_double(NULL, 0, &x[4], 0) == 0);
    assert_true(at_isfinite_double(NULL, 0, &x[4], 0) == 1 && at_isfinite_double(NULL, 0, &x[0], 0) == 0);
    assert_true(at_isnormal_double(NULL, 0, &x[4], 0) == 1 && at_isnormal_double(NULL, 0, &x[3], 0) == 0);
    assert_true(at_signbit_double(NULL, 0, &x[3], 0) == 1 && at_signbit_double(NULL, 0, &x[4], 0) == 0);
}

#else
#undef AT
#define AT(name, call, ...)                                                                        \
    static real FN(at_##name)(const param *p, real t, const real *u, int k)                        \
    {                                                                                              \
        const real x = u[0], y = u[1], z = u[2];                                                   \
        (void)x, (void)y, (void)z;                                                                 \
        return call;                                                                               \
    }
FUNCTIONS(AT)
#undef AT
#define AT(name)                                                                                   \
    static real FN(at_##name)(const param *p, real t, const real *u, int k) { return name(u[0]); }
QUESTIONS(AT)
#undef AT
#define AT(name, constant, same)                                                                   \
    static real FN(at_##name)(const param *p, real t, const real *u, int k)                        \
    {                                                                                              \
        return value(u[0]) > 0 ? same : constant;                                                  \
    }
CONSTANTS(AT)
#endif
