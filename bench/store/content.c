#include "store/content.h"

#include "host/allocate.h"
#include "host/fnv.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *content_read(int file, size_t *size)
{
    struct stat about;
    if (fstat(file, &about))
        return NULL;
    char *bytes = allocate((size_t)about.st_size + 1, 1);
    *size = 0;
    while (*size < (size_t)about.st_size) {
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
    char bytes[1 << 16];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t got = -1;
    while (file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0)
        *hash = fnv_1a(*hash, bytes, (size_t)got);
    if (file >= 0)
        close(file);
    return got == 0;
}
