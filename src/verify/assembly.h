/* assembly.h - does a mechanism hang together in the same way at two positions? */
#ifndef DAE_ASSEMBLY_H
#define DAE_ASSEMBLY_H

#include "subject.h"

/* 1 where the constraint gradients at to[nq] are turned against those at from[nq], as those of a crank that is
 * folded the other way:
 *
 *     det(G(from) W G(to)^T) < 0,    W the inverse diagonal of M at from, which takes the units out.
 *
 * 0 where they are not, without constraints, for more than 64 of them and without memory. */
int dae_assembly_differs(const dae_subject *s, const double *from, const double *to);

#endif
