/* identity.h - which code computes: numbers that change when the program, a model, a method or a file does
 *
 * An object (a program, a shared object) is known by what its file holds, libraries that it was linked with by the
 * name, length and time of their files. A file is looked at once: that of a plug-in when it is loaded, as it may be
 * replaced later.
 */
#ifndef DAELAB_IDENTITY_H
#define DAELAB_IDENTITY_H

#include <daelab/method.h>
#include <daelab/problem.h>

#include <stdint.h>

/* Of the objects that the records of a problem and of its modes, or of a method, point into, with the places there, and
 * of those that these objects were linked with, however far: what a model calls is a part of it. 0 where it points into
 * none, or a file cannot be read: then nothing is known of it. What a model reads from files or the environment is not
 * seen. */
int model_identity(const dae_problem *problem, uint64_t *hash);
int method_identity(const dae_method *method, uint64_t *hash);

/* Of this program and the libraries that it was linked with. */
uint64_t program_identity(void);

/* *hash := FNV-1a of what the file at path holds behind what is in *hash already. 0 where it cannot be read. */
int content_hash(const char *path, uint64_t *hash);

#endif
