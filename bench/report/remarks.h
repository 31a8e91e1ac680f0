/* remarks.h - what is said against the numbers of a study, from the declared orders */
#ifndef DAELAB_REMARKS_H
#define DAELAB_REMARKS_H

#include "report/document.h"
#include "study/doubt.h"
#include "study/specification.h"

/* A remark for each class of the problem that converges to something else than the solution. */
void remark_wrong(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method);

/* One where the error may be far above the tolerance. */
void remark_slow(document *doc, const run_setting *o, const dae_formulation *form,
                 const dae_method *method);

/* One where a run has failed with fixed steps that nobody chose, of a method that could choose its own. */
void remark_fixed(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method, dae_status status);

/* A note of the fixed steps that nobody has set, of methods that could choose their own. */
void note_step(document *doc, const study_specification *o);

/* One where the problem is run without its events. */
void remark_events(document *doc, const dae_problem *problem);

/* One where a run, by its form and method, has passed a state where its constraints lose rank. */
void remark_rank(document *doc, const char *run, const dae_rank_loss *lost);

/* One where steps are chosen by an rtol that asks for no digit. */
void remark_loose(document *doc, const run_setting *o);

#endif
