/* test_settings.c - each row of settings.def: another value than the default, given as an option or in a study file,
 * changes what its row says it does, and nothing else: the question to which a run is the answer, the row of a run,
 * the heading, what the solver gets; and help tells of it */
#include "support.h"
#include "members.h"

#include <daelab/method.h>

#include "run/run_cell.h"
#include "cli/options.h"
#include "report/report.h"
#include "spec/study_file.h"
#include "tidy/tidy_run.h"

#include <unistd.h>

static const char *const options[] = {
#define SETTING(ID, field, kind, words, name, when, key, said, goes, option, ...) option,
#include "run/settings.def"
};

/* A value that is not the default one; NULL: of a switch. */
static const char *another(setting_id id)
{
    static const char *const of_kind[] = {
        [KIND_STEP] = "0.125", [KIND_POSITIVE] = "0.0009765625", [KIND_FRACTION] = "0.25", [KIND_TIME] = "1.5",
        [KIND_RATE] = "3", [KIND_COUNT] = "7", [KIND_SET] = "position,velocity"};
    const setting_row *row = &run_settings[id];
    if (row->kind == KIND_BY_HAND)
        return id == SETTING_ATOL ? "T=0.001" : id == SETTING_SENSITIVITY ? "L,g0" : "x=1";
    if (row->kind != KIND_CHOICE && row->kind != KIND_BEST)
        return of_kind[row->kind];
    int last = 0;
    while (row->words[last + 1])
        last++;
    return row->words[last];
}

/* The first command that runs something and takes it. */
static const cli_command *command_of(setting_id id)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        if ((c->options & RUNS) && option_find(c->options, options[id]))
            return c;
    fail_msg("no command takes --%s", options[id]);
    return NULL;
}

static given_option given(setting_id id)
{
    const option_row *row = option_find(command_of(id)->options, options[id]);
    assert_int_equal(row->id, id);
    return (given_option){.row = row, .text = row->argument ? another(id) : NULL};
}

static run_setting with(setting_id id, const given_option *option)
{
    cli_options o;
    options_begin(&o, command_of(id), NULL);
    options_set_problem(&o, problem_named("pendulum"));
    if (option)
        assert_true(option_apply(option, &o));
    cli_free(&o);
    memset(&o.study.run.front, 0, sizeof o.study.run.front);       /* it knows o, which ends here */
    return o.study.run;
}

static run_setting changed(setting_id id)
{
    const given_option option = given(id);
    return with(id, &option);
}

/* ---- the key of a run ---------------------------------------------------------------------- */

static char *object_text(const run_setting *s, setting_key key)
{
    json_t *object = json_object();
    cell_set_settings(object, s, key);
    char *text = json_dumps(object, JSON_SORT_KEYS);
    json_decref(object);
    assert_non_null(text);
    return text;
}

static char *run_text(const run_setting *s)
{
    const study t = {.setting = s, .t_end = 2};
    json_t *cell = run_cell(&t, dae_find_formulation("index1"), dae_find_method("ida"), 1e-6, 0);
    assert_non_null(cell);
    char *text = json_dumps(cell, JSON_SORT_KEYS);
    json_decref(cell);
    assert_non_null(text);
    return text;
}

static int differ(char *a, char *b)
{
    const int differ = strcmp(a, b) != 0;
    free(a);
    free(b);
    return differ;
}

TEST(test_key)
{
    const run_setting plain = with(0, NULL);
    assert_false(differ(run_text(&plain), run_text(&plain)));
    for (setting_id id = 0; id < SETTINGS; id++) {
        const run_setting other = changed(id);
        const setting_key key = run_settings[id].key;
        if (differ(run_text(&plain), run_text(&other)) != (key == KEY_RESULT))
            fail_msg("%s: a run's question is %s", run_settings[id].name, key == KEY_RESULT ? "the same" : "another");
        if (run_settings[id].kind != KIND_BY_HAND && !differ(object_text(&plain, key), object_text(&other, key)))
            fail_msg("%s is not in its part of a question", run_settings[id].name);
    }
}

/* What is declared by hand in the struct stands in a question by hand, or changes no result. */
TEST(test_members)
{
    static const char *const known[] = {"problem", "parameters", "atol_by_rtol", "atols", "atol_of", "baumgarte",
                                        "stops", "stop", "sensitivities", "sensitivity", "front", "runner", "alpha",
                                            "beta", "user_data"};
    member_list members = members_of("bench/run/setting.h", "typedef struct {", "} run_setting;");
    const member_list more = members_of("include/daelab/daelab.h", "typedef struct {", "} dae_formulation_options;");
    for (int i = 0; i < more.count; i++)
        snprintf(members.name[members.count++], MEMBER, "%s", more.name[i]);
    for (int i = 0; i < members.count; i++) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], members.name[i]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            fail_msg("%s has no row in settings.def", members.name[i]);
    }
}

/* ---- what is shown ------------------------------------------------------------------------- */

/* The row of a run in a table: where everything applies. */
static table *row_of(const run_setting *s, tidy_item *item)
{
    const tidy_run run = {.setting = s, .t_end = 2, .form = dae_find_formulation("baumgarte"),
                          .method = dae_find_method("ida"), .step = s->step, .rtol = isnan(s->rtol) ? 1e-6 : s->rtol,
                          .jacobian = s->jacobian, .linear = s->linear, .project = s->project, .varied = -1};
    table *t = table_new();
    tidy_begin_row(t, item, &run);
    return t;
}

