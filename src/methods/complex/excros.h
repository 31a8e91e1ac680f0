/* excros.h - extrapolated CROS: weights, projection of its states in mechanical systems, columns, dense output */
#ifndef DAE_EXCROS_H
#define DAE_EXCROS_H

#include "complex_stage.h"
#include "daelab/scalar.h"

enum { DAE_EXCROS_COLUMNS = 10 };       /* most columns of the tableau, ... */
enum { DAE_EXCROS_FIXED = 4 };          /* ... and those of a fixed step */

/* How a system is extrapolated. */
typedef struct {
    int n0;                     /* n_j = n0 + j, j = 0, 1, ... */
    int recovers;               /* lambda comes from the acceleration level */
    int raw;                    /* algebraic unknowns of index 2 expand from h on */
} dae_excros_plan;
dae_excros_plan dae_excros_choose(const dae_system *sys);

/* w[0 .. k-1] for n_j = n_0 + j: sum w_j = 1 and sum w_j n_j^-m = 0 for m = p .. p + k - 2, where
 * the expansion begins with h^p, p = 1 or 2. */
void dae_excros_weights(int p, int n0, int k, double *w);
void dae_excros_weights_quad(int p, int n0, int k, dae_quad *w);

/* (q, v) onto g = 0, dg/dt = 0; then the multipliers. */
dae_status dae_excros_project(dae_solver *solver, double t, double *u);

/* After a CROS step: what its form asks of (q, v), g = 0 in ggl and dg/dt = 0 in all of index 2;
 * then the multipliers. The change d of u is moved as much; before[n] is scratch. */
dae_status dae_excros_recover(dae_solver *solver, double t, double *u, double *d, double *before);

/* The same of u and all du of it, which stand before the move as they are; before[n] := u as it was. */
dae_status dae_excros_vary_project(dae_solver *solver, struct dae_variation *v, double t, double *before, double *u);
dae_status dae_excros_vary_recover(dae_solver *solver, struct dae_variation *v, double t, double *before, double *u);

/* ---- excros_columns.c: T_j, the change of u by n_j equal steps over H --------------------------
 *
 * All begin with the same F, J and F_t at (t, u): these are evaluated once. Combined, columns 0 .. k are U_(k+1). */

typedef double dae_excros_rows[DAE_EXCROS_COLUMNS][DAE_EXCROS_COLUMNS];

typedef struct {
    dae_excros_plan plan;
    dae_linearised stage;
    double *F0, *F0_t;          /* [n] at (t, u) of the basic step, where J0 is, put aside */
    double *F, *F_t, *re, *im;  /* [n] each; between two calls anyone's */
    double *raw;                /* [n] the sum for what expands from h on */
    double *changes;            /* [rows x n] of u, after each step of each column */
    double *slopes;             /* [columns + 2 x n] F where the steps of the last column begin, and where it ends */
    dae_excros_rows weight[2], difference[2];   /* for p = 1, 2: row k of U_(k+1), and less U_k without column 0 */
    int work[DAE_EXCROS_COLUMNS];       /* CROS steps of columns 0 .. k */
    int evaluated;              /* F0, F0_t, J0 belong to the solver's (t, u) */
} dae_excros_table;

/* DAE_NO_MEMORY. What was created is for dae_excros_table_free after a failure, too. */
dae_status dae_excros_table_create(dae_solver *s, dae_excros_table *c);
void dae_excros_table_free(dae_excros_table *c);

/* F0, F0_t, J0 at (t, u), unless they are known. */
void dae_excros_begin(dae_solver *s, dae_excros_table *c);

/* The changes of u by 1 .. n_j steps of CROS from (t, u) over H; u_new is scratch. */
dae_status dae_excros_column(dae_solver *s, dae_excros_table *c, int j, double H);

/* x[n] := sum_j w_j T_j over columns 0 .. k, with the weights that the expansion of each unknown asks for. */
void dae_excros_combine(const dae_solver *s, const dae_excros_table *c, int k, dae_excros_rows w[2],
                        double *restrict x);

/* The same of totals[k + 1], each [n], in place of those of the table. */
void dae_excros_combine_of(const dae_solver *s, const dae_excros_table *c, int k, dae_excros_rows w[2],
                           const double *const *totals, double *restrict x);

/* excros_end.c: error := what F does in the last step of column k, the last one made, that no column sees, in
 * tolerances; 0 where nothing is seen. */
dae_status dae_excros_end_error(dae_solver *s, dae_excros_table *c, int k, double H, double *error);

/* excros_ringing.c: where the estimate re[n] of columns 0 .. k, *error tolerances, is that of an oscillation which they
 * amplify, and which is above the tolerance, *error := the oscillation and *longest := a basic step that damps it. */
dae_status dae_excros_ringing(dae_solver *s, dae_excros_table *c, int k, double H, double *error, double *longest);

/* excros_vary.c: the function dae_method.vary, of a step that was combined of so many columns. */
dae_status dae_excros_vary(dae_solver *s, struct dae_variation *v, dae_excros_table *c, int columns);

/* T_j, the change of u by all steps of column j */
static inline double *dae_excros_total(const dae_excros_table *c, int n, int j)
{
    return c->changes + (c->work[j] - 1) * n;
}

/* u_new := u + h k */
static inline void dae_excros_add(int n, double h, const double *restrict k, const double *u, double *u_new)
{
    for (int i = 0; i < n; i++)
        u_new[i] = u[i] + h * k[i];
}

/* ---- excros_dense.c ------------------------------------------------------------------------- */

enum { DAE_EXCROS_POINTS = DAE_EXCROS_COLUMNS * (DAE_EXCROS_COLUMNS + 1) / 2,   /* n_j = 1 .. 10 */
       DAE_EXCROS_TERMS = DAE_EXCROS_COLUMNS * (DAE_EXCROS_COLUMNS - 1) / 2,
       DAE_EXCROS_SCRATCH = DAE_EXCROS_TERMS * (DAE_EXCROS_POINTS + DAE_EXCROS_TERMS) };

/* Where the data of a step with k columns stand. From columns: after each step of each, at x = m/n
 * with h = 1/n. At nodes: x_i = (1 - cos((i + 1) pi/k))/2, i = 0 .. k - 2, with h = 0. Returns how
 * many there are. */
int dae_excros_dense_points(int at_nodes, int k, double *x, double *h);

/* w[k - 1][points]: the coefficients c_i of R from d - x d_1 at these points;
 * scratch[DAE_EXCROS_SCRATCH]. */
void dae_excros_dense_weights(int at_nodes, int k, double *scratch, double *w);

typedef struct {
    int at_nodes;
    int columns;                /* of the last step, 0 where overwritten; once ready, of c */
    int ready;                  /* c belongs to the last step */
    int known[DAE_EXCROS_COLUMNS + 1];      /* the weights of as many columns are computed */
    double *memory, *weight[DAE_EXCROS_COLUMNS + 1];
    double *nodes;              /* [DAE_EXCROS_COLUMNS - 1 x n] changes at the nodes */
    double *c;                  /* [DAE_EXCROS_COLUMNS - 1 x n] coefficients of R */
} dae_excros_dense;

dae_status dae_excros_dense_create(dae_solver *solver, dae_excros_dense *dense, int at_nodes);
void dae_excros_dense_free(dae_excros_dense *dense);

/* R of the last step, from u_old to u, with changes[points x n], or those at the nodes; then u at
 * t. */
void dae_excros_dense_fit(const dae_solver *solver, dae_excros_dense *dense,
                          const double *changes);
void dae_excros_dense_at(const dae_solver *solver, const dae_excros_dense *dense, double t,
                         double *u);

#endif
