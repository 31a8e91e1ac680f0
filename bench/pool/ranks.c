#include "pool/ranks.h"

#include "host/allocate.h"
#include "host/program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char OBJECT[] = "daelab_mpi.so";

/* So many processes there are, by what starts them; 1 where nothing did. */
static int started_together(void)
{
    static const struct { const char *size, *with; } known[] = {
        {"OMPI_COMM_WORLD_SIZE", NULL}, {"PMI_SIZE", NULL}, {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},
        {"SLURM_NTASKS", "PMIX_RANK"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *size = getenv(known[i].size);
        if (size && (!known[i].with || getenv(known[i].with)))
            return atoi(size) > 1 ? atoi(size) : 1;
    }
    return 1;
}

/* Beside the program, as it was built, or where it was installed; to be freed. */
static char *find_object(void)
{
    char *folder = program_folder("messages are", ".", DAELAB_MPI_BESIDE, OBJECT, NULL);
    char *path = folder ? allocate_print("%s/%s", folder, OBJECT) : NULL;
    free(folder);
    return path;
}

dae_status ranks_join(const rank_link **link, rank_place *where, dae_report *report)
{
    const int size = started_together();
    *link = NULL;
    *where = (rank_place){0, 1, 0};
    if (size < 2)
        return DAE_OK;
    char *path = find_object();
    if (!path)
        return dae_fail(report, DAE_UNSUPPORTED, "%d processes were started together, and this daelab was built "
                        "without MPI: each would run all of the study", size);
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);        /* parts of MPI look for each other */
    const rank_link *loaded = object ? dlsym(object, RANKS_SYMBOL) : NULL;
    free(path);
    if (!loaded)
        return dae_fail(report, DAE_FILE, "MPI: %s", dlerror());
    if (!loaded->begin(where))
        return dae_fail(report, DAE_FILE, "MPI cannot be begun");
    *link = where->size > 1 ? loaded : NULL;
    return DAE_OK;
}
