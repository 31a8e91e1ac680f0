#include "deliver/output_format.h"

#include <string.h>
#include <sys/stat.h>

int output_is_folder(const char *path)
{
    struct stat info;
    const size_t length = strlen(path);
    return length && (path[length - 1] == '/' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)));
}

/* The ending of the name says so; 0 where it says nothing. */
static int told_by_name(const char *path, output_format *format)
{
    const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
    for (output_format k = 0; end && k < OUTPUT_FORMATS; k++)
        if (strcmp(end, format_endings[k]) == 0) {
            *format = k;
            return 1;
        }
    return 0;
}

/* --format is for standard output and files whose names say nothing, or the same. */
static int format_is_used(const cli_options *o)
{
    output_format by_name;
    for (int i = 0; i < o->outputs; i++)
        if (output_is_folder(o->output_at[i]) || !told_by_name(o->output_at[i], &by_name) || by_name == o->format)
            return 1;
    return 0;
}

int output_format_of(const cli_options *o, const char *path, output_format *format)
{
    const char *given = o->given[O_FORMAT] ? o->given[O_FORMAT] : o->given[O_JSON] ? "json" : NULL;
    output_format by_name;
    *format = o->format;
    if (!path || output_is_folder(path) || !told_by_name(path, &by_name))
        return 0;
    if (given && by_name != o->format && !format_is_used(o))
        return cli_error(EXIT_USAGE, "--format %s and --output %s contradict each other", given, path);
    *format = by_name;
    return 0;
}