static int cells_differ(const table *a, const table *b, const char *name)
{
    const int i = table_find(a, name), k = table_find(b, name);
    const char *word = table_text_at(a, 0, i), *other = table_text_at(b, 0, k);
    const double x = table_number_at(a, 0, i), y = table_number_at(b, 0, k);
    return (word || other ? !word || !other || strcmp(word, other) != 0 : isnan(x) != isnan(y) || (x == x && x != y));
}

TEST(test_columns)
{
    const char none[MOST_PARAMETERS] = {0};
    const study_item of = {.part = "solve"};
    tidy_item item = {.item = &of, .varies = none, .time = "s", .rate = "1/s"};
    const run_setting plain = with(0, NULL);
    table *before = row_of(&plain, &item);
    for (setting_id id = 0; id < SETTINGS; id++) {
        const run_setting other = changed(id);
        table *now = row_of(&other, &item);
        const char *own = id == SETTING_ATOL ? "atol_of" : run_settings[id].name;
        for (int c = 0; c < table_columns(now); c++) {
            const char *name = table_name_of(now, c);
            const int follows = id == SETTING_RTOL && strcmp(name, "atol") == 0;        /* equal to rtol */
            const int wanted = (run_settings[id].when != WHEN_NEVER && strcmp(name, own) == 0) || follows;
            if (cells_differ(before, now, name) != wanted)
                fail_msg("%s: the column %s %s", run_settings[id].name, name, wanted ? "does not tell" : "changes");
        }
        assert_int_equal(table_find(now, own) >= 0, run_settings[id].when != WHEN_NEVER || id == SETTING_T_END);
        table_free(now);
    }
    table_free(before);
}

static document *heading_of(const run_setting *s)
{
    study_specification spec = study_default_specification(s->problem);
    spec.run = *s;
    document *doc = report_begin("solve", &spec, 0, 2);
    assert_non_null(doc);
    return doc;
}

TEST(test_headings)
{
    const run_setting plain = with(0, NULL);
    document *before = heading_of(&plain);
    for (setting_id id = 0; id < SETTINGS; id++) {
        const run_setting other = changed(id);
        document *now = heading_of(&other);
        const int said = run_settings[id].said != 0;
        assert_int_equal(strcmp(before->options, now->options) != 0, said);
        assert_int_equal(json_equal(json_object_get(before->json, "options"), json_object_get(now->json, "options")),
                         !said);
        document_free(now);
    }
    document_free(before);
}

TEST(test_help)
{
    for (setting_id id = 0; id < SETTINGS; id++) {
        char *text = NULL, line[64];
        size_t size;
        FILE *out = open_memstream(&text, &size);
        cli_help(command_of(id), 1, out);
        assert_int_equal(fclose(out), 0);
        snprintf(line, sizeof line, "\n  --%s ", options[id]);
        if (!strstr(text, line))
            fail_msg("%s: help has no --%s", run_settings[id].name, options[id]);
        free(text);
    }
}

/* ---- where it comes from, and goes --------------------------------------------------------- */

TEST(test_study_files)
{
    char path[] = "/tmp/test_settings_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    for (setting_id id = 0; id < SETTINGS; id++) {
        const given_option typed = given(id);
        study_file file;
        FILE *out = fopen(path, "w");
        const char *quote = typed.text ? "\"" : "", *value = typed.text ? typed.text : "true";
        fprintf(out, "study: one\nparts:\n  - {name: a, kind: %s, problem: pendulum, %s: %s%s%s}\n",
                command_of(id)->name, options[id], quote, value, quote);
        assert_int_equal(fclose(out), 0);
        assert_true(study_file_read(&file, path));
        assert_int_equal(file.part[0].list.count, 1);
        const run_setting read = with(id, &file.part[0].list.option[0]), wanted = changed(id);
        for (setting_id k = 0; k < SETTINGS; k++)
            if (run_settings[k].kind != KIND_BY_HAND && !isnan(setting_value(&run_settings[k], &wanted)))
                assert_true(setting_value(&run_settings[k], &read) == setting_value(&run_settings[k], &wanted));
        assert_int_equal(read.atols, wanted.atols);
        assert_int_equal(read.stops, wanted.stops);
        assert_int_equal(read.sensitivities, wanted.sensitivities);
        study_file_free(&file);
    }
    unlink(path);
}

TEST(test_solver)
{
    const dae_method *ida = dae_find_method("ida");
    const run_setting plain = with(0, NULL);
    const dae_options before = run_options(&plain, ida, 1e-6);
#define TO(member) now.member != before.member
#define NOWHERE 1
#define SETTING(ID, field, kind, words, name, when, key, said, goes, ...)       \
    {                                                                           \
        const run_setting other = changed(SETTING_##ID);                        \
        const dae_options now = run_options(&other, ida, 1e-6);                 \
        assert_true(now.rtol == before.rtol);                                   \
        assert_true(goes);                                                      \
    }
#include "run/settings.def"
}
