#include "runner/jobs.h"

#include <stdlib.h>

/* One more of size bytes; 0: no memory. */
static int make_room(void **list, int count, int *room, size_t size)
{
    const int more = *room ? 2 * *room : 64;
    if (count < *room)
        return 1;
    void *larger = realloc(*list, (size_t)more * size);
    if (!larger)
        return 0;
    *list = larger;
    *room = more;
    return 1;
}

static int age_of(jobs *j, const void *owner)
{
    for (int i = 0; i < j->groups; i++)
        if (j->group[i].owner == owner)
            return j->group[i].age;
    return j->owners++;
}

/* The place of the owner's group of that number, a new one if need be; -1: no memory. */
static int find_group(jobs *j, const void *owner, int number)
{
    for (int i = j->groups - 1; i >= 0; i--)
        if (j->group[i].owner == owner && j->group[i].number == number)
            return i;
    void *list = j->group;
    if (!make_room(&list, j->groups, &j->group_room, sizeof *j->group))
        return -1;
    j->group = list;
    j->group[j->groups] = (job_group){.owner = owner, .age = age_of(j, owner), .number = number};
    return j->groups++;
}

/* Once all are over nothing of them is needed. */
static void forget(jobs *j)
{
    if (j->over == j->count)
        j->count = j->over = j->groups = j->owners = 0;
}

int jobs_add(jobs *j, const void *owner, int number, void (*work)(void *context), void *context)
{
    void *list = j->list;
    forget(j);
    const int group = find_group(j, owner, number);
    if (group < 0 || !make_room(&list, j->count, &j->room, sizeof *j->list))
        return 0;
    j->list = list;
    j->list[j->count] = (job){j->expected++, group, work, context, JOB_WAITS};
    j->group[group].jobs++;
    j->group[group].last = j->count++;
    return 1;
}

static int is_ready(const jobs *j, int place)
{
    const job_group *g = &j->group[j->list[place].group];
    return j->list[place].state == JOB_WAITS && (place != g->last || g->over == g->jobs - 1);
}

/* Does group a go before b? */
static int is_before(const job_group *a, const job_group *b)
{
    return a->age != b->age ? a->age > b->age : a->number < b->number;
}

int jobs_next(const jobs *j)
{
    int best = -1;
    for (int i = 0; i < j->count; i++)
        if (is_ready(j, i)
            && (best < 0 || is_before(&j->group[j->list[i].group], &j->group[j->list[best].group])))
            best = i;
    return best;
}

int jobs_numbered(const jobs *j, int number)
{
    for (int i = 0; i < j->count; i++)
        if (j->list[i].number == number)
            return i;
    return -1;
}

int jobs_left(const jobs *j) { return j->over < j->count; }

void jobs_set(jobs *j, int place, job_state state)
{
    job *one = &j->list[place];
    const int over = (state == JOB_OVER) - (one->state == JOB_OVER);
    j->over += over;
    j->group[one->group].over += over;
    one->state = state;
}

int jobs_belongs(const jobs *j, int place, const void *owner)
{
    return !owner || j->group[j->list[place].group].owner == owner;
}

void jobs_drop(jobs *j, const void *owner)
{
    for (int i = 0; i < j->count; i++)
        if (jobs_belongs(j, i, owner))
            jobs_set(j, i, JOB_OVER);
}

void jobs_free(jobs *j)
{
    free(j->list);
    free(j->group);
    *j = (jobs){0};
}
