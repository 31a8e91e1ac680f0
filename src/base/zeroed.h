/* zeroed.h - memory of zeros: calloc, and for small blocks malloc, which keeps those that were freed at hand */
#ifndef DAE_ZEROED_H
#define DAE_ZEROED_H

#include <stdlib.h>
#include <string.h>

enum { DAE_SMALL_BLOCK = 1024 };        /* [bytes] */

/* count objects of so many bytes, freed by free; NULL where there is no memory. calloc of the GNU library before 2.41
 * looks past the blocks that free has put aside: of a run of some microseconds that is a part. */
static inline void *dae_zeroed(size_t count, size_t size)
{
    if (count == 0 || count > DAE_SMALL_BLOCK || size > DAE_SMALL_BLOCK || count * size > DAE_SMALL_BLOCK)
        return calloc(count, size);
    void *block = malloc(count * size);
    __asm__("" : "+r"(block));                          /* or compilers make a calloc of both */
    return block ? memset(block, 0, count * size) : NULL;
}

#endif
