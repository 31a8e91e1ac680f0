/* structured_step.h - one step of a one-stage Rosenbrock method where one constraint binds the velocities and
 * their block is diagonal
 *
 *     u_new = u + h Re k,   (M - gamma J) k = F + gamma F_t
 *
 * in the notation of structured_diagonal.h, but for B = J_l + gamma X_l; the part F_q of the right side is real.
 * Q k_l = l is left. With N_j = |D_j|^2, the bar for the conjugate and N their product, Q and l are multiplied
 * by N, so that no division waits for another:
 *
 *     f = F_v + gamma (F_tv + X_v F_q),   V = gamma C D_bar,   P = D_bar f
 *     Q N = E N + sum gamma C B_j D_j_bar N/N_j
 *     l N = -(F_l/gamma + F_tl + X_l F_q) N - sum B_j P_j N/N_j
 *     k_l = (l N)(Q N)_bar/|Q N|^2,       k_v = (P + V k_l)/N_j,   k_q = F_q + gamma k_v
 *
 * What 1/|Q N|^2 multiplies is computed beside that division. Two positions at a time take the same operations;
 * what stands for a second one that is missing adds nothing.
 */

typedef double two __attribute__((vector_size(2 * sizeof(double))));

enum { MOST_PAIRS = 2 };                /* of the bodies that this is compiled for */
static const double NEAR_LIMITS = 1e150;        /* of products, and their inverses, whose squares are finite */

/* x and the entry `apart` behind it; alone: `missing` stands for that. Both were stored one by one a moment ago:
 * loaded at once, as compilers like to where they are neighbours, they would have to leave the store buffer
 * first. */
static inline two of_both(const double *x, int apart, int alone, double missing)
{
    return (two){x[0], alone ? missing : *(const volatile double *)(x + apart)};
}

static inline double sum_of(two x) { return x[0] + x[1]; }

/* Complex numbers of two positions */
typedef struct { two re, im; } two_complex;

static inline two_complex times(two_complex x, two_complex y)
{
    return (two_complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Of two positions and their velocities; BV = B gamma C D_bar */
typedef struct {
    two N;
    two_complex V, P, B, BV;
} of_two;

/* Positions j and j + 1, or j alone; *through: the sum of X_l F_q. */
static inline of_two look_at_two(int nq, int j, double a, double b, const double *restrict J,
                                 const double *restrict M, const double *restrict F, const double *restrict F_t,
                                 double *through)
{
    const int all = 2 * nq + 1, alone = j + 1 == nq;
    const double *by_q = J + j * all, *by_v = by_q + nq * all;
    const two X_v = of_both(by_q + j, all + 1, alone, 0), X_l = of_both(by_q + nq, all, alone, 0);
    const two J_v = of_both(by_v + j, all + 1, alone, 0), J_l = of_both(by_v + nq, all, alone, 0);
    const two m = of_both(M + (nq + j) * all + j, all + 1, alone, 1), C = of_both(J + 2 * nq * all + j, 1, alone, 0);
    const two F_q = of_both(F + j, 1, alone, 0), F_v = of_both(F + nq + j, 1, alone, 0);
    const two w = of_both(F_t + nq + j, 1, alone, 0) + X_v * F_q;
    const two_complex D_bar = {m - a * J_v - (a * a - b * b) * X_v, b * J_v + 2 * a * b * X_v};
    const two_complex f = {F_v + a * w, b * w}, g = {a * C, b * C}, B = {J_l + a * X_l, b * X_l};
    *through += sum_of(X_l * F_q);
    return (of_two){D_bar.re * D_bar.re + D_bar.im * D_bar.im, times(g, D_bar), times(D_bar, f), B,
                    times(times(B, g), D_bar)};
}

/* Is |W| = |V|/N at most MOST_GROWTH, in units of the unknowns? */
static inline int grows_little(int nq, int j, of_two z, const double *restrict size)
{
    const two W = {fabs(z.V.re[0]) + fabs(z.V.im[0]), fabs(z.V.re[1]) + fabs(z.V.im[1])};
    const int other = j + 1 == nq ? j : j + 1;          /* of what is missing W = 0 */
    return (W[0] * size[nq] <= MOST_GROWTH * size[j] * z.N[0])
           & (W[1] * size[nq] <= MOST_GROWTH * size[other] * z.N[1]);
}

static inline int is_moderate(double x)
{
    return (fabs(x) < NEAR_LIMITS) & (fabs(x) > 1 / NEAR_LIMITS);
}

/* Velocities and positions of two, k_l = over l */
static inline void move_two(int nq, int j, double h, double a, double b, of_two z, two_complex l, double over,
                            const double *restrict F, const double *restrict u, double *restrict u_new)
{
    const int alone = j + 1 == nq;
    const two h_N = h / z.N;
    const two_complex still = {z.P.re * h_N, z.P.im * h_N}, V = {z.V.re * h_N, z.V.im * h_N};
    const two_complex moved = times(V, l), gamma = {{a, a}, {b, b}};
    const two q = h * of_both(F + j, 1, alone, 0) + times(gamma, still).re + times(gamma, moved).re * over;
    const two v = still.re + moved.re * over;
    for (int i = 0; i < 2 - alone; i++) {
        u_new[j + i] = u[j + i] + q[i];
        u_new[nq + j + i] = u[nq + j + i] + v[i];
    }
}

/* J and M point to the first row below those of q' = v, size to the velocities. 0 where the pencil is of another
 * kind, or singular, or its numbers are near the limits: then u_new is as it was. */
static inline int step_diagonal(int nq, double a, double b, double h, const double *restrict J,
                                const double *restrict M, const double *restrict size, const double *restrict F,
                                const double *restrict F_t, const double *restrict u, double *restrict u_new)
{
    const int l = 2 * nq;
    of_two z[MOST_PAIRS];
    double through = 0, N = 1, BP_re = 0, BP_im = 0, BV_re = 0, BV_im = 0;
    int good = is_diagonal(nq, 2 * nq + 1, J);
    for (int j = 0; j < nq; j += 2) {
        z[j / 2] = look_at_two(nq, j, a, b, J, M, F, F_t, &through);
        N *= z[j / 2].N[0] * z[j / 2].N[1];
        good &= grows_little(nq, j, z[j / 2], size);
    }
    for (int j = 0; j < nq; j += 2) {
        const of_two p = z[j / 2];
        const double rest = nq > 2 ? z[1 - j / 2].N[0] * z[1 - j / 2].N[1] : 1;
        const two others = (two){p.N[1], p.N[0]} * rest;
        const two_complex BP = times(p.B, p.P);
        BV_re += sum_of(p.BV.re * others);
        BV_im += sum_of(p.BV.im * others);
        BP_re += sum_of(BP.re * others);
        BP_im += sum_of(BP.im * others);
    }
    const double Q_re = J[l * (l + 1) + nq] * N + BV_re, Q_im = BV_im, square = Q_re * Q_re + Q_im * Q_im;
    const double over = 1 / square, part = F[l] / (a * a + b * b);
    double l_re = -(a * part + F_t[l] + through) * N - BP_re, l_im = b * part * N - BP_im;
    if (!(good & is_moderate(N) & is_moderate(square)))
        return 0;
    multiply(Q_re, -Q_im, &l_re, &l_im);
    for (int j = 0; j < nq; j += 2)
        move_two(nq, j, h, a, b, z[j / 2], (two_complex){{l_re, l_re}, {l_im, l_im}}, over, F, u, u_new);
    u_new[l] = u[l] + h * l_re * over;
    return 1;
}
