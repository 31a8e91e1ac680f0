/* completion.h - daelab --complete WORD...: what may stand in place of the last word of a command line */
#ifndef DAELAB_COMPLETION_H
#define DAELAB_COMPLETION_H

/* The words behind "daelab", as far as they are typed; an answer a line, "WORD", or "WORD<tab>WHAT IT IS", or
 * "@files<tab>HEAD": a file behind that head of the word. The shells' files in this folder show them. */
void completion_answer(int count, char **words);

#endif
