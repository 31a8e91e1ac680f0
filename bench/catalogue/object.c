/* object.c - dlopen, after a look at what is to be opened
 *
 * Of a file that was cut short the loader maps pages that are not there, which ends the program: so its
 * segments are compared with its length first (host/platform.h).
 */
#include "catalogue/object.h"

#include "host/platform.h"

#include <dlfcn.h>
#include <string.h>

dae_status object_load(int descriptor, const char *file, const char *where, void **handle, dae_report *report)
{
    char through[PLATFORM_PATH];
    const dae_status status = platform_check_object(descriptor, file, report);
    *handle = NULL;
    if (status)
        return status;
    platform_descriptor(descriptor, through);
    *handle = dlopen(where ? where : through, RTLD_NOW | RTLD_LOCAL);
    if (*handle)
        return DAE_OK;
    const char *words = dlerror(), *path = where ? where : through;
    if (words && strncmp(words, path, strlen(path)) == 0 && strncmp(words + strlen(path), ": ", 2) == 0)
        words += strlen(path) + 2;
    return dae_fail(report, DAE_FILE, "%s: it cannot be loaded: %s", file, words ? words : "no reason is given");
}
