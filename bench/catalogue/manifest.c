/* manifest.c - the files that a source was made of
 *
 *     daelab manifest 1
 *     key 5f0c...                      source, compiler, flags, version of daelab
 *     compiler 93b1... 1234 1700.5     where it is, how long and old
 *     object /home/me/.cache/daelab/bead-77aa....so
 *     needs 0123... ./bead.c           the FNV-1a of each file
 *     end 1c0a...                      FNV-1a of all before it
 */
#include "catalogue/manifest.h"

#include "cache/content.h"
#include "cache/fingerprint.h"
#include "cache/kept_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hash_file(const char *path, uint64_t *hash)
{
    *hash = FNV_START;
    return content_hash(path, hash);
}

/* ---- from a preprocessed text --------------------------------------------------------------- */

/* The path of a line `# 12 "path" flags`, to be freed, and whether 3 is among the flags: a header of the
 * system. NULL for another line, and *whole = 0 for a path with escapes. */
static char *marked_path(const char *line, size_t length, int *system, int *whole)
{
    if (length < 5 || line[0] != '#' || line[1] != ' ' || line[2] < '0' || line[2] > '9')
        return NULL;
    const char *end = line + length, *open = memchr(line, '"', length);
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return NULL;
    if (memchr(open, '\\', (size_t)(close - open)))
        *whole = 0;
    *system = memchr(close, '3', (size_t)(end - close)) != NULL;
    return strndup(open + 1, (size_t)(close - open - 1));
}

static void add(manifest *m, char *path)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->file[i].path, path) == 0) {
            free(path);
            return;
        }
    if (m->count == MOST_FILES || !hash_file(path, &m->file[m->count].hash)) {
        m->whole = 0;
        free(path);
        return;
    }
    m->file[m->count++].path = path;
}

/* "././bead.c" is "bead.c": so it is called where it includes itself from the folder ".". */
static const char *plain(const char *path)
{
    while (strncmp(path, "./", 2) == 0)
        path += 2 + strspn(path + 2, "/");
    return path;
}

void manifest_list(manifest *m, const char *text, size_t size, const char *source, const char *headers)
{
    *m = (manifest){.whole = 1};
    for (const char *line = text, *end = text + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop ? stop : end) - line);
        int system = 0;
        char *path = marked_path(line, length, &system, &m->whole);
        if (path && *path && *path != '<' && path[strlen(path) - 1] != '/') {
            m->own |= !system && strcmp(plain(path), plain(source)) != 0
                && strncmp(path, headers, strlen(headers)) != 0;
            add(m, path);
        } else {
            free(path);
        }
        line += length + 1;
    }
}

void manifest_free(manifest *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->file[i].path);
    *m = (manifest){0};
}

int manifest_holds(const manifest *m)
{
    uint64_t hash;
    for (int i = 0; i < m->count; i++)
        if (!hash_file(m->file[i].path, &hash) || hash != m->file[i].hash)
            return 0;
    return m->whole;
}

/* ---- kept ----------------------------------------------------------------------------------- */

void manifest_write(const manifest *m, const char *path, uint64_t key, const char *stamp, const char *object)
{
    char *text = NULL, *name = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    fprintf(out, "daelab manifest 1\nkey %016" PRIx64 "\ncompiler %s\nobject %s\n", key, stamp, object);
    for (int i = 0; i < m->count; i++)
        fprintf(out, "needs %016" PRIx64 " %s\n", m->file[i].hash, m->file[i].path);
    const int bad = ferror(out);
    if (fclose(out) == 0 && !bad && (out = kept_beside(path, &name))) {
        fprintf(out, "%send %016" PRIx64 "\n", text, fnv_1a(FNV_START, text, length));
        kept_replace(out, name, path);
    }
    free(name);
    free(text);
}

/* Does the text end with the hash of what stands before it? Then it ends there. */
static int check_end(char *text)
{
    char *end = strstr(text, "\nend "), wanted[32];
    if (!end)
        return 0;
    snprintf(wanted, sizeof wanted, "end %016" PRIx64 "\n", fnv_1a(FNV_START, text, (size_t)(end + 1 - text)));
    const int whole = strcmp(end + 1, wanted) == 0;
    end[1] = 0;
    return whole;
}

/* The line that begins with a word, cut off at its end; *at then stands behind it. NULL: it is another. */
static char *take_line(char **at, const char *word)
{
    const size_t length = strlen(word);
    char *end = strchr(*at, '\n'), *line = *at + length;
    if (!end || strncmp(*at, word, length) != 0)
        return NULL;
    *end = 0;
    *at = end + 1;
    return line;
}

/* The rest of the lines: each file holds what it did. */
static int check_needs(char *at)
{
    char *line;
    while ((line = take_line(&at, "needs "))) {
        char *path;
        uint64_t hash;
        const uint64_t wanted = strtoull(line, &path, 16);
        if (*path != ' ' || !hash_file(path + 1, &hash) || hash != wanted)
            return 0;
    }
    return *at == 0;
}

char *manifest_read(const char *path, uint64_t key, const char *stamp)
{
    char head[64], *text = kept_text(path), *at = text, *object = NULL;
    if (!text || !check_end(text)) {
        free(text);
        return NULL;
    }
    snprintf(head, sizeof head, "%016" PRIx64, key);
    const char *first = take_line(&at, "daelab manifest "), *its_key = take_line(&at, "key ");
    const char *compiler = take_line(&at, "compiler "), *place = take_line(&at, "object ");
    if (first && strcmp(first, "1") == 0 && its_key && strcmp(its_key, head) == 0 && compiler
        && (!*stamp || strcmp(compiler, stamp) == 0) && place && check_needs(at))
        object = strdup(place);
    free(text);
    return object;
}
