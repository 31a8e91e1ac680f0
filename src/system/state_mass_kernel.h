/* state_mass_kernel.h - M(t, u) and its kernel for one scalar: SCALAR, OF, SUFFIX(name), full_pivot.h */

/* A[n x count], by rows := so many columns of M(t, u), those of the list, or all where it is NULL */
static void SUFFIX(form)(const dae_state_mass *m, const SCALAR *p, SCALAR t, const SCALAR *u, int count,
                         const int *list, SCALAR *A)
{
    const int n = m->n;
    SCALAR e[DAE_MANY_POSITIONS] = {0}, column[DAE_MANY_POSITIONS];
    for (int k = 0; k < count; k++) {
        const int j = list ? list[k] : k;
        e[j] = 1;
        m->mass->OF(p, t, u, e, column);
        e[j] = 0;
        for (int i = 0; i < n; i++)
            A[i * count + k] = column[i];
    }
}

/* x -= factor pivot, of n; what is rounding becomes 0. */
static void SUFFIX(subtract)(int n, SCALAR factor, const SCALAR *pivot, SCALAR *x)
{
    for (int j = 0; j < n; j++) {
        const double size = MAGNITUDE(x[j]) + MAGNITUDE(factor * pivot[j]);
        x[j] -= factor * pivot[j];
        if (MAGNITUDE(x[j]) <= FULL_PIVOT_ROUNDING * size)
            x[j] = 0;
    }
}

/* P := the rows of M with a pivot, reduced from the first pivot to the last, (row[k], column[k]). What is no
 * entry of `pattern`, where there is one, becomes 0. A: [n x n] */
static void SUFFIX(echelon)(const dae_state_mass *m, const SCALAR *p, SCALAR t, const SCALAR *u, const int *row,
                            const int *column, const double *pattern, SCALAR *A, SCALAR *P)
{
    const int n = m->n, nx = m->nx;
    SUFFIX(form)(m, p, t, u, n, NULL, A);
    for (int k = 0; k < nx; k++) {
        SCALAR *pivot = A + row[k] * n;
        const SCALAR diagonal = pivot[column[k]];
        for (int j = 0; j < n; j++)
            pivot[j] = j == column[k] ? 1 : pivot[j] / diagonal;
        for (int l = 0; l < nx; l++)
            if (l != k && A[row[l] * n + column[k]] != 0)
                SUFFIX(subtract)(n, A[row[l] * n + column[k]], pivot, A + row[l] * n);
    }
    for (int k = 0; k < nx; k++)
        for (int j = 0; j < n; j++)
            P[k * n + j] = pattern && pattern[k * n + j] == 0 ? 0 : A[m->row[k] * n + j];
}

static void SUFFIX(multiply)(const dae_state_mass *m, const SCALAR *P, const SCALAR *x, SCALAR *out)
{
    for (int i = 0; i < m->n + m->nx; i++)
        out[i] = 0;
    for (int k = 0; k < m->nx; k++) {
        SCALAR sum = m->diagonal ? x[m->column[k]] : 0;
        for (int j = 0; !m->diagonal && j < m->n; j++)
            if (P[k * m->n + j] != 0)
                sum += P[k * m->n + j] * x[j];
        out[m->column[k]] = sum;
    }
}

/* M E w = F where M is diagonal. A: [2 n] */
static int SUFFIX(divide)(const dae_state_mass *m, const SCALAR *p, SCALAR t, const SCALAR *u, SCALAR *F,
                          SCALAR *w, SCALAR *y, int *row, SCALAR *A)
{
    const int n = m->n;
    SCALAR *one = A, *d = one + n;
    for (int i = 0; i < n; i++)
        one[i] = 1;
    m->mass->OF(p, t, u, one, d);
    for (int i = 0; y && i < n * n; i++)
        y[i] = i % (n + 1) == 0;
    for (int i = 0, k = 0; i < n; i++)
        row[k < m->nx && m->column[k] == i ? k++ : m->nx + i - k] = i;
    for (int k = 0; k < m->nx; k++) {
        const int i = m->column[k];
        if (d[i] == 0)
            return 0;
        w[k] = F[i] / d[i];
        F[i] = 0;
        if (y)
            y[i * n + i] = 0;
    }
    return 1;
}

/* M E w = F. A: [n x n], at least [2 n] */
static int SUFFIX(solve)(const dae_state_mass *m, const SCALAR *p, SCALAR t, const SCALAR *u, SCALAR *F,
                         SCALAR *w, SCALAR *y, int *order, SCALAR *A)
{
    const int n = m->n, nx = m->nx, held = order && order[0] >= 0;
    double *scale = m->work;
    int *row = order ? order : m->order, *column = m->order + n;
    if (m->diagonal)
        return SUFFIX(divide)(m, p, t, u, F, w, y, row, A);
    SUFFIX(form)(m, p, t, u, nx, m->column, A);
    for (int i = 0; y && i < n * n; i++)
        y[i] = i % (n + 1) == 0;
    if (SUFFIX(eliminate)(n, nx, A, F, y, scale, held ? nx : n, row, column) < nx)
        return 0;
    SUFFIX(substitute)(nx, A, F, scale + n, row, column, w);
    for (int k = 0; k < n; k++) {
        F[row[k]] = k < nx ? 0 : F[row[k]] / scale[row[k]];
        for (int j = 0; y && j < n; j++)
            y[row[k] * n + j] = k < nx ? 0 : y[row[k] * n + j] / scale[row[k]];
    }
    return 1;
}
