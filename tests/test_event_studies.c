/* test_event_studies.c - problems with events in studies: errors and orders of event times, and of the states after
 * them */
#include "cli_json.h"

#include "store/cache.h"
#include "run/run_record.h"
#include "run/order.h"
#include "study/converge.h"

static study study_of(const run_setting *setting)
{
    study s;
    dae_report why = {0};
    if (study_begin(&s, setting, REFERENCE_ON_PATH, 0, &why))
        fail_msg("%s", why.message);
    if (!s.referenced)
        fail_msg("%s", s.why_not);
    return s;
}

static run_setting setting_of(const char *problem, double t_end)
{
    run_setting setting = run_default_setting(problem_named(problem));
    setting.no_cache = 1;
    setting.t_end = t_end;
    return setting;
}

/* bouncing_ball, e = 0.5: hit n at T (1 + 2 (e + ... + e^(n-1))), and the same speeds as in closed form */
TEST(test_errors)
{
    const run_setting setting = setting_of("bouncing_ball", 1.3);
    study s = study_of(&setting);
    run_result r = study_run(&s, dae_find_formulation("index1"), dae_find_method("cros"), 0.013, NULL);
    const double g = 9.81, T = sqrt(2 / g);
    double t = T, speed = sqrt(2 * g), largest = 0;
    assert_int_equal(r.status, DAE_OK);
    assert_int_equal(r.events.count, 5);
    assert_int_equal(r.events.compared, 5);
    for (int k = 0; k < 5; k++, t += 2 * speed / g) {
        const run_event *e = &r.events.at[k];
        speed *= 0.5;
        assert_string_equal(e->name, "floor");
        assert_close(e->t_error, fabs(e->t - t), 1e-15);
        assert_true(e->error[DAE_VELOCITY] < 1e-12);
        assert_true(isnan(e->error[DAE_MULTIPLIER]));
        largest = fmax(largest, e->t_error);
    }
    assert_true(r.events.error == largest);
    run_free(&r);
    study_end(&s);
}

/* Where all that a motion depends on has an order, events have it, too. */
TEST(test_orders)
{
    static const char *const methods[] = {"rk4", "radau5", "cros"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        study_specification o = study_default_specification(problem_named("friction_block"));
        converge_result r;
        dae_report why = {0};
        o.run.no_cache = 1;
        o.run.t_end = 6;
        o.form[o.forms++] = dae_find_formulation("index1");
        o.method[o.methods++] = dae_find_method(methods[m]);
        assert_int_equal(study_prepare(&o, &why), DAE_OK);
        assert_int_equal(converge_study(&r, &o, &why), DAE_OK);
        const order_result *times = &r.curves[0].order[ORDER_EVENT_TIME], *end = &r.curves[0].order[DAE_POSITION];
        if (strcmp(times->verdict, "agrees") != 0 || strcmp(end->verdict, "agrees") != 0)
            fail_msg("%s: event time %s, %.2f; position %s, %.2f", methods[m], times->verdict, times->observed,
                     end->verdict, end->observed);
        assert_true(times->declared == end->declared && times->declared > 1);
        converge_result_free(&r);
    }
}

/* In index 3 nothing is declared of them. */
TEST(test_not_declared)
{
    json_t *tree = parsed(0, "converge string_pendulum --form index3 --method cros --levels 3 --format json");
    assert_string_equal(text_in(tree, "orders", "class=event_time", "verdict"), "not declared");
    assert_true(number_in(tree, "runs", "#2", "error_event_time") < 1e-4);
    assert_int_equal(count_rows(tree, "reference_events", ""), 2);
    assert_string_equal(text_in(tree, "reference_events", "number=2", "event"), "nail");
    json_decref(tree);
}

/* A run with other events says which is the first, and has no error. */
TEST(test_other_events)
{
    json_t *tree = parsed(1, "converge friction_block --form index1 --method euler --step 0.5 --levels 2 --format "
                             "json");
    assert_string_equal(text_in(tree, "runs", "", "status"), "other_events");
    assert_non_null(strstr(text_in(tree, "runs", "", "reason"), "event 3 is not that of the reference"));
    assert_true(isnan(number_in(tree, "runs", "", "error_position")));
    json_decref(tree);
}

/* Where events accumulate there is no reference, and a sentence says how to have one. */
TEST(test_accumulation)
{
    json_t *tree = parsed(1, "converge bouncing_ball --form index1 --method radau5 --levels 2 --format json");
    assert_non_null(strstr(text_in(tree, "references", "", "reason"), "an interval that ends before has a reference"));
    json_decref(tree);
}

