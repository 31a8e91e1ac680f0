/* look.h - steps of ARKODE's explicit method are looked at between their ends, as those of the library's own are */
#ifndef DAE_LOOK_H
#define DAE_LOOK_H

#include "integration.h"

#include "stepper/doubt.h"

typedef struct {
    dae_doubt kept;             /* of the last step */
    int refused;                /* the one before, which is made again */
    long fails;                 /* of ARKODE's own test until then */
    N_Vector e, w, f;           /* [length] estimate or defect, weights, slope */
} dae_look;

int dae_look_create(dae_look *look, const dae_integration *r);          /* 0: no memory */
void dae_look_free(dae_look *look);

/* The step that ARKODE has made passes its test, of an estimate of order h^k: 1 where it is doubtful (stepper/doubt.h)
 * and what lies between its ends says no. */
int dae_look_refuses(dae_solver *s, dae_look *look, double k);

#endif
