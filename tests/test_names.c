/* test_names.c - no source knows a problem, a formulation or a method by name: the tables' names stand as
 * string literals in the files of the tables alone
 *
 * tools/speed measures one method on one problem, which it names, and is not looked at.
 */
#include "support.h"

#include <dirent.h>
#include <sys/stat.h>

enum { MOST_NAMES = 256, MOST_TEXT = 1 << 18 };

typedef struct {
    const char *name;
    const char *home;           /* where it may stand, below the source folder */
} known_name;

static known_name names[MOST_NAMES];
static int count, files, found;

static void add(const char *name, const char *home)
{
    assert_true(count < MOST_NAMES);
    names[count++] = (known_name){name, home};
}

/* Methods are records in src/methods/ and src/backends/; formulations a table in
 * formulations.c. */
static int at_home(const char *path, const known_name *k)
{
    return strstr(path, k->home) || (strcmp(k->home, "/methods/") == 0 && strstr(path, "/backends/"));
}

static void look(const char *path)
{
    static char text[MOST_TEXT];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    assert_true(length < sizeof text - 1);
    files++;
    for (int i = 0; i < count; i++) {
        char literal[64];
        snprintf(literal, sizeof literal, "\"%s\"", names[i].name);
        if (!strstr(text, literal))
            continue;
        found += at_home(path, &names[i]) != 0;
        if (!at_home(path, &names[i]))
            fail_msg("%s knows %s by name", path, names[i].name);
    }
}

static void walk(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[512];
        struct stat about;
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.' || stat(path, &about))
            continue;
        if (S_ISDIR(about.st_mode))
            walk(path);
        else if (dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0))
            look(path);
    }
    closedir(dir);
}

TEST(test_names)
{
    int formulations = 0, methods = 0;
    for (; dae_formulation_at(formulations); formulations++)
        add(dae_formulation_describe(dae_formulation_at(formulations)).name, "/formulations.c");
    for (; dae_method_at(methods); methods++)
        add(dae_method_describe(dae_method_at(methods)).name, "/methods/");
    for (int i = 0; dae_problems[i]; i++)
        add(dae_problems[i]->name, "/problems/");
    walk(DAELAB_SOURCE_DIR "/bench");
    walk(DAELAB_SOURCE_DIR "/tools/crosscheck");
    walk(DAELAB_SOURCE_DIR "/src");
    assert_true(files > 150);
    assert_true(found >= formulations + methods);       /* where the tables are, they were seen */
}
