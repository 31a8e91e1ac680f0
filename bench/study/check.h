/* check.h - a check of one model as a study: what is looked at, what is found */
#ifndef DAELAB_STUDY_CHECK_H
#define DAELAB_STUDY_CHECK_H

#include "study/specification.h"

#include <daelab/check.h>

enum { CHECK_FINDINGS = 64 };

typedef struct {
    study_specification spec;
    int count, failed;          /* findings, and those that failed */
    dae_finding found[CHECK_FINDINGS];
    double seconds;
} check_result;

/* All checks of the problem with the parameters of the specification; failures are those of
 * dae_check_model. */
dae_status check_study(check_result *r, const study_specification *spec, dae_report *report);

#endif
