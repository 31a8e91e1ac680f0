/* object_hash.c - which object a function lies in, and the hash of its segments that nobody writes
 *
 * The segments as they are in memory, not the file: that may have been replaced since it was loaded.
 * They hold the code, the constants and the build id; what the loader fills in lies in others.
 */
#include "cache/object_hash.h"

#include "cache/fingerprint.h"

#include <link.h>

typedef void function(void);

enum { MOST_FUNCTIONS = 40 };

typedef struct {
    function *at[MOST_FUNCTIONS];
    int count;
} functions;

static void add(functions *f, function *at)
{
    if (at)
        f->at[f->count++] = at;
}

#define ADD(map) (add(f, (function *)(map).f), add(f, (function *)(map).quad))

static void list_mechanical(functions *f, const dae_mechanical *m)
{
    ADD(m->inertia), ADD(m->force), ADD(m->constraint), ADD(m->rate), ADD(m->acceleration);
    ADD(m->reaction), ADD(m->energy);
    ADD(m->minimal.acceleration), ADD(m->minimal.embed), ADD(m->minimal.chart);
    add(f, (function *)m->partials);
}

static void list_functions(functions *f, const dae_problem *problem)
{
    const dae_first_order *first = &problem->first_order;
    list_mechanical(f, &problem->mechanical);
    ADD(first->mass), ADD(first->rhs), ADD(first->reduced), ADD(first->exact);
    ADD(problem->invariants.value);
    add(f, (function *)first->jacobian);
    ADD(problem->start);
}

typedef struct {
    functions model;
    char found[MOST_FUNCTIONS];
    uint64_t hash;
} search;

static int holds(const struct dl_phdr_info *object, int i, uintptr_t at)
{
    const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    return object->dlpi_phdr[i].p_type == PT_LOAD && at >= begin
           && at - begin < object->dlpi_phdr[i].p_memsz;
}

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

static void hash_object(const struct dl_phdr_info *object, uint64_t *hash)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W) && (segment->p_flags & PF_R)) {
            const uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
            *hash = hash_words(*hash, (const unsigned char *)begin, segment->p_filesz);
        }
    }
}

static int look(struct dl_phdr_info *object, size_t size, void *context)
{
    search *s = context;
    int holds_any = 0;
    (void)size;
    for (int k = 0; k < s->model.count; k++)
        for (int i = 0; !s->found[k] && i < object->dlpi_phnum; i++)
            if (holds(object, i, (uintptr_t)s->model.at[k]))
                holds_any = s->found[k] = 1;
    if (holds_any)
        hash_object(object, &s->hash);
    return 0;
}

int model_object_hash(const dae_problem *problem, uint64_t *hash)
{
    search s = {.hash = FNV_START};
    list_functions(&s.model, problem);
    dl_iterate_phdr(look, &s);
    *hash = s.hash;
    for (int k = 0; k < s.model.count; k++)
        if (!s.found[k])
            return 0;
    return 1;
}
