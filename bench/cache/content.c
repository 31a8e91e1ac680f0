#include "cache/content.h"

#include "cache/fingerprint.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *content_read(int file, size_t *size)
{
    struct stat about;
    if (fstat(file, &about))
        return NULL;
    char *bytes = malloc((size_t)about.st_size + 1);
    *size = 0;
    while (bytes && *size < (size_t)about.st_size) {
        const ssize_t got = pread(file, bytes + *size, (size_t)about.st_size - *size, (off_t)*size);
        if (got <= 0) {
            free(bytes);
            return NULL;
        }
        *size += (size_t)got;
    }
    return bytes;
}

int content_hash(const char *path, uint64_t *hash)
{
    static const size_t room = 1 << 16;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *bytes = file >= 0 ? malloc(room) : NULL;
    ssize_t got = -1;
    while (bytes && (got = read(file, bytes, room)) > 0)
        *hash = fnv_1a(*hash, bytes, (size_t)got);
    free(bytes);
    if (file >= 0)
        close(file);
    return got == 0;
}

size_t content_seal_text(const char *bytes, size_t size, content_seal seal, char text[CONTENT_SEAL])
{
    snprintf(text, CONTENT_SEAL, "%s%016" PRIx64 "%s", seal.before, fnv_1a(FNV_START, bytes, size), seal.behind);
    return strlen(text);
}

int content_seal_put(int file, content_seal seal)
{
    size_t size;
    char text[CONTENT_SEAL], *bytes = content_read(file, &size);
    if (!bytes)
        return 0;
    const size_t length = content_seal_text(bytes, size, seal, text);
    free(bytes);
    return pwrite(file, text, length, (off_t)size) == (ssize_t)length;
}

int content_seal_holds(int file, content_seal seal)
{
    size_t size;
    char text[CONTENT_SEAL], *bytes = content_read(file, &size);
    const size_t length = content_seal_text("", 0, seal, text);
    int good = bytes && size > length;
    if (good) {
        content_seal_text(bytes, size - length, seal, text);
        good = memcmp(bytes + size - length, text, length) == 0;
    }
    free(bytes);
    return good;
}
