#include "spec/study_file.h"

#include "catalogue/load.h"
#include "host/allocate.h"
#include "host/atomic_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* Does it need no quotes, also within [ ]? */
static int is_simple(const char *text)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    static const char simple[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return 0;
    return *text && *text != '-' && *text != '.' && !text[strspn(text, simple)];
}

static int is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

static void put_text(FILE *out, const char *text)
{
    if (is_simple(text) || is_number(text) || strncmp(text, "./", 2) == 0) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\x%02x", (unsigned)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

typedef struct {
    FILE *out;
    char *folder;               /* of the file that is written, whole; files in it have short names */
} writer;

/* The name of a file as from the folder. */
static void put_file(const writer *w, const char *text)
{
    char *whole = realpath(text, NULL);
    const size_t length = w->folder ? strlen(w->folder) : 0;
    if (whole && length && strncmp(whole, w->folder, length) == 0 && whole[length] == '/') {
        char *near = allocate_print(".%s", whole + length);
        put_text(w->out, near);
        free(near);
    } else {
        put_text(w->out, whole ? whole : text);
    }
    free(whole);
}

static void put_name(const writer *w, const char *text)
{
    if (load_is_path(text))
        put_file(w, text);
    else
        put_text(w->out, text);
}

/* A text that is cut at these characters: "a,b": [a, b]; "a": a */
static void put_list(const writer *w, const char *text, const char *at)
{
    const int several = strpbrk(text, at) != NULL;
    char *copy = allocate_text(text), *rest = copy, *one;
    fputs(several ? "[" : "", w->out);
    for (int i = 0; (one = strsep(&rest, at)); i++) {
        fputs(i ? ", " : "", w->out);
        put_name(w, one);
    }
    fputs(several ? "]" : "", w->out);
    free(copy);
}

/* ---- options ---- */

/* The next place from i on where the option is given; -1: there is none. */
static int next_given(const option_list *list, option_id id, int i)
{
    while (i < list->count && list->option[i].row->id != id)
        i++;
    return i < list->count ? i : -1;
}

/* All that was given of an option in one text, to be freed. */
static char *joined(const option_list *list, option_id id, const char *between)
{
    char *text = NULL;
    for (int i = next_given(list, id, 0); i >= 0; i = next_given(list, id, i + 1)) {
        char *longer = allocate_print("%s%s%s", text ? text : "", text ? between : "", list->option[i].text);
        free(text);
        text = longer;
    }
    return text;
}

/* "L=1,2" and "m=3": {L: [1, 2], m: 3} */
static void put_assignments(const writer *w, const option_list *list, option_id id)
{
    const char *before = "{";
    for (int i = next_given(list, id, 0); i >= 0; i = next_given(list, id, i + 1)) {
        char *name = allocate_text(list->option[i].text), *values = name;
        strsep(&values, "=");
        if (values) {
            fputs(before, w->out);
            put_text(w->out, name);
            fputs(": ", w->out);
            put_list(w, values, ",");
            before = ", ";
        }
        free(name);
    }
    fputs("}", w->out);
}

static void put_data(const writer *w, const option_list *list)
{
    const char *before = "[";
    for (int i = next_given(list, O_DATA, 0); i >= 0; i = next_given(list, O_DATA, i + 1)) {
        fputs(before, w->out);
        put_file(w, list->option[i].text);
        before = ", ";
    }
    fputs("]", w->out);
}

/* Several sets of projections, and conditions that end a run, are a list of texts, tolerances one text. */
static void put_option(const writer *w, const option_list *list, const option_row *row)
{
    const char *between = row->id == O_STOP || row->id == O_PROJECT || row->id == O_SET ? "\n" : ",";
    fprintf(w->out, "    %s: ", row->name);
    if (!row->argument) {
        fputs("true", w->out);
    } else if (row->id == O_PARAM || row->id == O_VARY) {
        put_assignments(w, list, row->id);
    } else if (row->id == O_DATA) {
        put_data(w, list);
    } else {
        char *text = joined(list, row->id, between);
        put_list(w, text, row->id == O_ATOL ? "\n" : between);
        free(text);
    }
    fputc('\n', w->out);
}

static void put_part(const writer *w, const study_file_part *part)
{
    const option_list *list = &part->list;
    fprintf(w->out, "  - name: %s\n    kind: %s\n    problem: ", part->name, list->command->name);
    put_list(w, list->subject, ",");
    fputc('\n', w->out);
    for (int i = 0; i < list->count; i++)
        if (!option_of_program(list->option[i].row) && next_given(list, list->option[i].row->id, 0) == i)
            put_option(w, list, list->option[i].row);
}

static int has_plugin(const option_list *list, const char *path)
{
    for (int i = next_given(list, O_PLUGIN, 0); i >= 0; i = next_given(list, O_PLUGIN, i + 1))
        if (strcmp(list->option[i].text, path) == 0)
            return 1;
    return 0;
}

/* Files that all parts need, once. */
static void put_plugins(const writer *w, const study_file_part *part, int parts)
{
    int some = 0;
    for (int k = 0; k < parts; k++)
        for (int i = next_given(&part[k].list, O_PLUGIN, 0); i >= 0; i = next_given(&part[k].list, O_PLUGIN, i + 1)) {
            const char *path = part[k].list.option[i].text;
            if (k > 0 && has_plugin(&part[0].list, path))
                continue;
            fputs(some++ ? ", " : "plugin: [", w->out);
            put_name(w, path);
        }
    fputs(some ? "]\n" : "", w->out);
}

static void put_study(const writer *w, const study_file *s)
{
    fputs("study: ", w->out);
    put_text(w->out, s->title);
    fputs(*s->question ? "\nquestion: " : "", w->out);
    if (*s->question)
        put_text(w->out, s->question);
    fputc('\n', w->out);
    put_plugins(w, s->part, s->parts);
    fputs("parts:\n", w->out);
    for (int k = 0; k < s->parts; k++)
        put_part(w, &s->part[k]);
}

int study_file_save(const study_file *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = allocate_print("%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    atomic_file file;
    dae_report why = {0};
    int good = !atomic_open(&file, path, &why);
    if (good) {
        const writer w = {.out = file.stream, .folder = realpath(folder, NULL)};
        put_study(&w, s);
        free(w.folder);
        good = !atomic_commit(&file, &why);
    }
    free(folder);
    return good || !cli_fail(why.status, &why);
}
