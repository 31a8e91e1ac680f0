/* content.h - what a file holds: its bytes, and their hash */
#ifndef DAELAB_CONTENT_H
#define DAELAB_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/* All of an open file, to be freed; NULL where it cannot be read. */
char *content_read(int file, size_t *size);

/* *hash := FNV-1a of what the file at path holds behind what is in hash already. 0 where it cannot be read. */
int content_hash(const char *path, uint64_t *hash);

#endif
