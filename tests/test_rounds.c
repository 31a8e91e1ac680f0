/* test_quantile - quantiles of samples, and subjects that are timed in turn */
#include "support.h"

#include "numbers/quantile.h"
#include "speed/rounds.h"

TEST(test_quantiles)
{
    double x[] = {7, 1, 5, 3};
    quantile_sort(x, 4);
    assert_true(x[0] == 1 && x[1] == 3 && x[2] == 5 && x[3] == 7);
    assert_true(quantile(x, 4, 0) == 1 && quantile(x, 4, 1) == 7);
    assert_true(quantile(x, 4, 0.5) == 4 && quantile(x, 4, 0.25) == 2.5 && quantile(x, 4, 0.75) == 5.5);
    assert_true(quantile(x, 1, 0.25) == 1 && quantile(x, 3, 0.5) == 3);
}

/* ---- rounds */

enum { MOST = 1 << 20 };
typedef struct {
    char *log;                  /* who ran, in turn; repeats of one are one entry */
    char name;
    long runs, fails_at;        /* 0: never */
    volatile double sum;
} worker;

static int work(void *data)
{
    worker *w = data;
    const size_t length = strlen(w->log);
    if (!length || w->log[length - 1] != w->name)
        w->log[length] = w->name;
    for (int i = 1; i < 1000; i++)
        w->sum += 1.0 / i;
    return ++w->runs != w->fails_at;
}

TEST(test_turns)
{
    char log[MOST] = "";
    worker a = {.log = log, .name = 'a'}, b = {.log = log, .name = 'b'}, c = {.log = log, .name = 'c'};
    const speed_subject subjects[] = {{"a", &a, work}, {"b", &b, work}, {"c", &c, work}};
    speed_time times[3];
    assert_true(speed_rounds(3, subjects, 4, times));
    assert_string_equal(log, "abc" "abcbabcba");        /* to warm up; then abc, cba, abc, cba */
    for (int i = 0; i < 3; i++) {
        assert_true(times[i].smallest > 0 && times[i].smallest <= times[i].median);
        assert_true(times[i].low > 0 && times[i].low <= times[i].ratio && times[i].ratio <= times[i].high);
    }
    assert_true(times[0].ratio == 1 && times[0].low == 1 && times[0].high == 1);
    assert_true(a.runs > 12);                           /* some microseconds are too short for one */
}

TEST(test_failures)
{
    char log[MOST] = "";
    worker a = {.log = log, .name = 'a'}, b = {.log = log, .name = 'b', .fails_at = 1};
    const speed_subject subjects[] = {{"a", &a, work}, {"b, which is to fail", &b, work}};
    speed_time times[2];
    assert_false(speed_rounds(2, subjects, 3, times));
    assert_int_equal(b.runs, 1);
    b.fails_at = 1;
    b.runs = -1;                                        /* later, in a round or before */
    assert_false(speed_rounds(2, subjects, 3, times));
}
