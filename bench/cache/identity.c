#include "cache/identity.h"

#include "cache/content.h"
#include "cache/fingerprint.h"
#include "cache/object_hash.h"
#include "cache/objects.h"

#include <dlfcn.h>
#include <string.h>

/* ---- the build id ------------------------------------------------------------------------- */

static size_t aligned(size_t size, size_t to) { return (size + to - 1) / to * to; }

/* The build id of one segment of notes into *hash; 0 where there is none. */
static int note_hash(const unsigned char *at, size_t size, size_t align, uint64_t *hash)
{
    struct { uint32_t name_size, text_size, kind; } note;       /* of ELF: its header is the same in all classes */
    enum { BUILD_ID = 3 };
    while (size >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const size_t name = aligned(note.name_size, align), text = sizeof note + name;
        const size_t whole = text + aligned(note.text_size, align);
        if (whole > size)
            return 0;
        if (note.kind == BUILD_ID && note.name_size == 4 && memcmp(at + sizeof note, "GNU", 4) == 0) {
            *hash = fnv_1a(*hash, at + text, note.text_size);
            return 1;
        }
        at += whole;
        size -= whole;
    }
    return 0;
}

static int build_id(const platform_object *object, uint64_t *hash)
{
    platform_segment segment;
    for (int i = 0; platform_segment_of(object, i, &segment); i++)
        if (segment.note_align && note_hash(segment.begin, segment.size, segment.note_align, hash))
            return 1;
    return 0;
}

/* The program itself has no name there. */
static void add_object(const platform_object *object, void *context)
{
    uint64_t *hash = context;
    if (build_id(object, hash))
        return;
    object_hash(object, hash);
    content_hash(*object->name ? object->name : platform_running, hash);
}

/* ---- who computes ------------------------------------------------------------------------- */

static int identity(const object_functions *functions, uint64_t *hash)
{
    *hash = FNV_START;
    return objects_holding(functions, add_object, hash);
}

int model_identity(const dae_problem *problem, uint64_t *hash)
{
    object_functions f = {.count = 0};
    object_add_model(&f, problem);
    int known = identity(&f, hash);
    for (int i = 0; problem->modes && problem->modes[i]; i++) {
        uint64_t mode;
        f.count = 0;
        object_add_model(&f, problem->modes[i]);
        known = known && identity(&f, &mode);
        *hash = fnv_1a(*hash, &mode, sizeof mode);
    }
    return known;
}

int method_identity(const dae_method *method, uint64_t *hash)
{
    object_functions f = {.count = 0};
    object_add_method(&f, method);
    object_add(&f, (object_function *)(uintptr_t)method);       /* its functions may be the library's, */
    object_add(&f, (object_function *)(uintptr_t)method->tableau);      /* its numbers are its own */
    return identity(&f, hash);
}

/* Of the library, and of each library that it calls, one function; what is not there is not called. */
uint64_t program_identity(void)
{
    static const char *const names[] = {"IDASolve", "CVode", "ARKStepEvolve", "ERKStepEvolve", "KINSol",
                                        "SUNLinSolSolve", "klu_factor", "dgetrf_", "dgemm_", "sin", DAE_QUAD_SINE};
    object_functions f = {.count = 0};
    uint64_t hash;
    object_add(&f, (object_function *)program_identity);
    object_add(&f, (object_function *)dae_solver_create);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        object_function *found;
        *(void **)&found = dlsym(RTLD_DEFAULT, names[i]);
        object_add(&f, found);
    }
    identity(&f, &hash);
    return hash;
}
