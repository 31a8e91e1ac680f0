/* completion.h - the completion of shells, filled in from the tables */
#ifndef DAELAB_COMPLETION_H
#define DAELAB_COMPLETION_H

/* Write completion.bash, .zsh and .fish into a folder, of the files of these names in another one, where a line
 * "#: WORDS" stands for what the tables say. EXIT_DONE, or another status having complained. */
int completion_write(const char *texts, const char *folder);

#endif
