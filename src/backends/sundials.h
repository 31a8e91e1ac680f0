/* sundials.h - what IDA and KINSOL share: a context, and the words of their failures
 *
 * SUNDIALS explains a failure through a handler in one sentence. Words catch the last one, so that
 * a report can quote it and nothing is printed.
 */
#ifndef DAE_SUNDIALS_H
#define DAE_SUNDIALS_H

#include "base/no_fast_math.h"
#include "sundials_versions.h"

#include <stddef.h>

typedef struct {
    int flag;                   /* < 0; 0 while there was no failure */
    char text[256];             /* on one line */
} dae_words;

/* A context whose failures words keep, as long as it lives, without a communicator of MPI; 0, or a code
 * where there is no memory. Where *context is not NULL, it is to be freed in both cases. */
int dae_sundials_context(SUNContext *context, dae_words *words);

/* The caught sentence, or where there is none the name of the flag. */
const char *dae_words_or(const dae_words *words, const char *name);

/* "IDA_CONV_FAIL", ...: of flags that are no success. */
const char *dae_ida_flag_name(int flag);
const char *dae_kinsol_flag_name(int flag);

/* 1 where all of x[n] are finite. */
int dae_all_finite(const double *x, size_t n);

#endif
