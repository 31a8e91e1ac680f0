/* fnv.h - a hash of bytes
 *
 * FNV-1a: hash := (hash xor byte) * prime, modulo 2^64 (Fowler, Noll, Vo).
 */
#ifndef DAELAB_FNV_H
#define DAELAB_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

/* The hash of size bytes behind those already in hash. */
static inline uint64_t fnv_1a(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
