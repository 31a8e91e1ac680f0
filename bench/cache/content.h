/* content.h - what a file holds: its bytes, their hash, and the hash as a seal at its end */
#ifndef DAELAB_CONTENT_H
#define DAELAB_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/* All of an open file, to be freed; NULL where it cannot be read. */
char *content_read(int file, size_t *size);

/* *hash := FNV-1a of what the file at path holds behind what is in hash already. 0 where it cannot be read. */
int content_hash(const char *path, uint64_t *hash);

/* A seal is a text around the hash of all before it: {"\ndaelab object ", "\n"}. */
typedef struct { const char *before, *behind; } content_seal;

/* The text of the seal of size bytes; its length. */
enum { CONTENT_SEAL = 96 };
size_t content_seal_text(const char *bytes, size_t size, content_seal seal, char text[CONTENT_SEAL]);

/* Put it at the end of an open file; 0 where that fails. */
int content_seal_put(int file, content_seal seal);

/* Does the file end with the seal of what stands before it? */
int content_seal_holds(int file, content_seal seal);

#endif
