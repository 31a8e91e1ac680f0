/* subject.h - what tells one of several studies in a picture from the others */
#ifndef DAELAB_SUBJECT_H
#define DAELAB_SUBJECT_H

#include "plots/sheet.h"
#include "study/specification.h"

/* The problem of study i of count, where they are of several, and the settings in which it differs from others of the
 * same problem: "pendulum, L = 2, jacobian fd"; "" of a single one. */
const char *subject_of(plot_sheet *s, const study_specification *const *of, int count, int i);

/* "index1, cros" of a subject; without one that alone. */
const char *subject_with(plot_sheet *s, const char *subject, const char *words);

#endif
