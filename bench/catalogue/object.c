/* object.c - dlopen, after a look at what is to be opened
 *
 * Of a file that was cut short the loader maps pages that are not there, which ends the program: so its
 * segments are compared with its length first.
 */
#include "catalogue/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read size bytes from an offset; 0 where there are not so many. */
static int read_at(int file, void *bytes, size_t size, off_t offset)
{
    return pread(file, bytes, size, offset) == (ssize_t)size;
}

/* The header of an object of this machine: the type says what the loader takes, the rest is as in this
 * program. */
static int is_of_this_machine(const ElfW(Ehdr) *header)
{
    ElfW(Ehdr) own;
    FILE *program = fopen("/proc/self/exe", "re");
    const int known = program && fread(&own, sizeof own, 1, program) == 1;
    if (program)
        fclose(program);
    return !known || (header->e_machine == own.e_machine
                      && header->e_ident[EI_CLASS] == own.e_ident[EI_CLASS]
                      && header->e_ident[EI_DATA] == own.e_ident[EI_DATA]);
}

static dae_status check_segments(int object, const ElfW(Ehdr) *header, off_t length, const char *file,
                                 dae_report *report)
{
    for (int i = 0; i < header->e_phnum; i++) {
        ElfW(Phdr) segment;
        const off_t at = (off_t)header->e_phoff + i * (off_t)sizeof segment;
        if (!read_at(object, &segment, sizeof segment, at))
            return dae_fail(report, DAE_FILE, "%s: it was cut short, within its headers", file);
        if (segment.p_type == PT_LOAD
            && (segment.p_offset > (ElfW(Off))length || segment.p_filesz > (ElfW(Off))length - segment.p_offset))
            return dae_fail(report, DAE_FILE, "%s: it was cut short: %lld bytes, where a segment ends at %lld", file,
                            (long long)length, (long long)(segment.p_offset + segment.p_filesz));
    }
    return DAE_OK;
}

static dae_status check(int object, const char *file, dae_report *report)
{
    struct stat about;
    ElfW(Ehdr) header;
    if (fstat(object, &about))
        return dae_fail(report, DAE_FILE, "%s: %s", file, strerror(errno));
    if (about.st_size == 0)
        return dae_fail(report, DAE_FILE, "%s: the file is empty", file);
    if (!read_at(object, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return dae_fail(report, DAE_FILE, "%s: it is no shared object (ELF)", file);
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)))
        return dae_fail(report, DAE_FILE, "%s: an ELF file, but no shared object: cc -shared -fPIC makes one", file);
    if (!is_of_this_machine(&header))
        return dae_fail(report, DAE_FILE, "%s: a shared object of another machine", file);
    return check_segments(object, &header, about.st_size, file, report);
}

dae_status object_load(int descriptor, const char *file, const char *where, void **handle, dae_report *report)
{
    char through[64];
    const dae_status status = check(descriptor, file, report);
    *handle = NULL;
    if (status)
        return status;
    snprintf(through, sizeof through, "/proc/self/fd/%d", descriptor);
    *handle = dlopen(where ? where : through, RTLD_NOW | RTLD_LOCAL);
    if (*handle)
        return DAE_OK;
    const char *words = dlerror(), *path = where ? where : through;
    if (words && strncmp(words, path, strlen(path)) == 0 && strncmp(words + strlen(path), ": ", 2) == 0)
        words += strlen(path) + 2;
    return dae_fail(report, DAE_FILE, "%s: it cannot be loaded: %s", file, words ? words : "no reason is given");
}
