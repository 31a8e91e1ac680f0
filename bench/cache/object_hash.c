/* object_hash.c - which object a function lies in, and the hash of its segments that nobody writes
 *
 * The segments as they are in memory, not the file: that may have been replaced since it was loaded.
 * They hold the code, the constants and the build id; what the loader fills in lies in others.
 */
#include "cache/object_hash.h"

#include "cache/fingerprint.h"
#include "cache/objects.h"

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Eight bytes at a time: an object has megabytes. All of a segment is read, what lies between its
 * variables, too, where AddressSanitizer has poison. */
__attribute__((no_sanitize_address))
static uint64_t hash_words(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word = 0;
        for (int i = 0; i < 8; i++)
            word |= (uint64_t)bytes[i] << 8 * i;
        hash = mix(hash, word);
    }
    for (; size > 0; size--)
        hash = mix(hash, *bytes++);
    return hash;
}

static void hash_object(const platform_object *object, void *context)
{
    uint64_t *hash = context;
    platform_segment segment;
    for (int i = 0; platform_segment_of(object, i, &segment); i++)
        if (segment.constant)
            *hash = hash_words(*hash, segment.begin, segment.filled);
}

void object_hash(const platform_object *object, uint64_t *hash) { hash_object(object, hash); }

int model_object_hash(const dae_problem *problem, uint64_t *hash)
{
    object_functions functions = {.count = 0};
    *hash = FNV_START;
    object_add_model(&functions, problem);
    return objects_holding(&functions, hash_object, hash);
}
