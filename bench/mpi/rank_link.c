/* rank_link.c - messages between the processes that mpirun has started, by MPI
 *
 * Messages are texts. A send is left to MPI until it is done: nobody waits for a receiver who is busy. Whoever
 * waits asks again and again, as MPI itself would, but sleeps between.
 */
#include "host/platform.h"
#include "pool/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 1 };

typedef struct sent sent;
struct sent {
    MPI_Request request;
    char *text;
    sent *next;
};

static sent *under_way;

static void test_sent(void)
{
    for (sent **at = &under_way; *at;) {
        sent *one = *at;
        int done = 0;
        MPI_Test(&one->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        free(one->text);
        free(one);
    }
}

/* Of the cores that the processes of this machine may use together an equal part. */
static int share_of_cores(void)
{
    platform_cores mine, all;
    MPI_Comm machine;
    int processes = 1;
    if (!platform_cores_here(&mine)
        || MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine))
        return 1;
    MPI_Comm_size(machine, &processes);
    MPI_Allreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, machine);
    MPI_Comm_free(&machine);
    const int cores = platform_count_cores(&all) / processes;
    return cores > 1 ? cores : 1;
}

static int begin(rank_place *where)
{
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0);        /* the children say nothing by MPI */
    if (MPI_Init(NULL, NULL))
        return 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &where->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &where->size);
    where->cores = share_of_cores();
    return 1;
}

static int send_text(int to, const char *text)
{
    sent *one = malloc(sizeof *one);
    char *copy = strdup(text);
    test_sent();
    if (!one || !copy) {
        free(one);
        free(copy);
        return 0;
    }
    *one = (sent){.text = copy, .next = under_way};
    under_way = one;
    return MPI_Isend(copy, (int)strlen(copy) + 1, MPI_CHAR, to, TAG, MPI_COMM_WORLD, &one->request) == MPI_SUCCESS;
}

static char *receive(int *from)
{
    MPI_Status status;
    int there = 0, length = 0;
    test_sent();
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) || !there)
        return NULL;
    MPI_Get_count(&status, MPI_CHAR, &length);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return NULL;                                    /* it stays where it is */
    MPI_Recv(text, length, MPI_CHAR, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    text[length] = 0;
    *from = status.MPI_SOURCE;
    return text;
}

static void receive_rest(void)
{
    int from;
    for (char *text; (text = receive(&from)); free(text))
        continue;
}

/* A long message is under way until somebody receives it, and who leaves early does not: so all receive until the
 * last of them has nothing under way any more. */
static void end(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    MPI_Request all = MPI_REQUEST_NULL;
    for (int over = 0, asked = 0; !over;) {
        receive_rest();
        if (!asked && !under_way)
            asked = MPI_Ibarrier(MPI_COMM_WORLD, &all) == MPI_SUCCESS;
        if (asked)
            MPI_Test(&all, &over, MPI_STATUS_IGNORE);
        if (!over)
            nanosleep(&moment, NULL);
    }
    MPI_Finalize();
}

__attribute__((visibility("default"))) const rank_link daelab_rank_link = {begin, send_text, receive, end};
