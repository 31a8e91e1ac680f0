/* jobs.h - work that is to be done ahead, and in which order */
#ifndef DAELAB_RUNNER_JOBS_H
#define DAELAB_RUNNER_JOBS_H

typedef enum { JOB_WAITS, JOB_RUNS, JOB_OVER } job_state;

typedef struct {
    int number;                 /* how many were expected before, ever */
    int group;                  /* place in jobs.group */
    void (*work)(void *context);
    void *context;
    job_state state;
} job;

typedef struct {
    const void *owner;
    int age;                    /* of the owner: how many came before him */
    int number;
    int jobs, over;             /* how many it has, and how many of them are over */
    int last;                   /* place of the job that was expected last */
} job_group;

typedef struct {
    job *list;
    job_group *group;
    int count, room, groups, group_room, owners;
    int over, expected;         /* of the list; ever */
} jobs;

/* 0: no memory. */
int jobs_add(jobs *j, const void *owner, int group, void (*work)(void *context), void *context);

/* The place of the job that is next; -1 where none is to be begun now. */
int jobs_next(const jobs *j);

/* The place of the job of this number; -1: it is gone. */
int jobs_numbered(const jobs *j, int number);

/* They are not all over. */
int jobs_left(const jobs *j);

void jobs_set(jobs *j, int place, job_state state);

/* Is the job one of the owner's? */
int jobs_belongs(const jobs *j, int place, const void *owner);

/* Those of the owner (NULL: all) are over. */
void jobs_drop(jobs *j, const void *owner);

void jobs_free(jobs *j);

#endif
