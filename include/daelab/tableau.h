/* tableau.h - Runge-Kutta and Rosenbrock-Wanner methods from their published coefficients
 *
 * For authors of methods. A record names its coefficients and takes all functions from a macro:
 *
 *     static const dae_butcher coefficients = {
 *         .stages = 2, .A = {[1] = {2. / 3}}, .c = {0, 2. / 3}, .b = {0.25, 0.75}, .b_hat = {1}};
 *     const dae_method ralston = {
 *         .info = {.name = "ralston", .fixed = 1, .adaptive = 1, .order = DAE_ORDERS(2)},
 *         DAE_EXPLICIT_METHOD(coefficients, 1)};
 *
 * The second argument is the order of b_hat, 0 where there is none: then .adaptive must be 0. A solver is
 * refused where coefficients are not those of the declared orders: row sums, and all conditions of order
 * for ordinary differential equations (Butcher (1963), J. Austral. Math. Soc. 3, 185-201; Hairer, Wanner
 * (1996), IV.7), up to the order declared for index 0, of b, and to that of b_hat; the report has the tree
 * of the first condition that is missed, and by how much. What a method does on algebraic equations,
 * converge measures.
 *
 * Fixed steps of such methods are made in quad precision, too (dae_quad_steps).
 */
#ifndef DAELAB_TABLEAU_H
#define DAELAB_TABLEAU_H

#include "method.h"

DAE_API_BEGIN

enum { DAE_MOST_STAGES = 15, DAE_MOST_ROSENBROCK_STAGES = 8 };

/* Butcher's form of an explicit method,
 *
 *     k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y+ = y + h sum_i b_i k_i,   error h sum_i (b_i - b_hat_i) k_i
 *
 * for i = 1 ... stages, from index 0 on here; c_1 = 0. A last stage that is f at the end of the step (b its
 * row, c = 1) is used again as the first of the next one. Multipliers and accelerations are solved for at
 * each stage. Between the ends of steps cubic Hermite interpolation. */
typedef struct {
    int stages;
    int projects;               /* 1: y+ is projected onto the constraints of a mechanical problem */
    double A[DAE_MOST_STAGES][DAE_MOST_STAGES], b[DAE_MOST_STAGES], b_hat[DAE_MOST_STAGES];
    double c[DAE_MOST_STAGES];
} dae_butcher;

/* Rosenbrock-Wanner methods for M u' = F(t, u), with J = dF/du and F_t = dF/dt at (t, u),
 *
 *     (M - gamma h J) k_i = h F(t + alpha_i h, u + sum_j alpha_ij k_j) + h J sum_j gamma_ij k_j + gamma_i h^2 F_t,
 *     u+ = u + sum_i b_i k_i,   error sum_i (b_i - b_hat_i) k_i,   j < i,
 *     alpha_i = sum_j alpha_ij,   gamma_i = gamma + sum_j gamma_ij
 *
 * A method with b_i = alpha_si + gamma_si, i < s, and b_s = gamma is stiffly accurate: algebraic
 * equations are solved as well as F is linear. Others leave them what their conditions of order do, and may
 * not be damped there; declare no order for index 1, or that which converge confirms. Between the ends of
 * steps collocation, on the order of the steps. */
typedef struct {
    int stages;
    double gamma;
    double alpha[DAE_MOST_ROSENBROCK_STAGES][DAE_MOST_ROSENBROCK_STAGES];
    double gamma_ij[DAE_MOST_ROSENBROCK_STAGES][DAE_MOST_ROSENBROCK_STAGES];   /* j < i */
    double b[DAE_MOST_ROSENBROCK_STAGES], b_hat[DAE_MOST_ROSENBROCK_STAGES];
} dae_rosenbrock;

/* For .order: p in every variable, without constraints and where they are solved for. ON_INDEX_1: p without
 * algebraic equations, q in index 1; nothing is declared for more. */
#define DAE_ORDERS(p) DAE_ORDERS_ON_INDEX_1(p, p)
#define DAE_ORDERS_ON_INDEX_1(p, q)                                                               \
    {[0] = {[DAE_POSITION] = p, [DAE_VELOCITY] = p, [DAE_RECOVERED] = p, [DAE_DIFFERENTIAL] = p}, \
     [1] = {[DAE_POSITION] = q, [DAE_VELOCITY] = q, [DAE_MULTIPLIER] = q, [DAE_RECOVERED] = q,    \
            [DAE_DIFFERENTIAL] = q, [DAE_ALGEBRAIC] = q}}

#define DAE_EXPLICIT_METHOD(coefficients, order_of_b_hat)                                         \
    .tableau = &(coefficients), .error_order = order_of_b_hat, .family = DAE_FAMILY_BUTCHER,      \
    .supports = dae_explicit_supports, .create = dae_explicit_create,                             \
    .start = dae_explicit_start, .step = dae_explicit_step, .accepted = dae_explicit_accepted,    \
    .interpolate = dae_explicit_interpolate, .destroy = dae_explicit_destroy, .vary = dae_explicit_vary

#define DAE_ROSENBROCK_METHOD(coefficients, order_of_b_hat)                                       \
    .tableau = &(coefficients), .error_order = order_of_b_hat,                                    \
    .family = DAE_FAMILY_ROSENBROCK_WANNER, .keeps_open = 1, .create = dae_rosenbrock_create,     \
    .start = dae_rosenbrock_start, .step = dae_rosenbrock_step,                                   \
    .accepted = dae_rosenbrock_accepted, .refine = dae_rosenbrock_refine,                         \
    .interpolate = dae_rosenbrock_interpolate, .destroy = dae_rosenbrock_destroy,                 \
    .vary = dae_rosenbrock_vary

/* What the macros name. */
dae_status dae_explicit_supports(const dae_method *method, const dae_system *sys, dae_report *report);
dae_status dae_explicit_create(dae_solver *solver);
dae_status dae_explicit_start(dae_solver *solver);
dae_status dae_explicit_step(dae_solver *solver, double h, double t_stop);
dae_status dae_explicit_accepted(dae_solver *solver);
dae_status dae_explicit_interpolate(dae_solver *solver, double t, double *u);
void dae_explicit_destroy(dae_solver *solver);
dae_status dae_explicit_vary(dae_solver *solver, struct dae_variation *variation);
dae_status dae_rosenbrock_create(dae_solver *solver);
dae_status dae_rosenbrock_start(dae_solver *solver);
dae_status dae_rosenbrock_step(dae_solver *solver, double h, double t_stop);
dae_status dae_rosenbrock_accepted(dae_solver *solver);
dae_status dae_rosenbrock_refine(dae_solver *solver);
dae_status dae_rosenbrock_interpolate(dae_solver *solver, double t, double *u);
void dae_rosenbrock_destroy(dae_solver *solver);
dae_status dae_rosenbrock_vary(dae_solver *solver, struct dae_variation *variation);

DAE_API_END

#endif
