/* screen.h - is a stream a terminal, and how wide is it? */
#ifndef DAELAB_SCREEN_H
#define DAELAB_SCREEN_H

#include <stddef.h>
#include <stdio.h>

/* The columns of the terminal that the stream writes to, as COLUMNS says or the terminal itself; 0 where it is
 * none, or does not say. */
size_t screen_width(FILE *stream);

#endif
