/* platform_elf.c - loaded objects where they are ELF and dl_iterate_phdr tells of them: glibc, musl */
#include "host/platform.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- those that are loaded ---------------------------------------------------------------- */

typedef struct { platform_visit *visit; void *context; } visitor;

static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    const visitor *v = context;
    const platform_object object = {info->dlpi_name ? info->dlpi_name : "", (uintptr_t)info->dlpi_addr, info};
    (void)size;
    return v->visit(&object, v->context);
}

int platform_objects(platform_visit *visit, void *context)
{
    visitor v = {visit, context};
    return dl_iterate_phdr(look, &v);
}

int platform_holds(const platform_object *object, uintptr_t at)
{
    const struct dl_phdr_info *info = object->record;
    int holds = 0;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[k];
        const uintptr_t begin = (uintptr_t)info->dlpi_addr + header->p_vaddr;
        holds |= header->p_type == PT_LOAD && at >= begin && at - begin < header->p_memsz;
    }
    return holds;
}

/* The dynamic section of an object; NULL where it has none. */
static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *info)
{
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)((uintptr_t)info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
    return NULL;
}

/* glibc has added the object's address to that of its strings, musl has not. */
static const char *strings_of(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == DT_STRTAB)
            return (const char *)(uintptr_t)(dynamic->d_un.d_ptr < info->dlpi_addr
                                             ? info->dlpi_addr + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr);
    return NULL;
}

const char *platform_needs(const platform_object *object, int k)
{
    const struct dl_phdr_info *info = object->record;
    const ElfW(Dyn) *dynamic = dynamic_of(info);
    const char *strings = dynamic ? strings_of(info, dynamic) : NULL;
    for (; strings && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == DT_NEEDED && k-- == 0)
            return strings + dynamic->d_un.d_val;
    return NULL;
}

/* ---- those that are to be loaded ---------------------------------------------------------- */

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
    FILE *program = fopen(platform_running, "re");
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

dae_status platform_check_object(int object, const char *file, dae_report *report)
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
