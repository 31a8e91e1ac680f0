/* fake_cells.h - small cells for tests of the runner, which count how often they are computed */
#ifndef DAELAB_TEST_FAKE_CELLS_H
#define DAELAB_TEST_FAKE_CELLS_H

#include "kept.h"
#include "support.h"

#include "pool/runner.h"

#include <sys/mman.h>
#include <unistd.h>

enum { FAKE_CELLS = 64 };

typedef struct {
    int number;
    void (*act)(int number);    /* what happens while it is computed; NULL: nothing */
    runner_limits limits;
    int timed;
} fake;

/* How often each was computed, by whatever process. */
static volatile int *fake_count;
static char fake_folder[] = P_tmpdir "/daelab-runner-XXXXXX", fake_path[128];

static int fake_begin(void **state)
{
    (void)state;
    fake_count = mmap(NULL, FAKE_CELLS * sizeof *fake_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0);
    if (fake_count == MAP_FAILED || !mkdtemp(fake_folder))
        return -1;
    snprintf(fake_path, sizeof fake_path, "%s/study.db", fake_folder);
    return 0;
}

static int fake_end(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", fake_folder);
    return system(command);
}

/* Nothing was computed, and there is no file. */
static int fake_clear(void **state)
{
    (void)state;
    memset((void *)(uintptr_t)fake_count, 0, FAKE_CELLS * sizeof *fake_count);
    char command[300];
    snprintf(command, sizeof command, "rm -f '%s'*", fake_path);
    return system(command);
}

/* Numbers that decimals of fewer digits do not hold. */
static double fake_value(int number) { return (number + 1) / 3.0; }

static json_t *fake_compute(void *context)
{
    const fake *f = context;
    __atomic_fetch_add(&fake_count[f->number], 1, __ATOMIC_SEQ_CST);
    if (f->act)
        f->act(f->number);
    return json_pack("{s:f}", "third", fake_value(f->number));
}

#define FAKE_WORK 0.25

/* In this round. */
static inline runner_reply fake_ask_once(runner *r, const fake *f)
{
    fake copy = *f;
    json_t *cell = json_pack("{s:i,s:s}", "number", f->number, "kind", "fake");
    const runner_question question = {.cell = cell, .limits = f->limits, .timed = f->timed, .compute = fake_compute,
                                      .context = &copy, .what = "fake", .work = FAKE_WORK};
    const runner_reply reply = runner_ask(r, &question);
    json_decref(cell);
    return reply;
}

/* In as many rounds as that takes. */
static inline runner_reply fake_ask(runner *r, const fake *f)
{
    runner_reply reply;
    while ((reply = fake_ask_once(r, f)).end == RUNNER_LATER)
        runner_next_round(r);
    return reply;
}

/* Ask for one that is answered; the bits are those that were computed. */
static inline void fake_answered(runner *r, int number)
{
    const fake f = {.number = number};
    const runner_reply reply = fake_ask(r, &f);
    if (reply.end != RUNNER_ANSWERED)
        fail_msg("cell %d: %s, %s", number, runner_end_names[reply.end], reply.reason);
    const double value = json_real_value(json_object_get(reply.answer, "third"));
    assert_true(value == fake_value(number));
    json_decref(reply.answer);
}

/* What the runner says, one sentence after the other. */
static char fake_words[4096];

static void fake_say(void *context, const char *sentence)
{
    (void)context;
    const size_t length = strlen(fake_words);
    snprintf(fake_words + length, sizeof fake_words - length, "%s\n", sentence);
}

/* On the file of the test, with so many processes. */
static inline runner *fake_runner(int jobs)
{
    const runner_options options = {.file = fake_path, .jobs = jobs, .say = fake_say};
    dae_report why = {0};
    runner *r;
    fake_words[0] = 0;
    if (runner_create(&r, &options, &why))
        fail_msg("%s", why.message);
    return r;
}

static inline void fake_finish(runner *r, int complete)
{
    dae_report why = {0};
    if (runner_finish(r, complete, &why))
        fail_msg("%s", why.message);
}

/* What a file holds, 0-ended, to be freed; NULL where there is none. */
static inline char *fake_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, 1 << 20) : NULL;
    if (text && fread(text, 1, (1 << 20) - 1, file) == 0)
        text[0] = 0;
    if (file)
        fclose(file);
    return text;
}

static inline void fake_write(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#define FAKE_TEST(function) cmocka_unit_test_setup(function, fake_clear)

#endif
