/* unknown_table.c - names, units and classes of all unknowns of a system, and of recovered multipliers, in one text */
#include "daelab/binding.h"
#include "daelab/study.h"

#include "base/no_fast_math.h"

#include <string.h>

enum { WORD = 256 };

/* text[at] := word and what ends it, as far as there is room; where the next one goes. */
static size_t put(char *text, size_t length, size_t at, const char *word, char end)
{
    const size_t size = strlen(word);
    if (at + size + 1 < length) {
        memcpy(text + at, word, size);
        text[at + size] = end;
        text[at + size + 1] = 0;
    }
    return at + size + 1;
}

size_t dae_system_unknowns(const dae_system *sys, char *text, size_t length)
{
    char name[WORD], unit[WORD];
    size_t at = 0;
    if (text && length)
        text[0] = 0;
    const int n = sys ? dae_system_size(sys) : 0, nl = sys ? dae_system_multipliers(sys) : 0;
    for (int i = 0; i < n + nl; i++) {
        if (i < n)
            dae_system_unknown(sys, i, name, unit, WORD);
        else
            dae_system_recovered(sys, i - n, name, unit, WORD);
        at = put(text, text ? length : 0, at, name, '\t');
        at = put(text, text ? length : 0, at, unit, '\t');
        at = put(text, text ? length : 0, at, dae_class_name(i < n ? dae_system_class(sys, i) : DAE_RECOVERED), '\n');
    }
    return at;
}
