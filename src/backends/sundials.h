/* sundials.h - what IDA, CVODE, ARKODE and KINSOL share: a context, and the words of their failures
 *
 * SUNDIALS explains a failure through a handler in one sentence. Words catch the last one, so that
 * a report can quote it and nothing is printed.
 */
#ifndef DAE_SUNDIALS_H
#define DAE_SUNDIALS_H

#include "base/no_fast_math.h"
#include "daelab/status.h"
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

/* Flags that are no success: "IDA_CONV_FAIL", and what it means here. A table ends without a name. */
typedef struct {
    int flag;
    const char *name;
    dae_status status;
} dae_flag;
extern const dae_flag dae_ida_flags[], dae_cvode_flags[], dae_arkode_flags[], dae_kinsol_flags[];
const char *dae_flag_name(const dae_flag *flags, int flag);
dae_status dae_flag_status(const dae_flag *flags, int flag);

/* 1 where all of x[n] are finite. */
int dae_all_finite(const double *x, size_t n);

#endif
