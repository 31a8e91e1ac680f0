/* compiled.h - the shared object of a source */
#ifndef DAELAB_COMPILED_H
#define DAELAB_COMPILED_H

#include <daelab/status.h>

/* Open the shared object that source compiles to, for reading. What is said of it names it as called, the file
 * that it was made of. It has no name then, but where $DAELAB_OBJECTS names a folder: there it is NAME.so. DAE_FILE
 * with a sentence where it does not compile; *words: what the compiler said, to be freed, or NULL. */
dae_status compiled_object(const char *source, const char *called, int *object, char **words, dae_report *report);

/* What gcc or clang say of a model, which they compile four times, said once: leave out, in place, "./" before "./",
 * and each message about a line and column of which one was said before, with what stands around it. */
void compiled_words_once(char *text);

#endif
