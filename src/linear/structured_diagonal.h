/* structured_diagonal.h - the velocities eliminated too, where their block is diagonal
 *
 * Behind the positions remain, with X = J_q, gamma complex, C and E real,
 *
 *     S = [ D  -gamma C ]      D = M_v - gamma J_v - gamma^2 X_v, diagonal
 *         [ B  -gamma E ]      B = -gamma (J_l + gamma X_l)
 *
 *     P = -gamma (E - L C),  L = B D^-1
 *     P k_l = r_l - L r_v,   D k_v = r_v + gamma C k_l
 *
 * This is Gaussian elimination with the zeros left out. It is taken only where all |L| <= 1, as
 * partial pivoting would choose; a constraint in positions has B = -gamma^2 G, far smaller than the
 * masses.
 *
 * re and im hold one after the other D^-1 [nq], L [nl x nq], P [nl x nl] and (re) C [nq x nl].
 */

/* x + iy := 1/(x + iy); 0 where that is not finite */
static inline int invert(double *restrict x, double *restrict y)
{
    const double d = 1 / (*x * *x + *y * *y);
    *x *= d;
    *y *= -d;
    return (d > 0) & (d < HUGE_VAL);
}

/* Off the diagonal X_v and J_v are zero. J points to the first row below those of q' = v. */
static inline int is_diagonal(int nq, int all, const double *restrict J)
{
    double sum = 0;
    for (int j = 0; j < nq; j++)
        for (int i = 0; i < nq; i++)
            if (i != j)
                sum += fabs(J[j * all + i]) + fabs(J[(nq + j) * all + i]);
    return sum == 0;
}

/* D^-1 and L; 0 where the D are no pivots. */
static inline int divide(structured *s, int nq, int nl, const double *restrict J,
                         const double *restrict M)
{
    const int all = 2 * nq + nl;
    const double a = s->gamma_re, b = s->gamma_im, c = a * a - b * b, d = 2 * a * b;
    double *restrict re = s->re, *restrict im = s->im, *restrict X = s->J_q;
    int good = 1;
    for (int j = 0; j < nq; j++, X += nq + nl) {
        const double *by_q = J + j * all, *by_v = by_q + nq * all;
        double x = M[(nq + j) * all + j] - a * by_v[j] - c * by_q[j];
        double y = -b * by_v[j] - d * by_q[j];
        good &= invert(&x, &y);
        X[j] = by_q[j];
        re[j] = x;
        im[j] = y;
        for (int k = nq; k < nq + nl; k++) {
            double L_re = -a * by_v[k] - c * by_q[k], L_im = -b * by_v[k] - d * by_q[k];
            multiply(x, y, &L_re, &L_im);
            good &= L_re * L_re + L_im * L_im <= 1;
            X[k] = by_q[k];
            re[j * nl + k] = L_re;
            im[j * nl + k] = L_im;
        }
    }
    return good;
}

/* P and C */
static inline void complement(structured *s, int nq, int nl, const double *restrict J)
{
    const double a = s->gamma_re, b = s->gamma_im;
    double *restrict re = s->re, *restrict im = s->im, *restrict C = re + nq + nl * (nq + nl);
    for (int l = 0; l < nl; l++) {
        const double *by_l = J + (2 * nq + l) * (2 * nq + nl);
        for (int j = 0; j < nq; j++)
            C[l * nq + j] = by_l[j];
        for (int k = 0; k < nl; k++) {
            double x = -by_l[nq + k], y = 0;
            for (int j = 0; j < nq; j++) {
                x += re[nq + j * nl + k] * by_l[j];
                y += im[nq + j * nl + k] * by_l[j];
            }
            multiply(a, b, &x, &y);
            re[nq + nl * (nq + l) + k] = x;
            im[nq + nl * (nq + l) + k] = y;
        }
    }
}

/* 0 where S is not of this kind, is singular or not finite. */
static inline int factor_diagonal(structured *s, int nq, int nl, const double *restrict J,
                                  const double *restrict M)
{
    const int P = nq + nl * nq;
    if (!is_diagonal(nq, 2 * nq + nl, J) || !divide(s, nq, nl, J, M))
        return 0;
    complement(s, nq, nl, J);
    return nl == 1 ? invert(s->re + P, s->im + P)
                   : dae_dense_factor(nl, s->re + P, s->im + P, s->pivot) < 0;
}

/* v := v + gamma X_v q, l := l + gamma X_l q - L v */
static inline void forward_diagonal(const structured *s, int nq, int nl, double *restrict z_re,
                                    double *restrict z_im)
{
    const double a = s->gamma_re, b = s->gamma_im, *restrict X = s->J_q;
    const double *restrict L_re = s->re + nq, *restrict L_im = s->im + nq;
    double *restrict l_re = z_re + 2 * nq, *restrict l_im = z_im + 2 * nq;
    for (int j = 0; j < nq; j++, X += nq + nl) {
        const double x = a * z_re[j] - b * z_im[j], y = a * z_im[j] + b * z_re[j];
        const double v_re = z_re[nq + j] + X[j] * x, v_im = z_im[nq + j] + X[j] * y;
        z_re[nq + j] = v_re;
        z_im[nq + j] = v_im;
        for (int k = 0; k < nl; k++) {
            const double c = L_re[j * nl + k], d = L_im[j * nl + k];
            l_re[k] += X[nq + k] * x - (c * v_re - d * v_im);
            l_im[k] += X[nq + k] * y - (c * v_im + d * v_re);
        }
    }
}

/* v := D^-1 (v + gamma C l), q := q + gamma v */
static inline void backward_diagonal(const structured *s, int nq, int nl, double *restrict z_re,
                                     double *restrict z_im)
{
    const double a = s->gamma_re, b = s->gamma_im;
    const double *restrict re = s->re, *restrict im = s->im, *C = re + nq + nl * (nq + nl);
    const double *l_re = z_re + 2 * nq, *l_im = z_im + 2 * nq;
    for (int j = 0; j < nq; j++) {
        double x = 0, y = 0;
        for (int l = 0; l < nl; l++) {
            x += C[l * nq + j] * l_re[l];
            y += C[l * nq + j] * l_im[l];
        }
        multiply(a, b, &x, &y);
        x += z_re[nq + j];
        y += z_im[nq + j];
        multiply(re[j], im[j], &x, &y);
        z_re[nq + j] = x;
        z_im[nq + j] = y;
        z_re[j] += a * x - b * y;
        z_im[j] += a * y + b * x;
    }
}

static inline void solve_diagonal(const structured *s, int nq, int nl, double *restrict re,
                                  double *restrict im)
{
    const int P = nq + nl * nq;
    forward_diagonal(s, nq, nl, re, im);
    if (nl == 1)
        multiply(s->re[P], s->im[P], &re[2 * nq], &im[2 * nq]);
    else
        dae_dense_solve(nl, s->re + P, s->im + P, s->pivot, re + 2 * nq, im + 2 * nq);
    backward_diagonal(s, nq, nl, re, im);
}
