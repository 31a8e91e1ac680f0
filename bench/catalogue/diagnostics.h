/* diagnostics.h - what a compiler says of a model, which it compiles four times, said once */
#ifndef DAELAB_DIAGNOSTICS_H
#define DAELAB_DIAGNOSTICS_H

/* Leave out, in place, "./" before "./", and each message about a line and column of which one was said before, with
 * what stands around it. */
void diagnostics_once(char *text);

#endif
