/* rosenbrock.c - real Rosenbrock-Wanner methods, stiffly accurate, for ODEs and index-1 DAEs
 *
 * One Jacobian and one factorisation for each step, free of products with J:
 *
 *   (M - h gamma J) U_i = h gamma (F(t + c_i h, Y_i) + d_i h F_t) + gamma M sum_j C_ij U_j
 *   Y_i = u + sum_j a_ij U_j,     u+ = Y_s + U_s,     error estimate U_s
 *   u(t + theta h) = (1 - theta) u + theta (u+ + (1 - theta) sum_k theta^(k-1) sum_j H_kj U_j)
 *
 * with J and F_t at (t, u); Y_s alone is the embedded method of one order less. Of methods from published
 * coefficients (tableau.c) u+ = u + sum_j m_j U_j and the estimate is sum_j e_j U_j.
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.7 (7.25), VI.3 and VI.4.
 */
#include "rosenbrock.h"

#include "stage_sums.h"
#include "tableau.h"

#include "complex/slow_error.h"

#include "stepper/output.h"
#include "stepper/dense_radau.h"
#include "stepper/implicit.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE inline __attribute__((always_inline))
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL                  /* clang writes short loops out by itself */
#endif

enum { STAGES = 5 };                    /* of collocation between steps */

static const dae_rosenbrock_tableau rodas4, rodas5p;

typedef struct {
    const dae_rosenbrock_tableau *T;        /* of the method's record, or derived from that */
    dae_rosenbrock_tableau *derived;        /* NULL: there was no need */
    dae_linearised linear;
    dae_dense_radau *rows;      /* NULL until one is asked for */
    double *U;                  /* [stages x n]; heads the block of all that follow */
    double *F, *F_t;            /* [n] each, at (t, u) */
    double *D, *Y;              /* [n] each: u + D is the argument of a stage, Y its F; they and w are one block */
    double *w, *product;        /* [n] sum of C_ij U_j, M times that where M is not diagonal */
    const double *mass;         /* [n] M, or NULL where it is not diagonal */
    int linearised;             /* F, F_t and J are those of (t, u) */
    int kept;                   /* U belongs to the last step kept */
    int measured;               /* D and Y hold what its ends leave of the algebraic equations */
} rosenbrock;

void dae_rosenbrock_destroy(dae_solver *s)
{
    rosenbrock *r = s->stepper;
    if (!r)
        return;
    dae_dense_radau_free(r->rows);
    dae_linearised_free(&r->linear);
    free(r->U);
    free(r->derived);
    free(r);
    s->stepper = NULL;
}

/* r->T, from published coefficients where the record has those. */
static dae_status choose_tableau(dae_solver *s, rosenbrock *r)
{
    r->T = s->method->tableau;
    if (s->method->family != DAE_FAMILY_ROSENBROCK_WANNER)
        return DAE_OK;
    r->T = r->derived = malloc(sizeof *r->derived);
    return r->derived ? dae_rosenbrock_derive(s->method, r->derived, &s->report)
                      : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
}

static dae_status allocate(dae_solver *s, rosenbrock *r)
{
    const size_t n = (size_t)s->n, stages = (size_t)r->T->stages;
    if (!DAE_PARTS(r,
                   DAE_PART(rosenbrock, U, stages * n), DAE_PART(rosenbrock, F, n), DAE_PART(rosenbrock, F_t, n),
                   DAE_PART(rosenbrock, D, n), DAE_PART(rosenbrock, Y, n), DAE_PART(rosenbrock, w, n),
                   DAE_PART(rosenbrock, product, n)))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s with %d unknowns",
                        s->method->info.name, s->n);
    r->mass = s->sys->carried || s->sys->nondiagonal_mass ? NULL : s->sys->diagonal;
    return dae_linearised_create(s, &r->linear);
}

dae_status dae_rosenbrock_create(dae_solver *s)
{
    rosenbrock *r = s->stepper = calloc(1, sizeof *r);
    if (!r)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    const dae_status status = choose_tableau(s, r);
    return status ? status : allocate(s, r);
}

