#include "cache/kept_text.h"

#include "cache/fingerprint.h"
#include "cache/kept_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int kept_expect(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return 0;
    *at += length;
    return 1;
}

void kept_write_quads(FILE *out, const dae_quad *x, int count)
{
    for (int i = 0; i < count; i++) {
        char text[DAE_QUAD_TEXT];
        dae_quad_text(x[i], 36, text, sizeof text);
        fprintf(out, " %s", text);
    }
}

int kept_read_quads(const char **at, dae_quad *x, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        if (!kept_expect(at, " "))
            return 0;
        x[i] = dae_quad_parse(*at, &end);
        if (end == *at)
            return 0;
        *at = end;
    }
    return 1;
}

int kept_read_int(const char **at, int least, int most, int *x)
{
    char *end;
    if (!kept_expect(at, " "))
        return 0;
    const long value = strtol(*at, &end, 10);
    const int good = end != *at && value >= least && value <= most;
    *at = end;
    *x = good ? (int)value : least;
    return good;
}

int kept_read_source(const char **at, const char **source)
{
    const char *name;
    if (!kept_expect(at, "source "))
        return 0;
    const size_t length = strcspn(*at, "\n");
    for (int i = 0; (name = dae_reference_source(i)); i++)
        if (strlen(name) == length && kept_expect(at, name)) {
            *source = name;
            return kept_expect(at, "\n");
        }
    return 0;
}

int kept_is_whole(const char *text, const char *at)
{
    char ending[32];
    snprintf(ending, sizeof ending, "end %016" PRIx64 "\n", fnv_1a(FNV_START, text, (size_t)(at - text)));
    return strcmp(at, ending) == 0;
}

static void write_text(const char *path, const char *text)
{
    char *name;
    FILE *out = kept_beside(path, &name);
    if (out) {
        fprintf(out, "%send %016" PRIx64 "\n", text, fnv_1a(FNV_START, text, strlen(text)));
        kept_replace(out, name, path);
    }
    free(name);
}

void kept_write(const char *path, const char *key, void (*write_body)(FILE *out, const void *reference),
                const void *reference)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    fputs(key, out);
    write_body(out, reference);
    const int bad = ferror(out);
    if (fclose(out) == 0 && !bad)
        write_text(path, text);
    free(text);
}
