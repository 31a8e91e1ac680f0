/* excros_columns.h - the columns of an extrapolation of CROS: T_j, the change of u by n_j equal steps over H
 *
 * All begin with the same F, J and F_t at (t, u): these are evaluated once. Combined, columns 0 .. k are U_(k+1).
 */
#ifndef DAE_EXCROS_COLUMNS_H
#define DAE_EXCROS_COLUMNS_H

#include "complex_stage.h"
#include "excros.h"

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

/* excros_end.c: error := what F does in the last step of column k, the last one made, that no column sees, in
 * tolerances; 0 where nothing is seen. */
dae_status dae_excros_end_error(dae_solver *s, dae_excros_table *c, int k, double H, double *error);

/* excros_ringing.c: where the estimate re[n] of columns 0 .. k, *error tolerances, is that of an oscillation which they
 * amplify, and which is above the tolerance, *error := the oscillation and *longest := a basic step that damps it. */
dae_status dae_excros_ringing(dae_solver *s, dae_excros_table *c, int k, double H, double *error, double *longest);

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

#endif