dae_status dae_rosenbrock_start(dae_solver *s)
{
    rosenbrock *r = s->stepper;
    r->linearised = r->kept = 0;
    return DAE_OK;
}

dae_status dae_rosenbrock_accepted(dae_solver *s)
{
    rosenbrock *r = s->stepper;
    r->linearised = r->measured = 0;
    r->kept = 1;
    dae_dense_radau_forget(r->rows);
    return DAE_OK;
}

dae_rosenbrock_stages dae_rosenbrock_last(const dae_solver *s)
{
    const rosenbrock *r = s->stepper;
    return (dae_rosenbrock_stages){r->T, r->U, r->linear.pencil};
}

/* F, J, F_t at (t, u), once though the step be repeated smaller; factors of M - h gamma J */
static dae_status prepare(dae_solver *s, rosenbrock *r, double h, double gamma)
{
    dae_status status = DAE_OK;
    r->kept = 0;
    if (!r->linearised) {
        dae_linearise(r->linear.jac, s->t, s->u, r->F, r->F_t);
        status = dae_solver_check_finite(s, r->F, "F", s->t);
        if (!status)
            status = dae_solver_check_finite(s, r->F_t, "F_t", s->t);
        if (status)
            return status;
        r->linearised = 1;
    }
    return dae_implicit_factor_real(s, r->linear.pencil, h, h * gamma);
}

/* y += sum_j x_j U_j, j < count */
static void add_combination(int n, int count, const double *x, const double *restrict U,
                            double *restrict y)
{
    for (int j = 0; j < count; j++, U += n)
        if (x[j] != 0)
            for (int k = 0; k < n; k++)
                y[k] += x[j] * U[k];
}

/* Two neighbours of the newest stage, which was stored number by number a moment ago, and is loaded so: a load of two
 * would wait for both. */
static INLINE dae_pair newest_pair(const double *x)
{
    return (dae_pair){x[0], *(const volatile double *)(x + 1)};
}

/* At unknowns k, and k + 1 where both, before stage i of T: D := sum_j a_j U_j, its argument u + D, and
 * w := gamma m sum_j c_j U_j, or sum_j c_j U_j where m is NULL. Behind the rows of A D goes on by the newest stage. */
static INLINE void add_stages(const dae_rosenbrock_tableau *T, int i, dae_solver *s, const rosenbrock *r, int k,
                              const double *m)
{
    const double *U = r->U + k;
    const int n = s->n, last = (i - 1) * n;
    const dae_pair newest = newest_pair(U + last);
    dae_pair D = {0, 0}, w = {0, 0};
    UNROLL
    for (int j = 0; j < i - 1; j++) {
        const dae_pair x = *(const dae_pair *)(U + j * n);
        if (i < T->rows)
            D += T->A[i][j] * x;
        w += T->C[i][j] * x;
    }
    if (i < T->rows)
        D += T->A[i][i - 1] * newest;
    else
        D = *(const dae_pair *)(r->D + k) + newest;
    w += T->C[i][i - 1] * newest;
    *(dae_pair *)(r->D + k) = D;
    if (m)
        w = T->gamma * (*(const dae_pair *)(m + k) * w);
    *(dae_pair *)(r->w + k) = w;
    *(dae_pair *)(s->u_new + k) = *(const dae_pair *)(s->u + k) + D;
}

/* The same at the last of an odd number of unknowns */
static INLINE void add_stages_last(const dae_rosenbrock_tableau *T, int i, dae_solver *s, const rosenbrock *r,
                                   const double *m)
{
    const int n = s->n, k = n - 1;
    const double *U = r->U + k;
    double D = 0, w = 0;
    UNROLL
    for (int j = 0; j < i; j++) {
        if (i < T->rows)
            D += T->A[i][j] * U[j * n];
        w += T->C[i][j] * U[j * n];
    }
    r->D[k] = i < T->rows ? D : r->D[k] + U[(i - 1) * n];
    r->w[k] = m ? T->gamma * (m[k] * w) : w;
    s->u_new[k] = s->u[k] + r->D[k];
}

