#include "store/identity.h"

#include "host/allocate.h"
#include "host/fnv.h"
#include "host/platform.h"

#include <daelab/daelab.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FUNCTIONS = 40, MOST_NEEDED = 256, MOST_FILES = 512, ROOM = 1 << 16 };

/* ---- what files hold ------------------------------------------------------------------------ */

static struct { char *name; uint64_t hash; } seen[MOST_FILES];
static int count_seen;

/* Eight bytes at a time, as a program has megabytes: hash := (hash xor word) * 2^64 / golden ratio, and its upper half
 * into the lower. */
static uint64_t mix(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static int read_hash(const char *name, uint64_t *hash)
{
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    unsigned char bytes[ROOM];
    ssize_t got = -1;
    *hash = FNV_START;
    while (file >= 0 && (got = read(file, bytes, ROOM)) > 0)
        *hash = mix(*hash, bytes, (size_t)got);
    if (file >= 0)
        close(file);
    return got == 0;
}

/* Of the file of an object; the program has no name there. */
static int file_hash(const char *name, uint64_t *hash)
{
    for (int i = 0; i < count_seen; i++)
        if (strcmp(seen[i].name, name) == 0) {
            *hash = seen[i].hash;
            return 1;
        }
    if (count_seen == MOST_FILES || !read_hash(*name ? name : platform_running, hash))
        return 0;
    seen[count_seen].name = allocate_text(name);
    seen[count_seen++].hash = *hash;
    return 1;
}

/* ---- objects, and those that they were linked with ------------------------------------------ */

typedef void object_function(void);

typedef struct {
    object_function *function[MOST_FUNCTIONS];
    int functions;
    char found[MOST_FUNCTIONS];
    const char *needed[MOST_NEEDED];    /* names of objects that others were linked with, each once */
    int count_needed, known;
    int (*look)(const char *name, uint64_t *hash);      /* at a file that was linked with others */
    uint64_t hash;
} search;

static void add(search *s, object_function *at)
{
    if (at && s->functions < MOST_FUNCTIONS)
        s->function[s->functions++] = at;
}

static void need(search *s, const platform_object *object)
{
    const char *name;
    for (int k = 0; (name = platform_needs(object, k)) != NULL; k++) {
        int there = 0;
        for (int i = 0; i < s->count_needed; i++)
            there |= strcmp(s->needed[i], name) == 0;
        if (!there && s->count_needed < MOST_NEEDED)
            s->needed[s->count_needed++] = name;
        s->known &= there || s->count_needed < MOST_NEEDED;
    }
}

static void take(search *s, const char *name, int (*look)(const char *name, uint64_t *hash))
{
    uint64_t hash = 0;
    s->known &= look(name, &hash);
    s->hash = fnv_1a(s->hash, &hash, sizeof hash);
}

/* What the program was linked with is a part of the program. */
static int look_at_holder(const platform_object *object, void *context)
{
    search *s = context;
    int holds_any = 0;
    for (int k = 0; k < s->functions; k++)
        if (!s->found[k] && platform_holds(object, (uintptr_t)s->function[k]))
            holds_any = s->found[k] = 1;
    if (holds_any) {
        take(s, object->name, file_hash);
        if (*object->name)
            need(s, object);
    }
    return 0;
}

typedef struct { search *search; const char *name; } named_object;

static int look_at_named(const platform_object *object, void *context)
{
    const named_object *n = context;
    const char *slash = strrchr(object->name, '/');
    if (strcmp(slash ? slash + 1 : object->name, n->name) != 0)
        return 0;
    take(n->search, object->name, n->search->look);
    need(n->search, object);
    return 1;
}

static void look_at_needed(search *s)
{
    for (int k = 0; k < s->count_needed; k++)           /* grows meanwhile */
        platform_objects(look_at_named, &(named_object){s, s->needed[k]});
}

static int identity(search *s, uint64_t *hash)
{
    s->hash = FNV_START;
    s->known = 1;
    s->look = file_hash;
    platform_objects(look_at_holder, s);
    for (int k = 0; k < s->functions; k++)
        s->known &= s->found[k];
    look_at_needed(s);
    *hash = s->hash;
    return s->known;
}

/* ---- who computes --------------------------------------------------------------------------- */

#define ADD(map) (add(s, (object_function *)(map).f), add(s, (object_function *)(map).quad))

static void add_mechanical(search *s, const dae_mechanical *m)
{
    ADD(m->inertia), ADD(m->force), ADD(m->constraint), ADD(m->rate), ADD(m->acceleration);
    ADD(m->reaction), ADD(m->energy);
    ADD(m->minimal.acceleration), ADD(m->minimal.embed), ADD(m->minimal.chart);
    add(s, (object_function *)m->partials);
}

static int problem_identity(const dae_problem *problem, uint64_t *hash)
{
    search whole = {.functions = 0}, *const s = &whole;
    const dae_first_order *first = &problem->first_order;
    add_mechanical(s, &problem->mechanical);
    ADD(first->mass), ADD(first->rhs), ADD(first->reduced), ADD(first->exact);
    ADD(problem->invariants.value);
    add(s, (object_function *)first->jacobian);
    ADD(problem->start);
    return identity(s, hash);
}

int model_identity(const dae_problem *problem, uint64_t *hash)
{
    int known = problem_identity(problem, hash);
    for (int i = 0; problem->modes && problem->modes[i]; i++) {
        uint64_t mode;
        known = known && problem_identity(problem->modes[i], &mode);
        *hash = known ? fnv_1a(*hash, &mode, sizeof mode) : *hash;
    }
    return known;
}

int method_identity(const dae_method *method, uint64_t *hash)
{
    object_function *const all[] = {
        (object_function *)method->supports, (object_function *)method->create, (object_function *)method->start,
        (object_function *)method->follow, (object_function *)method->step, (object_function *)method->accepted,
        (object_function *)method->moved, (object_function *)method->refine,
        (object_function *)method->interpolate, (object_function *)method->destroy,
        (object_function *)(uintptr_t)method,           /* its functions may be the library's, */
        (object_function *)(uintptr_t)method->tableau}; /* its numbers are its own */
    search s = {.functions = 0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add(&s, all[i]);
    return identity(&s, hash);
}

/* A library of the system, which may have tens of megabytes, by its file. */
static int stamp(const char *name, uint64_t *hash)
{
    struct stat about;
    *hash = fnv_1a(FNV_START, name, strlen(name));
    if (stat(name, &about))
        return 0;
    *hash = fnv_1a(*hash, &about.st_size, sizeof about.st_size);
    *hash = fnv_1a(*hash, &about.st_mtim.tv_sec, sizeof about.st_mtim.tv_sec);
    return 1;
}

static int look_at_program(const platform_object *object, void *context)
{
    if (*object->name)
        return 0;
    need(context, object);
    return 1;
}

/* Asked for in the key of each run, and found once: what is loaded stays what it is. */
uint64_t program_identity(void)
{
    static uint64_t known;
    search s = {.look = stamp, .hash = FNV_START};
    if (known)
        return known;
    take(&s, "", file_hash);
    platform_objects(look_at_program, &s);
    look_at_needed(&s);
    return known = fnv_1a(s.hash, DAELAB_VERSION, sizeof DAELAB_VERSION);
}
