/* test_dataset.c - tidy tables: columns by name, units, missing values; written and read again */
#include "support.h"

#include "output/json_file.h"
#include "table/table_print.h"
#include "tidy/dataset.h"

#include <unistd.h>

static char folder[] = P_tmpdir "/daelab-dataset-XXXXXX";

static table *sample(void)
{
    table *t = table_new();
    table_row(t);
    table_text(t, "problem", "a,\"b\"\n\xc3\xa9");
    table_number(t, "error", "m", 0.1);
    table_count(t, "steps", 7);
    table_row(t);
    table_number(t, "error", "m", NAN);
    table_number(t, "late", "rad", -0.0);
    table_row(t);
    table_number(t, "error", "m", 5e-324);
    table_number(t, "late", "m", 1e300);
    return t;
}

/* A column that came late is missing in the rows before it; two units are none. */
static void check_sample(const table *t)
{
    const int error = table_find(t, "error"), late = table_find(t, "late"), steps = table_find(t, "steps");
    assert_int_equal(3, table_rows(t));
    assert_int_equal(4, table_columns(t));
    assert_int_equal(-1, table_find(t, "none"));
    assert_string_equal("a,\"b\"\n\xc3\xa9", table_text_at(t, 0, table_find(t, "problem")));
    assert_null(table_text_at(t, 1, table_find(t, "problem")));
    assert_true(table_number_at(t, 0, error) == 0.1 && isnan(table_number_at(t, 1, error)));
    assert_true(table_number_at(t, 2, error) == 5e-324);
    assert_true(table_number_at(t, 0, steps) == 7 && isnan(table_number_at(t, 2, steps)));
    assert_true(isnan(table_number_at(t, 0, late)) && signbit(table_number_at(t, 1, late)));
    assert_true(isnan(table_number_at(t, 3, late)) && isnan(table_number_at(t, 0, -1)));
    assert_string_equal("m", table_unit_of(t, error));
    assert_string_equal("", table_unit_of(t, late));
}

TEST(test_table)
{
    table *t = sample();
    check_sample(t);
    table_free(t);
}

TEST(test_csv)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    table *t = sample();
    assert_non_null(out);
    table_print_csv(t, out);
    assert_int_equal(0, fclose(out));
    assert_string_equal("problem,error,steps,late\n\"a,\"\"b\"\"\n\xc3\xa9\",0.1,7,\n,,,-0\n"
                        ",5e-324,,1e+300\n", text);
    free(text);
    table_free(t);
}

TEST(test_many_rows)
{
    table *t = table_new();
    for (int i = 0; i < 5000; i++) {
        char name[16];
        table_row(t);
        table_count(t, "i", i);
        snprintf(name, sizeof name, "c%d", i / 100);
        table_number(t, name, "", i);
    }
    assert_int_equal(51, table_columns(t));
    for (int i = 0; i < 5000; i++) {
        assert_true(table_number_at(t, i, 0) == i);
        assert_true(table_number_at(t, i, 1 + i / 100) == i);
        assert_true(isnan(table_number_at(t, i, 1 + (i / 100 + 1) % 50)));
    }
    table_free(t);
}

