/* manual.h - what is made of the tables of commands, options and names: manual pages, completion of a command line */
#ifndef DAELAB_MANUAL_H
#define DAELAB_MANUAL_H

/* Write daelab.1 and all daelab-COMMAND.1 into a folder, with a date (year-month-day) in their heads. EXIT_DONE, or
 * another status having complained. */
int pages_write(const char *folder, const char *date);

/* daelab --complete WORD...: what may stand in place of the last of the words behind "daelab", as far as they are
 * typed. An answer a line, "WORD", or "WORD<tab>WHAT IT IS", or "@files<tab>HEAD": a file behind that head of the word.
 * The shells' files in this folder show them. */
void completion_answer(int count, char **words);

#endif
