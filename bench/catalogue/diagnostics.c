/* diagnostics.c - messages of gcc and clang
 *
 *     In file included from ...        what leads to a message
 *     bead.c: In function ...
 *     bead.c:16:21: error: ...         the message
 *        16 | ...                      what follows it
 */
#include "catalogue/compiled.h"

#include <string.h>

enum { MOST_PLACES = 256 };

typedef struct {
    const char *at;
    size_t length;
} place;

/* "bead.c:16:21" at the beginning of a message; length 0: the line is none. */
static place place_of(const char *line)
{
    static const char *const kinds[] = {": error: ", ": warning: ", ": fatal error: "};
    const size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *found = memmem(line, length, kinds[i], strlen(kinds[i]));
        if (found && found > line && found[-1] >= '0' && found[-1] <= '9')
            return (place){line, (size_t)(found - line)};
    }
    return (place){line, 0};
}

static int leads(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return strncmp(line, "In file included", 16) == 0 || strncmp(line, "                 from", 21) == 0
           || memmem(line, length, ": In function", 13) || memmem(line, length, ": At top level", 14);
}

static int seen(const place *places, int count, place p)
{
    for (int i = 0; i < count; i++)
        if (places[i].length == p.length && memcmp(places[i].at, p.at, p.length) == 0)
            return 1;
    return 0;
}

/* "././bead.c", as a file is called that includes itself from the folder ".", becomes "./bead.c". */
static void shorten_paths(char *text)
{
    char *to = text;
    for (const char *from = text; *from;)
        if (strncmp(from, "././", 4) == 0)
            from += 2;
        else
            *to++ = *from++;
    *to = 0;
}

/* Lines from `lead` on wait for the message that they lead to. What is left out is overwritten by what comes
 * behind; places are looked up in what stays. */
void compiled_words_once(char *text)
{
    place places[MOST_PLACES];
    int count = 0, leaving_out = 0;
    char *to = text, *lead = NULL;
    shorten_paths(text);
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        const place p = place_of(line);
        if (p.length) {
            leaving_out = seen(places, count, p);
            if (leaving_out && lead)
                to = lead;
            lead = NULL;
        } else if (leads(line)) {
            lead = lead ? lead : to;
            leaving_out = 0;
        }
        if (!leaving_out) {
            memmove(to, line, length);
            if (p.length && count < MOST_PLACES)
                places[count++] = (place){to, p.length};
            to += length;
        }
        line += length;
    }
    *to = 0;
}