/* out := h gamma (F + d h F_t) + b, or without b where that is NULL. 0 where F is not finite. */
static INLINE int right_side(int n, double h, double gamma, double d, const double *restrict F,
                             const double *restrict F_t, const double *restrict b, double *restrict out)
{
    const double x = h * gamma, y = x * d * h;
    double finite = 0;
    for (int k = 0; k < n; k++) {
        double sum = x * F[k];
        if (d != 0)
            sum += y * F_t[k];
        out[k] = b ? sum + b[k] : sum;
        finite += 0 * F[k];
    }
    return finite == 0;
}

/* r->w := gamma M r->w */
static void multiply_mass(dae_solver *s, rosenbrock *r, double gamma)
{
    dae_system_mass(s->sys, r->w, r->product);
    for (int k = 0; k < s->n; k++)
        r->w[k] = gamma * r->product[k];
}

/* F of stage i >= 1 at u + D, into Y, and the part of the right side that comes from the stages before, into w. One
 * rounding of the size of u in each argument. */
static INLINE double evaluate(const dae_rosenbrock_tableau *T, int i, dae_solver *s, rosenbrock *r, double h)
{
    const double t = T->c[i] == 1 ? s->t_new : s->t + T->c[i] * h, *m = r->mass;
    int k = 0;
    for (; k + 1 < s->n; k += 2)
        add_stages(T, i, s, r, k, m);
    if (k < s->n)
        add_stages_last(T, i, s, r, m);
    if (!m)
        multiply_mass(s, r, T->gamma);
    dae_system_rhs(s->sys, t, s->u_new, r->Y);
    s->count.rhs++;
    return t;
}

/* U_i, i = 0 ... stages - 1 */
static INLINE dae_status stage(const dae_rosenbrock_tableau *T, int i, dae_solver *s, rosenbrock *r, double h)
{
    const int n = s->n;
    const double t = i ? evaluate(T, i, s, r, h) : s->t, *F = i ? r->Y : r->F;
    double *U = r->U + i * n;
    if (!right_side(n, h, T->gamma, T->d[i], F, r->F_t, i ? r->w : NULL, U))
        return dae_solver_check_finite(s, F, "F", t);
    return dae_implicit_solve_real(s, r->linear.pencil, h, U);
}

/* All U_i by a tableau that the compiler knows: its coefficients stand in the code, and no loop over stages is left. */
static INLINE dae_status all_stages(const dae_rosenbrock_tableau *T, dae_solver *s, double h)
{
    dae_status status = DAE_OK;
    UNROLL
    for (int i = 0; i < T->stages; i++)
        if (!status)
            status = stage(T, i, s, s->stepper, h);
    return status;
}

static dae_status stages_rodas4(dae_solver *s, double h) { return all_stages(&rodas4, s, h); }

static dae_status stages_rodas5p(dae_solver *s, double h) { return all_stages(&rodas5p, s, h); }

/* The same by any other */
static dae_status stages_of(const dae_rosenbrock_tableau *T, dae_solver *s, double h)
{
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < T->stages && i < DAE_ROSENBROCK_STAGES; i++)
        status = stage(T, i, s, s->stepper, h);
    return status;
}

/* D := sum_j m_j U_j, w := sum_j e_j U_j */
static void combine(rosenbrock *r, int n)
{
    memset(r->D, 0, (size_t)n * sizeof *r->D);
    memset(r->w, 0, (size_t)n * sizeof *r->w);
    add_combination(n, r->T->stages, r->T->m, r->U, r->D);
    add_combination(n, r->T->stages, r->T->e, r->U, r->w);
}

dae_status dae_rosenbrock_step(dae_solver *s, double h, double t_stop)
{
    rosenbrock *r = s->stepper;
    const dae_rosenbrock_tableau *T = r->T;
    const int n = s->n;
    (void)t_stop;
    dae_status status = prepare(s, r, h, T->gamma);
    if (!status)
        status = T == &rodas4 ? stages_rodas4(s, h) : T == &rodas5p ? stages_rodas5p(s, h) : stages_of(T, s, h);
    if (status)
        return status;
    if (T->combines)
        combine(r, n);
    const double *error = T->combines ? r->w : r->U + (T->stages - 1) * n;
    const double *last = r->U + (T->stages - 1) * n;
    for (int k = 0; k < n; k++)
        s->u_new[k] = s->u[k] + (T->combines ? r->D[k] : r->D[k] + last[k]);
    if (s->adaptive)
        s->error = dae_slow_error(s, &r->linear, h, error, r->D, NULL);
    if (s->adaptive && s->error <= 1 && s->sys->index > 1)
        s->error = fmax(s->error, dae_left_over(s, r->linear.pencil, h, h * T->gamma, error, r->D));
    return DAE_OK;
}

