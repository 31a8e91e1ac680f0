#include "host/memory.h"

#include "host/platform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { PATH = 4096, LINE = PATH + 64 };

/* The number behind a name at the begin of a line; NaN where there is none. */
static double member(const char *path, const char *name)
{
    char line[LINE], key[64];
    double value = NAN, found;
    FILE *file = fopen(path, "re");
    while (file && isnan(value) && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %lf", key, &found) == 2 && strcmp(key, name) == 0)
            value = found;
    if (file)
        fclose(file);
    return value;
}

/* The number that a file holds; NaN where it is none ("max"). */
static double number_in(const char *path)
{
    double value = NAN;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lf", &value) != 1)
        value = NAN;
    if (file)
        fclose(file);
    return value;
}

static void take_less(memory_room *room, double bytes, const char *whose)
{
    if (bytes < room->touched) {                        /* not if it is NaN */
        room->touched = fmax(bytes, 0);
        room->whose = whose;
    }
}

/* The same files by other names. */
typedef struct { const char *root, *limit, *used, *file_pages[2]; } hierarchy;
static const hierarchy versions[] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file"}},
    {"/sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file", "active_file"}},
};

/* What is left to the group in this folder. */
static double left_to_group(const hierarchy *h, const char *folder)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s%s/%s", h->root, folder, h->limit);
    const double limit = number_in(path);
    snprintf(path, sizeof path, "%s%s/%s", h->root, folder, h->used);
    const double used = number_in(path);
    snprintf(path, sizeof path, "%s%s/memory.stat", h->root, folder);
    double file = 0;
    for (int i = 0; i < 2; i++)
        file += fmax(member(path, h->file_pages[i]), 0);        /* 0 if it is NaN */
    return limit - used + file;
}

/* The group and those that it is in. */
static void look_at_groups(memory_room *room, const hierarchy *h, char *folder)
{
    for (;;) {
        take_less(room, left_to_group(h, folder), "the control group");
        char *last = strrchr(folder, '/');
        if (!last)
            return;
        *last = 0;
    }
}

/* Lines "4:memory:/folder", and "0::/folder" of version 2. */
static void look_at_cgroups(memory_room *room)
{
    char line[LINE];
    FILE *file = platform_control_groups ? fopen(platform_control_groups, "re") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *folder = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!folder)
            continue;
        folder[strcspn(folder, "\n")] = 0;
        *folder++ = 0;
        if (strcmp(controllers, ":memory") == 0 || strcmp(controllers, ":") == 0)
            look_at_groups(room, &versions[controllers[1] == 0], folder);
    }
    if (file)
        fclose(file);
}

memory_room memory_left(void)
{
    memory_room room = {INFINITY, "", INFINITY};
    struct rlimit limit;
    take_less(&room, platform_available(), "the machine");
    look_at_cgroups(&room);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room.mapped = (double)limit.rlim_cur - platform_mapped();
    return room;
}

const char *memory_words(double bytes, char words[MEMORY_WORDS])
{
    const int large = bytes >= 1e9;
    snprintf(words, MEMORY_WORDS, "%.2g %s", bytes / (large ? 1e9 : 1e6), large ? "GB" : "MB");
    if (bytes / (large ? 1e9 : 1e6) >= 100)             /* not 1e+02 */
        snprintf(words, MEMORY_WORDS, "%.0f %s", bytes / (large ? 1e9 : 1e6), large ? "GB" : "MB");
    return words;
}
