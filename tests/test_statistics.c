/* test_statistics - what a solver counts: one line of statistics.def is all that a count needs */
#include "support.h"

#include "base/statistics.h"

/* Every field a number of its own. */
static dae_statistics numbered(int first)
{
    dae_statistics s;
#define DAE_STATISTIC(type, name, kind, title, meaning) s.name = (type)first++;
#include <daelab/statistics.def>
#undef DAE_STATISTIC
    return s;
}

/* Names and values are those of the fields, in their order, and end. */
TEST(test_each)
{
    int i = 0;
    const dae_statistics s = numbered(3);
    const char *name, *title;
#define DAE_STATISTIC(type, field, kind, heading, meaning)      \
    assert_true(dae_statistic(&s, i, &name, &title) == 3 + i);  \
    assert_string_equal(#field, name);                          \
    assert_string_equal(heading, title);                        \
    assert_true(strlen(meaning) > 0);                           \
    i++;
#include <daelab/statistics.def>
#undef DAE_STATISTIC
    assert_true(isnan(dae_statistic(&s, i, &name, &title)) && !name && !title);
    assert_true(isnan(dae_statistic(&s, -1, NULL, NULL)));
}

enum { FROM = 10, MORE = 100 };

/* 10, 11, ... and 110, 111, ...: sums and largest, by the kind. */
TEST(test_together)
{
    dae_statistics sum = numbered(FROM);
    const dae_statistics one = numbered(FROM), other = numbered(FROM + MORE);
    dae_statistics_add(&sum, &other);
#define WORK(name) assert_true(sum.name == one.name + other.name);
#define COST WORK
#define SUM WORK
#define EVENTS WORK
#define LARGEST(name) assert_true(sum.name == other.name);
#define ENTRIES LARGEST
#define DAE_STATISTIC(type, name, kind, title, meaning) kind(name)
#include <daelab/statistics.def>
    dae_statistics_add(&sum, &(dae_statistics){0});
#include <daelab/statistics.def>
#undef WORK
#undef COST
#undef SUM
#undef EVENTS
#undef LARGEST
#undef ENTRIES
}

/* The work of a judge alone is added. */
TEST(test_work)
{
    dae_statistics sum = numbered(FROM);
    const dae_statistics before = numbered(0), now = numbered(MORE), one = numbered(FROM);
    dae_statistics_add_work(&sum, &before, &now);
#define WORK(name) assert_true(sum.name == one.name + MORE);
#define SUM(name) assert_true(sum.name == one.name);
#define COST SUM
#define EVENTS SUM
#define LARGEST SUM
#define ENTRIES SUM
#include <daelab/statistics.def>
#undef DAE_STATISTIC
}
