/* plain_problems.c - pendulum and chain of index 1 for IDA, by hand
 *
 *     q' = v,   m v' = f - G^T T,   0 = d2g/dt2 at v' = (f - G^T T)/m
 *
 * The pendulum's rope and the links have the constraints (|d|^2 - L^2)/(2L), d the difference of their ends. With
 * e = v'_i - v'_{i-1} and w = v_i - v_{i-1}, link i has
 *
 *     c_i = (d_i . e_i + |w_i|^2)/L,   m v'_i = -d_i T_i/L + d_{i+1} T_{i+1}/L - (0, m g)
 */
#include "plain_ida.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* ---- the pendulum, gravity g + 0.05 sin(2 pi t) --------------------------------------------------- */

static double gravity(const plain_ida_problem *p, double t)
{
    return p->gravity + 0.05 * sin(2 * 3.14159265358979323846 * t);
}

static int pendulum_residual(double t, N_Vector uu, N_Vector du, N_Vector rr, void *data)
{
    const plain_ida_problem *p = data;
    const double *u = N_VGetArrayPointer(uu), *d = N_VGetArrayPointer(du);
    double *r = N_VGetArrayPointer(rr);
    const double pull = u[4] / p->length;
    const double fx = -u[0] * pull, fy = -p->mass * gravity(p, t) - u[1] * pull;
    r[0] = d[0] - u[2];
    r[1] = d[1] - u[3];
    r[2] = p->mass * d[2] - fx;
    r[3] = p->mass * d[3] - fy;
    r[4] = -((u[0] * fx + u[1] * fy) / p->mass + u[2] * u[2] + u[3] * u[3]) / p->length;
    return 0;
}

static int pendulum_matrix(double t, double c, N_Vector uu, N_Vector du, N_Vector rr, SUNMatrix A, void *data,
                           N_Vector a, N_Vector b, N_Vector e)
{
    const plain_ida_problem *p = data;
    const double *u = N_VGetArrayPointer(uu);
    const double over = 1 / p->length, pull = u[4] * over, m = p->mass;
    const double ax = -u[0] * pull / m, ay = -gravity(p, t) - u[1] * pull / m;
    double *x = SUNDenseMatrix_Column(A, 0), *y = SUNDenseMatrix_Column(A, 1);
    double *vx = SUNDenseMatrix_Column(A, 2), *vy = SUNDenseMatrix_Column(A, 3), *T = SUNDenseMatrix_Column(A, 4);
    (void)du, (void)rr, (void)a, (void)b, (void)e;
    x[0] = y[1] = c;
    x[2] = y[3] = pull;
    x[4] = -over * (ax - u[0] * pull / m);
    y[4] = -over * (ay - u[1] * pull / m);
    vx[0] = vy[1] = -1;
    vx[2] = vy[3] = m * c;
    vx[4] = -2 * over * u[2];
    vy[4] = -2 * over * u[3];
    T[2] = over * u[0];
    T[3] = over * u[1];
    T[4] = over * over * (u[0] * u[0] + u[1] * u[1]) / m;
    return 0;
}

plain_ida_problem plain_ida_pendulum(void)
{
    return (plain_ida_problem){.positions = 2, .multipliers = 1, .mass = 1, .length = 5, .gravity = 9.81,
                               .residual = pendulum_residual, .matrix = pendulum_matrix};
}

/* ---- the chain: (x_1, y_1, x_2, ...), then velocities, then tensions --------------------------------- */

static int chain_residual(double t, N_Vector uu, N_Vector du, N_Vector rr, void *data)
{
    const plain_ida_problem *p = data;
    const int links = p->multipliers;
    const double *restrict q = N_VGetArrayPointer(uu), *restrict v = q + 2 * links, *restrict T = v + 2 * links;
    const double *restrict dq = N_VGetArrayPointer(du), *restrict dv = dq + 2 * links;
    double *restrict r = N_VGetArrayPointer(rr), *restrict rv = r + 2 * links, *restrict rc = rv + 2 * links;
    const double m = p->mass, L = p->length, weight = m * p->gravity;
    double dx = q[0], dy = q[1], wx = v[0], wy = v[1];              /* of link i */
    double fx = dx * (T[0] / L), fy = dy * (T[0] / L);
    double ax = 0, ay = 0;                                          /* of mass i - 1 */
    (void)t;
    for (int i = 0; i < links; i++) {
        const int last = i == links - 1;
        const double dx1 = last ? 0 : q[2 * i + 2] - q[2 * i], dy1 = last ? 0 : q[2 * i + 3] - q[2 * i + 1];
        const double pull = last ? 0 : T[i + 1] / L, fx1 = dx1 * pull, fy1 = dy1 * pull;
        const double rx = fx1 - fx, ry = -weight - (fy - fy1), bx = rx / m, by = ry / m;
        r[2 * i] = dq[2 * i] - v[2 * i];
        r[2 * i + 1] = dq[2 * i + 1] - v[2 * i + 1];
        rv[2 * i] = m * dv[2 * i] - rx;
        rv[2 * i + 1] = m * dv[2 * i + 1] - ry;
        rc[i] = -(dx * (bx - ax) + dy * (by - ay) + wx * wx + wy * wy) / L;
        dx = dx1, dy = dy1, fx = fx1, fy = fy1, ax = bx, ay = by;
        wx = last ? 0 : v[2 * i + 2] - v[2 * i];
        wy = last ? 0 : v[2 * i + 3] - v[2 * i + 1];
    }
    return 0;
}

/* Of link i: d, its pull T_i/L and e. Beside the ends of the chain all are zero. */
typedef struct { double dx, dy, pull, ex, ey; } rod;