/* out := the part of F that M u' does not see, at (t, u) */
static void algebraic_part(dae_solver *s, double t, const double *u, double *out)
{
    rosenbrock *r = s->stepper;
    dae_system_rhs(s->sys, t, u, out);
    s->count.rhs++;
    dae_system_keep_algebraic(s->sys, out, r->w);
}

/* First-order problems of index 1: u := u + (M - g J)^-1 g F_a, with the factors of the step, which
 * makes F_a, the algebraic part of F, what the ends leave of it, and moves what has a derivative by
 * O(h) times that. */
static void settle(dae_solver *s, double t, double x, double *u)
{
    rosenbrock *r = s->stepper;
    const dae_rosenbrock_tableau *T = r->T;
    const double g = (s->t - s->t_old) * T->gamma;
    double *b = r->F_t;
    if (s->sys->nq || s->sys->index != 1 || s->t_new != s->t
        || dae_system_algebraic_equations(s->sys) == 0)
        return;
    if (!r->measured) {
        algebraic_part(s, s->t_old, s->u_old, r->D);
        algebraic_part(s, s->t, s->u, r->Y);
        r->measured = 1;
    }
    algebraic_part(s, t, u, b);
    for (int i = 0; i < s->n; i++)
        b[i] = g * (b[i] - (1 - x) * r->D[i] - x * r->Y[i]);
    s->count.solves++;
    if (!dae_pencil_solve_real(r->linear.pencil, b) && dae_vector_finite(s->n, b))
        for (int i = 0; i < s->n; i++)
            u[i] += b[i];
}

dae_status dae_rosenbrock_refine(dae_solver *s)
{
    rosenbrock *r = s->stepper;
    const double g = r->T->gamma * (s->t - s->t_old);
    return !r->kept ? DAE_OK
           : s->searching ? dae_dense_radau_search(s, &r->rows, r->linear.jac, STAGES, r->linear.pencil, g)
           : dae_dense_radau_find(s, &r->rows, r->linear.jac, STAGES, NULL);
}

dae_status dae_rosenbrock_interpolate(dae_solver *s, double t, double *u)
{
    const rosenbrock *r = s->stepper;
    const dae_rosenbrock_tableau *T = r->T;
    if (!r->kept)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "%s: no step was kept since the start or the "
                        "last failure", s->method->info.name);
    const double theta = (t - s->t_old) / (s->t - s->t_old);
    if (dae_dense_radau_is_known(s, r->rows))
        return dae_dense_radau_at(s, r->rows, t, u);
    double x[DAE_ROSENBROCK_STAGES];
    for (int j = 0; j < T->stages; j++) {
        x[j] = 0;
        for (int k = T->dense - 1; k >= 0; k--)
            x[j] = x[j] * theta + T->H[k][j];
        x[j] *= theta * (1 - theta);
    }
    for (int k = 0; k < s->n; k++)
        u[k] = (1 - theta) * s->u_old[k] + theta * s->u[k];
    add_combination(s->n, T->stages, x, r->U, u);
    settle(s, t, theta, u);
    dae_output_finish(s, t, u);
    return DAE_OK;
}

/* ---- tableaus ----------------------------------------------------------------------------- */

/* p on ODEs and index-1 DAEs, for all variables; q, and q - 1 for multipliers, on index 2; one less
 * on index 3, where the error estimate sees only a part of the error. */
