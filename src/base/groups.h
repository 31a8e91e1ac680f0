/* groups.h - groups of structurally orthogonal columns, which can share one difference of F */
#ifndef DAE_GROUPS_H
#define DAE_GROUPS_H

#include "sparsity.h"

/* Columns without a common row are taken together: the c-th group are
 * column[start[c]] ... column[start[c + 1] - 1]. */
typedef struct {
    int count;                  /* 0 where the pattern is full */
    int *start;                 /* [count + 1] */
    int *column;                /* [n] */
} dae_groups;

dae_status dae_group_columns(const dae_pattern *pattern, dae_groups *groups);
void dae_groups_free(dae_groups *groups);

#endif
