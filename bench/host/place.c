#include "host/place.h"

#include "host/allocate.h"
#include "host/platform.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path that begins with the folder of this program; NULL where that is not known. */
static char *beside_program(const char *below)
{
    char *program = platform_program(), *slash = program ? strrchr(program, '/') : NULL;
    char *path = slash ? allocate_print("%.*s/%s", (int)(slash - program), program, below) : NULL;
    free(program);
    return path;
}

static int holds(const char *folder, const char *file)
{
    if (!folder)
        return 0;
    char *path = allocate_print("%s/%s", folder, file);
    const int there = access(path, R_OK) == 0;
    free(path);
    return there;
}

char *place_folder(const char *below, const char *another, const char *file)
{
    const char *const places[] = {below, another};
    for (int i = 0; i < 2 && places[i]; i++) {
        char *folder = beside_program(places[i]);
        if (holds(folder, file))
            return folder;
        free(folder);
    }
    return NULL;
}
