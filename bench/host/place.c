#include "host/place.h"

#include "host/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path that begins with the folder of this program; NULL where that is not known. */
static char *beside_program(const char *below)
{
    char *program = platform_program(), *slash = program ? strrchr(program, '/') : NULL, *path = NULL;
    if (slash && asprintf(&path, "%.*s/%s", (int)(slash - program), program, below) < 0)
        path = NULL;
    free(program);
    return path;
}

static int holds(const char *folder, const char *file)
{
    char *path;
    if (!folder || asprintf(&path, "%s/%s", folder, file) < 0)
        return 0;
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