/* Energy that an impact takes is no drift; string_pendulum comes taut again with v0 = 6. */
TEST(test_drift)
{
    json_t *tree = parsed(0, "drift string_pendulum --param v0=6 --t-end 3 --form index1 --method radau --rtol 1e-9 "
                             "--format json");
    assert_true(count_rows(tree, "events", "event=taut") + count_rows(tree, "events", "mode_after=taut") > 1);
    assert_true(number_in(tree, "runs", "", "drift_energy") < 1e-6);
    json_decref(tree);
}

/* One row for each event of each run. */
TEST(test_table)
{
    json_t *tree = parsed(0, "bench friction_block --t-end 3 --form index1 --method radau,dopri5 --rtol 1e-6 "
                             "--levels 1 --runs 1 --format json");
    assert_int_equal(count_rows(tree, "events", ""), 4);
    assert_int_equal(count_rows(tree, "work", ""), 2);
    json_decref(tree);
}

/* Two processes find the same, and what they have found is found again. */
TEST(test_jobs)
{
    json_t *tables[2];
    for (int jobs = 1; jobs <= 2; jobs++) {
        char line[200];
        snprintf(line, sizeof line, "converge friction_block --t-end 6 --form index1,index3 --method cros --levels 3 "
                                    "--fresh --jobs %d --format json", jobs);
        tables[jobs - 1] = parsed(0, line);
    }
    assert_true(json_equal(at(tables[0], "tables/events"), at(tables[1], "tables/events")));
    assert_true(json_equal(at(tables[0], "tables/orders"), at(tables[1], "tables/orders")));
    assert_int_equal(count_rows(tables[0], "events", ""), 30);
    json_decref(tables[0]);
    json_decref(tables[1]);
}

/* ---- what is kept ------------------------------------------------------------------------- */

static void same_numbers(const dae_event_reference *a, const dae_event_reference *b)
{
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->width, b->width);
    assert_true(a->digits == b->digits && a->ended == b->ended && a->source == b->source);
    for (int k = 0; k < a->events; k++) {
        assert_string_equal(a->event[k].name, b->event[k].name);
        assert_true(a->event[k].from == b->event[k].from && a->event[k].to == b->event[k].to
                    && a->event[k].direction == b->event[k].direction);
        for (int i = 0; i < a->width; i++)
            assert_true(a->event[k].after[i] == b->event[k].after[i]);
    }
}

TEST(test_records)
{
    const run_setting setting = setting_of("friction_block", 4);
    study s = study_of(&setting);
    dae_event_reference again;
    char *text = event_reference_text(&s.events);
    assert_int_equal(event_reference_read(text, s.events.count, &again), 1);
    same_numbers(&s.events, &again);
    char *second = event_reference_text(&again);
    assert_string_equal(text, second);
    dae_event_reference_free(&again);
    text[strlen(text) / 2] = '?';
    assert_int_equal(event_reference_read(text, s.events.count, &again), 0);
    free(text);
    free(second);
    run_result r = study_run(&s, dae_find_formulation("index1"), dae_find_method("radau"), 0.1, NULL), read;
    assert_true(r.events.count > 1);
    json_t *tree = run_write(&r, NULL, 0);
    assert_int_equal(run_read(tree, &read, NULL, 0), 1);
    assert_int_equal(read.events.count, r.events.count);
    for (int k = 0; k < r.events.count; k++) {
        assert_true(read.events.at[k].t == r.events.at[k].t && read.events.at[k].t_error == r.events.at[k].t_error);
        assert_string_equal(read.events.at[k].name, r.events.at[k].name);
    }
    json_decref(tree);
    run_free(&read);
    run_free(&r);
    study_end(&s);
}

TEST(test_cache)
{
    run_setting setting = setting_of("string_pendulum", 2);
    setting.no_cache = 0;
    study first = study_of(&setting), second = study_of(&setting);
    assert_int_equal(first.from_cache, 0);
    assert_int_equal(second.from_cache, 1);
    same_numbers(&first.events, &second.events);
    study_end(&second);
    char command[400];
    snprintf(command, sizeof command, "cd '%s' && sed -i 's/^digits 2/digits 3/' kept.db", cli_folder);
    assert_int_equal(system(command), 0);
    study third = study_of(&setting);                   /* that entry is not believed */
    assert_int_equal(third.from_cache, 0);
    same_numbers(&first.events, &third.events);
    study_end(&first);
    study_end(&third);
}

int main(void) { return run_all(cli_begin_empty_cache, cli_end); }