static const char *below(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *out = fopen(below(name), "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(0, fclose(out));
}

static void write_sample(const char *name)
{
    dataset *d = dataset_new("a title", "why?");
    json_t *all = json_object();
    dataset_add(d, "empty");
    const table *t = sample();
    json_t *runs = table_json(t);
    json_array_append_new(dataset_member(d, "remarks"), json_pack("{s:s}", "text", "something"));
    dataset_plot(d, "p", "p.svg");
    dataset_json(d, all);
    assert_int_equal(0, json_object_size(json_object_get(all, "tables")));
    json_object_set_new(json_object_get(all, "tables"), "runs", runs);
    json_object_set_new(all, "another", json_integer(5));
    FILE *out = fopen(below(name), "w");
    assert_non_null(out);
    json_file_write(all, out);
    assert_int_equal(0, fclose(out));
    table_free((table *)(uintptr_t)t);
    dataset_free(d);
    json_decref(all);
}

/* By its name and by its folder. */
TEST(test_read)
{
    dae_report why = {0};
    write_sample("study.json");
    for (int k = 0; k < 2; k++) {
        dataset *d;
        assert_int_equal(DAE_OK, dataset_read(&d, k ? folder : below("study.json"), &why));
        assert_string_equal("a title", json_string_value(dataset_member(d, "title")));
        assert_string_equal("why?", json_string_value(dataset_member(d, "question")));
        assert_non_null(dataset_find(d, "runs"));
        assert_null(dataset_find(d, "empty"));
        check_sample(dataset_find(d, "runs"));
        assert_int_equal(1, json_array_size(dataset_member(d, "remarks")));
        assert_int_equal(1, json_array_size(dataset_member(d, "plots")));
        assert_int_equal(5, json_integer_value(json_object_get(d->json, "another")));
        dataset_free(d);
    }
}

/* A result of an earlier version has the names of this one; another text stays as it is. */
TEST(test_old_names)
{
    dae_report why = {0};
    dataset *d;
    write_text("old.json", "{\"schema\": 1, \"tables\": {\"orders\": {\"columns\": [\"unknown\", \"class\", "
                           "\"error_multiplier_recovered\"], \"rows\": [[\"multiplier_recovered\", "
                           "\"multiplier_recovered\", 0.5], [\"x\", \"multiplier\", null]]}}}");
    assert_int_equal(DAE_OK, dataset_read(&d, below("old.json"), &why));
    const table *t = dataset_find(d, "orders");
    assert_string_equal("multiplier_recovered", table_text_at(t, 0, table_find(t, "unknown")));
    assert_string_equal("recovered", table_text_at(t, 0, table_find(t, "class")));
    assert_string_equal("multiplier", table_text_at(t, 1, table_find(t, "class")));
    assert_true(table_number_at(t, 0, table_find(t, "error_recovered")) == 0.5);
    assert_non_null(strstr(json_string_value(json_array_get(json_object_get(json_object_get(json_object_get(
        d->json, "tables"), "orders"), "columns"), 2)), "error_recovered"));
    dataset_free(d);
}

/* Each says what is wrong with it. */
TEST(test_refused)
{
    static const struct { const char *text, *says; } files[] = {
        {"", "no JSON"},
        {"{\"schema\": 1, \"tables\": {}", "line 1"},
        {"[1]", "no result"},
        {"{\"daelab\": \"0.1\"}", "no schema and tables"},
        {"{\"schema\": 99, \"tables\": {}}", "schema 99"},
        {"{\"schema\": 1, \"tables\": {\"runs\": {\"columns\": [\"a\", \"a\"], \"rows\": []}}}", "another one"},
        {"{\"schema\": 1, \"tables\": {\"runs\": {\"columns\": [\"a\"], \"rows\": [[1], [1, 2]]}}}",
         "row 2 has 2 cells"},
        {"{\"schema\": 1, \"tables\": {\"runs\": {\"columns\": [\"a\"], \"rows\": [[[]]]}}}", "neither"},
        {"{\"schema\": 1, \"tables\": {\"runs\": 5}}", "table runs"},
        {"{\"schema\": 1, \"schema\": 1, \"tables\": {}}", "duplicate"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        dataset *d;
        dae_report why = {0};
        write_text("bad.json", files[i].text);
        assert_int_equal(DAE_BAD_ARGUMENT, dataset_read(&d, below("bad.json"), &why));
        assert_null(d);
        if (!strstr(why.message, files[i].says))
            fail_msg("%s: %s", files[i].text, why.message);
        assert_non_null(strstr(why.message, "bad.json"));
    }
    dataset *d;
    dae_report why = {0};
    assert_int_equal(DAE_FILE, dataset_read(&d, below("missing"), &why));
    assert_non_null(strstr(why.message, "missing"));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    remove(below("bad.json"));
    remove(below("study.json"));
    return rmdir(folder);
}

int main(void) { return run_all(make_folder, remove_folder); }