#define ORDERS(p, q)                                                                              \
    {[0] = {[DAE_POSITION] = p, [DAE_VELOCITY] = p, [DAE_RECOVERED] = p, [DAE_DIFFERENTIAL] = p}, \
     [1] = {[DAE_POSITION] = p, [DAE_VELOCITY] = p, [DAE_MULTIPLIER] = p, [DAE_RECOVERED] = p,    \
            [DAE_DIFFERENTIAL] = p, [DAE_ALGEBRAIC] = p},                                         \
     [2] = {[DAE_POSITION] = q, [DAE_VELOCITY] = q, [DAE_MULTIPLIER] = q - 1,                     \
            [DAE_RECOVERED] = q, [DAE_DIFFERENTIAL] = q, [DAE_ALGEBRAIC] = q - 1},                \
     [3] = {[DAE_POSITION] = q - 1, [DAE_VELOCITY] = q - 1,                                       \
            [DAE_MULTIPLIER] = q > 2 ? q - 2 : DAE_ORDER_ZERO, [DAE_RECOVERED] = q - 1}}

#define ROSENBROCK                                                                                \
    .family = DAE_FAMILY_ROSENBROCK, .keeps_open = 1,                                             \
    .create = dae_rosenbrock_create, .start = dae_rosenbrock_start, .step = dae_rosenbrock_step,              \
    .accepted = dae_rosenbrock_accepted, .refine = dae_rosenbrock_refine,                                 \
    .interpolate = dae_rosenbrock_interpolate, .vary = dae_rosenbrock_vary,                           \
    .destroy = dae_rosenbrock_destroy

static const dae_rosenbrock_tableau rodas4 = {
    .stages = 6, .rows = 5, .gamma = 0.25, .dense = 2,
    .A = {
        {0},
        {1.544},
        {0.9466785280815826, 0.2557011698983284},
        {3.314825187068521, 2.896124015972201, 0.9986419139977817},
        {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    },
    .C = {
        {0},
        {-5.6688},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
         -6.058818238834054},
    },
    .c = {0, 0.386, 0.21, 0.63, 1, 1},
    .d = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0},
    .H = {
        {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
         1.025137723295662},
        {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
         -6.594389125716872},
    },
};

static const dae_rosenbrock_tableau rodas5p = {
    .stages = 8, .rows = 6, .gamma = 0.21193756319429014, .dense = 3,
    .A = {
        {0},
        {3.0},
        {2.849394379747939, 0.45842242204463923},
        {-6.954028509809101, 2.489845061869568, -10.358996098473584},
        {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
        {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
         0.030198172008377946},
    },
    .C = {
        {0},
        {-14.155112264123755},
        {-17.97296035885952, -2.859693295451294},
        {147.12150275711716, -1.41221402718213, 71.68940251302358},
        {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
        {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
         -0.6610691825249471},
        {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
         -19.097331116725623, -28.087943162872662},
        {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
         -40.06618937091002, -54.66780262877968, -9.48861652309627},
    },
    .c = {0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1,
          1},
    .d = {0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734,
          2.325825639765069, 0, 0, 0},
    .H = {
        {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
         0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
        {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
         20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
        {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
         -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722},
    },
};

/* Coefficients: the code RODAS of Hairer and Wanner, METH = 1. */
const dae_method dae_rodas4 = {
    .info = {.name = "rodas4", .title = "Rosenbrock-Wanner, six stages, order 4(3), L-stable",
             .citation = "Hairer, Wanner (1996), Solving ODEs II, VI.4 and the code RODAS",
             .stages = 6, .fixed = 1, .adaptive = 1, .implicit = 1, .order = ORDERS(4, 2),
             .dense_order = 3},
    .tableau = &rodas4,
    .error_order = 3,
    ROSENBROCK,
};

/* Coefficients: those published with the paper, in OrdinaryDiffEq.jl. */
const dae_method dae_rodas5p = {
    .info = {.name = "rodas5p", .title = "Rosenbrock-Wanner, eight stages, order 5(4), L-stable",
             .citation = "Steinebach (2023), BIT Numer. Math. 63, 27, "
                         "doi 10.1007/s10543-023-00967-x",
             .stages = 8, .fixed = 1, .adaptive = 1, .implicit = 1, .order = ORDERS(5, 3),
             .dense_order = 4},
    .tableau = &rodas5p,
    .error_order = 4,
    ROSENBROCK,
};
