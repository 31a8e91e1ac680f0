/* json_file.h - JSON, written whole or refused
 *
 * A tree is put together by many calls, each of which may be refused memory, and then leaves a part
 * out. That one was is noted where memory is given, and the tree is not written.
 */
#ifndef DAELAB_JSON_FILE_H
#define DAELAB_JSON_FILE_H

#include <jansson.h>
#include <stdio.h>

void json_file_begin(void);             /* before the first tree */
int json_file_whole(void);              /* no request for memory has been refused */

/* The tree of text[length]; NULL where memory is refused, which is noted, or the text is no JSON. */
json_t *json_file_read(const char *text, size_t length);

/* A text as JSON, whatever its bytes: where they are no UTF-8, as in the name of a file, those above 127 are "?". NULL:
 * no memory. */
json_t *json_text(const char *text);

/* Numbers as the shortest decimals that read back the same; ends with a newline. 0 where memory is
 * or was short, or the tree is NULL. */
int json_file_write(const json_t *tree, FILE *out);

#endif
