/* printed.h - how much is printed between two points of a test */
#ifndef DAE_TEST_PRINTED_H
#define DAE_TEST_PRINTED_H

#include "testing.h"

#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    int file;                   /* in memory, in the place of 1 and 2 */
    int saved[2];
} printed;

static inline printed printed_begin(void)
{
    printed p = {.file = memfd_create("printed", 0), .saved = {dup(1), dup(2)}};
    assert_true(p.file >= 0 && p.saved[0] >= 0 && p.saved[1] >= 0);
    fflush(NULL);
    assert_true(dup2(p.file, 1) == 1 && dup2(p.file, 2) == 2);
    return p;
}

/* Bytes printed to 1 and 2 since. */
static inline long printed_end(printed p)
{
    fflush(NULL);
    const long bytes = (long)lseek(p.file, 0, SEEK_END);
    dup2(p.saved[0], 1);
    dup2(p.saved[1], 2);
    close(p.saved[0]);
    close(p.saved[1]);
    close(p.file);
    return bytes;
}

#endif
