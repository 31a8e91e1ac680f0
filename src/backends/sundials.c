/* sundials.c - SUNDIALS' contexts and sentences */
#include "sundials.h"

#include "daelab/study.h"

#include <sundials/sundials_version.h>

#include <ctype.h>
#include <stddef.h>

int dae_sundials_context(SUNContext *context, dae_words *words)
{
    *context = NULL;
    const int code = SUNContext_Create(SUN_COMM_NULL, context);
    return code ? code : dae_hear_context(*context, words);
}

/* Copy text, every run of blanks and line ends as one blank. Codes >= 0 are warnings. */
void dae_words_catch(int line, const char *function, const char *file, const char *text,
                     SUNErrCode code, void *data, SUNContext context)
{
    dae_words *words = data;
    size_t length = 0;
    (void)line, (void)function, (void)file, (void)context;
    if (code >= 0)
        return;
    words->flag = code;
    for (const char *c = text ? text : ""; *c && length < sizeof words->text - 1; c++) {
        const int blank = isspace((unsigned char)*c);
        if (!blank)
            words->text[length++] = *c;
        else if (length && words->text[length - 1] != ' ')
            words->text[length++] = ' ';
    }
    while (length && words->text[length - 1] == ' ')
        length--;
    words->text[length] = 0;
}

const char *dae_words_or(const dae_words *words, const char *name)
{
    return words->text[0] ? words->text : name;
}

void dae_sundials_version(char *text, int length)
{
    if (text && length > 0 && SUNDIALSGetVersion(text, length))
        text[0] = 0;
}

int dae_all_finite(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += 0 * x[i];                                /* NaN as soon as one is not finite */
    return sum == 0;
}
