/* json_file.h - JSON as text */
#ifndef DAELAB_JSON_FILE_H
#define DAELAB_JSON_FILE_H

#include <jansson.h>
#include <stdio.h>

/* A text as JSON, whatever its bytes: where they are no UTF-8, as in the name of a file, those above 127 are "?". */
json_t *json_text(const char *text);

/* The text of a member; "" where there is none. */
const char *json_word(const json_t *object, const char *key);

/* Numbers as the shortest decimals that read back the same; ends with a newline. */
void json_file_write(const json_t *tree, FILE *out);

#endif
