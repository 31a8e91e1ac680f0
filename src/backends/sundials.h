/* sundials.h - what IDA and KINSOL share: the words of their failures
 *
 * SUNDIALS explains a failure through a handler in one sentence. Words catch the last one, so that
 * a report can quote it and nothing is printed.
 */
#ifndef DAE_SUNDIALS_H
#define DAE_SUNDIALS_H

#include "base/no_fast_math.h"

#include <stddef.h>

typedef struct {
    int flag;                   /* < 0; 0 while there was no failure */
    char text[256];             /* on one line */
} dae_words;

/* An IDAErrHandlerFn and KINErrHandlerFn; data are the words. Warnings (flag > 0) are dropped. */
void dae_words_catch(int flag, const char *module, const char *function, char *text, void *data);

/* The caught sentence, or where there is none the name of the flag. */
const char *dae_words_or(const dae_words *words, const char *name);

/* "IDA_CONV_FAIL", ...: of flags that are no success. */
const char *dae_ida_flag_name(int flag);
const char *dae_kinsol_flag_name(int flag);

/* 1 where all of x[n] are finite. */
int dae_all_finite(const double *x, size_t n);

#endif
