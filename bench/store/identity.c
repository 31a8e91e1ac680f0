#include "store/identity.h"

#include "host/allocate.h"
#include "host/fnv.h"
#include "host/platform.h"

#include <daelab/daelab.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NEEDED = 256, MOST_FILES = 512, ROOM = 1 << 16 };

/* ---- files ---------------------------------------------------------------------------------- */

/* Eight bytes at a time, as a program has megabytes: hash := (hash xor word) * 2^64 / golden ratio, and its upper half
 * into the lower. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* *hash := what add makes of the bytes of a file, behind what is in *hash already; 0 where it cannot be read. */
static int read_hash(const char *name, uint64_t (*add)(uint64_t hash, const void *bytes, size_t size), uint64_t *hash)
{
    const int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char bytes[ROOM];
    ssize_t got = -1;
    while (file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0)
        *hash = add(*hash, bytes, (size_t)got);
    if (file >= 0)
        close(file);
    return got == 0;
}

int content_hash(const char *path, uint64_t *hash) { return read_hash(path, fnv_1a, hash); }

/* Of a library, which may have tens of megabytes. */
static int read_stamp(const char *name, uint64_t *hash)
{
    struct stat about;
    if (stat(name, &about))
        return 0;
    const int64_t stamp[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    *hash = fnv_1a(fnv_1a(*hash, name, strlen(name)), stamp, sizeof stamp);
    return 1;
}

/* Of the file of an object, all of it or its stamp; the program has no name there. Each is looked at once. */
static int file_hash(const char *name, int all, uint64_t *hash)
{
    static struct { char *name; int all; uint64_t hash; } seen[MOST_FILES];
    static int count;
    const char *file = *name ? name : platform_running;
    int i = 0;
    while (i < count && (seen[i].all != all || strcmp(seen[i].name, name) != 0))
        i++;
    *hash = i < count ? seen[i].hash : FNV_START;
    if (i < count)
        return 1;
    if (count == MOST_FILES || !(all ? read_hash(file, mix, hash) : read_stamp(file, hash)))
        return 0;
    seen[count].name = allocate_text(name);
    seen[count].all = all;
    seen[count++].hash = *hash;
    return 1;
}

/* ---- objects, and those that they were linked with ------------------------------------------ */

typedef struct {
    const void *record;                 /* its words that are addresses are looked for, */
    size_t size;
    int holders;                        /* and lie in so many objects */
    const char *needed[MOST_NEEDED];    /* names of objects that others were linked with, each once */
    int count_needed, known;
    int at;                             /* the one of these that is looked for */
    uint64_t hash;
} search;

static void take(search *s, const platform_object *object, int all)
{
    uint64_t hash = 0;
    const char *name;
    s->known &= file_hash(object->name, all, &hash);
    s->hash = fnv_1a(s->hash, &hash, sizeof hash);
    for (int k = 0; (name = platform_needs(object, k)) != NULL; k++) {
        int there = 0;
        for (int i = 0; i < s->count_needed; i++)
            there |= strcmp(s->needed[i], name) == 0;
        s->known &= there || s->count_needed < MOST_NEEDED;
        if (!there && s->count_needed < MOST_NEEDED)
            s->needed[s->count_needed++] = name;
    }
}

/* Which places of the object the record points to is a part of it: a record may be a copy with other functions. */
static int look_at_holder(const platform_object *object, void *context)
{
    search *s = context;
    int holds_any = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= s->size; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)s->record + at, sizeof word);
        if (!platform_holds(object, word))
            continue;
        const uint64_t place[] = {at, word - object->base};
        s->hash = fnv_1a(s->hash, place, sizeof place);
        holds_any = 1;
    }
    s->holders += holds_any;
    if (holds_any)
        take(s, object, 1);
    return 0;
}

static int look_at_needed(const platform_object *object, void *context)
{
    search *s = context;
    const char *slash = strrchr(object->name, '/');
    if (strcmp(slash ? slash + 1 : object->name, s->needed[s->at]) != 0)
        return 0;
    take(s, object, 0);
    return 1;
}

/* Of one record, behind what *hash has. */
static int identity(const void *record, size_t size, uint64_t *hash)
{
    search s = {.record = record, .size = size, .known = 1, .hash = *hash};
    platform_objects(look_at_holder, &s);
    for (; s.at < s.count_needed; s.at++)               /* which are more and more */
        platform_objects(look_at_needed, &s);
    *hash = s.hash;
    return s.known && s.holders;
}

/* ---- who computes --------------------------------------------------------------------------- */

int model_identity(const dae_problem *problem, uint64_t *hash)
{
    *hash = FNV_START;
    int known = identity(problem, sizeof *problem, hash);
    for (int i = 0; problem->modes && problem->modes[i]; i++)
        known = known && identity(problem->modes[i], sizeof *problem, hash);
    return known;
}

int method_identity(const dae_method *method, uint64_t *hash)
{
    *hash = FNV_START;
    return identity(&method, sizeof method, hash) && identity(method, sizeof *method, hash);
}

/* Asked for in the key of each run, and found once: what is loaded stays what it is. */
uint64_t program_identity(void)
{
    static uint64_t known;
    uint64_t (*const own)(void) = program_identity;
    if (!known) {
        known = fnv_1a(FNV_START, DAELAB_VERSION, sizeof DAELAB_VERSION);
        identity(&own, sizeof own, &known);
    }
    return known;
}