static rod *find_rods(const plain_ida_problem *p, const double *q, const double *T)
{
    const int links = p->multipliers;
    rod *l = (rod *)p->work + 1;
    double x = 0, y = 0, over = 1 / p->mass;
    for (int i = 0; i < links; i++) {
        l[i].dx = q[2 * i] - x;
        l[i].dy = q[2 * i + 1] - y;
        l[i].pull = T[i] / p->length;
        x = q[2 * i];
        y = q[2 * i + 1];
    }
    for (int i = 0; i < links; i++) {
        const rod *a = &l[i - 1], *b = &l[i], *c = &l[i + 1];
        const int of_both = i > 0 ? 2 : 1;
        l[i].ex = over * (c->dx * c->pull - of_both * b->dx * b->pull + a->dx * a->pull);
        l[i].ey = over * (c->dy * c->pull - of_both * b->dy * b->pull + a->dy * a->pull);
    }
    l[0].ey -= p->gravity;
    return l;
}

/* Compressed columns being written. */
typedef struct {
    sunindextype *begin, *row, count;
    double *value;
} columns;

static inline void put(columns *A, int row, double value)
{
    A->row[A->count] = row;
    A->value[A->count++] = value;
}

/* Column of the position of mass i, x (k = 0) or y (1). */
static inline void put_position(columns *A, const plain_ida_problem *p, const rod *l, int i, int k, double c)
{
    const int links = p->multipliers, v = 2 * links + k, g = 4 * links;
    const double s = 1 / (p->length * p->mass), over = 1 / p->length;
    const double now = l[i].pull, next = l[i + 1].pull;
    put(A, 2 * i + k, c);
    if (i > 0)
        put(A, v + 2 * i - 2, -now);
    put(A, v + 2 * i, now + next);
    if (i + 1 < links)
        put(A, v + 2 * i + 2, -next);
    if (i > 0)
        put(A, g + i - 1, -s * (k ? l[i - 1].dy : l[i - 1].dx) * now);
    put(A, g + i, -over * (k ? l[i].ey : l[i].ex)
                  + s * (k ? l[i].dy : l[i].dx) * (now + next + (i > 0 ? now : 0)));
    if (i + 1 < links)
        put(A, g + i + 1, over * (k ? l[i + 1].ey : l[i + 1].ex)
                          - s * (k ? l[i + 1].dy : l[i + 1].dx) * (now + 2 * next));
    if (i + 2 < links)
        put(A, g + i + 2, s * (k ? l[i + 2].dy : l[i + 2].dx) * next);
}

static inline void put_velocity(columns *A, const plain_ida_problem *p, const double *v, int i, int k, double c)
{
    const int links = p->multipliers, g = 4 * links, at = 2 * i + k;
    const double two = 2 / p->length;
    put(A, at, -1);
    put(A, 2 * links + at, p->mass * c);
    put(A, g + i, -two * (v[at] - (i > 0 ? v[at - 2] : 0)));
    if (i + 1 < links)
        put(A, g + i + 1, two * (v[at + 2] - v[at]));
}

static inline void put_tension(columns *A, const plain_ida_problem *p, const rod *l, int i)
{
    const int links = p->multipliers, v = 2 * links, g = 4 * links;
    const double over = 1 / p->length, s = over * over / p->mass;
    if (i > 0) {
        put(A, v + 2 * i - 2, -over * l[i].dx);
        put(A, v + 2 * i - 1, -over * l[i].dy);
    }
    put(A, v + 2 * i, over * l[i].dx);
    put(A, v + 2 * i + 1, over * l[i].dy);
    if (i > 0)
        put(A, g + i - 1, -s * (l[i].dx * l[i - 1].dx + l[i].dy * l[i - 1].dy));
    put(A, g + i, (i > 0 ? 2 : 1) * s * (l[i].dx * l[i].dx + l[i].dy * l[i].dy));
    if (i + 1 < links)
        put(A, g + i + 1, -s * (l[i].dx * l[i + 1].dx + l[i].dy * l[i + 1].dy));
}

static int chain_matrix(double t, double c, N_Vector uu, N_Vector du, N_Vector rr, SUNMatrix matrix, void *data,
                        N_Vector a, N_Vector b, N_Vector e)
{
    const plain_ida_problem *p = data;
    const int links = p->multipliers;
    const double *u = N_VGetArrayPointer(uu);
    const rod *l = find_rods(p, u, u + 4 * links);
    columns A = {.begin = SUNSparseMatrix_IndexPointers(matrix), .row = SUNSparseMatrix_IndexValues(matrix),
                 .value = SUNSparseMatrix_Data(matrix)};
    (void)t, (void)du, (void)rr, (void)a, (void)b, (void)e;
    for (int i = 0; i < links; i++)
        for (int k = 0; k < 2; k++) {
            *A.begin++ = A.count;
            put_position(&A, p, l, i, k, c);
        }
    for (int i = 0; i < links; i++)
        for (int k = 0; k < 2; k++) {
            *A.begin++ = A.count;
            put_velocity(&A, p, u + 2 * links, i, k, c);
        }
    for (int i = 0; i < links; i++) {
        *A.begin++ = A.count;
        put_tension(&A, p, l, i);
    }
    *A.begin = A.count;
    return 0;
}

plain_ida_problem plain_ida_chain(int links)
{
    return (plain_ida_problem){.positions = 2 * links, .multipliers = links, .nonzeros = 31 * links,
                               .mass = 1, .length = 1, .gravity = 9.81,
                               .residual = chain_residual, .matrix = chain_matrix};
}
