/* findings.h - what checks of a model have found: one finding for each function, its worst */
#ifndef DAE_FINDINGS_H
#define DAE_FINDINGS_H

#include "daelab/check.h"

enum { DAE_MOST_FINDINGS = 64 };

typedef struct {
    int count;
    dae_finding item[DAE_MOST_FINDINGS];
    double part[DAE_MOST_FINDINGS];     /* how wrong each is, for the worst */
} dae_findings;

/* Keep f, whose difference is this part of its size. Of two of one function that which failed stays, of
 * two that did the worse; of another function beyond the room nothing is kept. */
void dae_findings_add(dae_findings *list, const dae_finding *f, double part);

/* Has this function failed? How many have? */
int dae_findings_blame(const dae_findings *list, const char *function);
int dae_findings_failed(const dae_findings *list);

#endif
