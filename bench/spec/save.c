#include "spec/save.h"

#include "catalogue/load.h"
#include "host/atomic_file.h"

#include <errno.h>
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
    int failed;                 /* no memory */
} writer;

/* A name, or that of a file as from the folder. */
static void put_name(writer *w, const char *text)
{
    char *whole = load_is_path(text) ? realpath(text, NULL) : NULL;
    const size_t length = strlen(w->folder);
    if (!whole) {
        w->failed |= load_is_path(text) && errno == ENOMEM;
        put_text(w->out, text);
    } else if (strncmp(whole, w->folder, length) == 0 && whole[length] == '/') {
        char *near = NULL;
        w->failed |= asprintf(&near, ".%s", whole + length) < 0;
        if (!w->failed)
            put_text(w->out, near);
        free(near);
    } else {
        put_text(w->out, whole);
    }
    free(whole);
}

/* "a,b": [a, b]; "a": a */
static void put_list(writer *w, const char *text)
{
    const int several = strchr(text, ',') != NULL;
    char *copy = strdup(text), *rest = copy, *one;
    w->failed |= !copy;
    fputs(several ? "[" : "", w->out);
    for (int i = 0; copy && (one = strsep(&rest, ",")); i++) {
        fputs(i ? ", " : "", w->out);
        put_name(w, one);
    }
    fputs(several ? "]" : "", w->out);
    free(copy);
}

/* ---- options ---- */

static int is_first(const option_list *list, int i)
{
    for (int k = 0; k < i; k++)
        if (list->option[k].row->id == list->option[i].row->id)
            return 0;
    return 1;
}

/* All that was given of an option, as a list where it is more than one. */
static void put_all(writer *w, const option_list *list, int first, void (*put)(writer *, const char *))
{
    int count = 0;
    for (int i = first; i < list->count; i++)
        count += list->option[i].row->id == list->option[first].row->id;
    fputs(count > 1 ? "[" : "", w->out);
    for (int i = first, some = 0; i < list->count; i++)
        if (list->option[i].row->id == list->option[first].row->id) {
            fputs(some++ ? ", " : "", w->out);
            put(w, list->option[i].text);
        }
    fputs(count > 1 ? "]" : "", w->out);
}

static void put_whole(writer *w, const char *text) { put_text(w->out, text); }

/* "--form index1 --form ggl": index1,ggl */
static void put_joined(writer *w, const option_list *list, int first, void (*put)(writer *, const char *))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int i = first; out && i < list->count; i++)
        if (list->option[i].row->id == list->option[first].row->id)
            fprintf(out, "%s%s", i > first ? "," : "", list->option[i].text);
    if (!out || fclose(out) || !text)
        w->failed = 1;
    else
        put(w, text);
    free(text);
}

/* "L=1,2" and "m=3": {L: [1, 2], m: 3} */
static void put_assignments(writer *w, const option_list *list, int first)
{
    fputc('{', w->out);
    for (int i = first, some = 0; i < list->count; i++) {
        const given_option *given = &list->option[i];
        const char *equals = given->row->id == list->option[first].row->id ? strchr(given->text, '=') : NULL;
        char *name = equals ? strndup(given->text, (size_t)(equals - given->text)) : NULL;
        if (!equals)
            continue;
        fputs(some++ ? ", " : "", w->out);
        w->failed |= !name;
        put_text(w->out, name ? name : "");
        fputs(": ", w->out);
        put_list(w, equals + 1);
        free(name);
    }
    fputc('}', w->out);
}

static void put_option(writer *w, const option_list *list, int i)
{
    const given_option *given = &list->option[i];
    fprintf(w->out, "    %s: ", given->row->name);
    switch (given->row->id) {
    case O_PARAM: case O_VARY: put_assignments(w, list, i); break;
    case O_STOP: case O_PROJECT: put_all(w, list, i, put_whole); break;
    case O_ATOL: put_joined(w, list, i, put_whole); break;
    default:
        if (given->row->argument)
            put_joined(w, list, i, put_list);
        else
            fputs("true", w->out);
    }
    fputc('\n', w->out);
}

static void put_part(writer *w, const study_file_part *part)
{
    const option_list *list = &part->list;
    fprintf(w->out, "  - name: %s\n    kind: %s\n    problem: ", part->name, list->command->name);
    put_list(w, list->subject);
    fputc('\n', w->out);
    for (int i = 0; i < list->count; i++)
        if (!option_is_front(list->option[i].row) && is_first(list, i))
            put_option(w, list, i);
}

/* Files that all parts need, once. */
static void put_plugins(writer *w, const study_file_part *part, int parts)
{
    int some = 0;
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < part[k].list.count; i++) {
            const given_option *given = &part[k].list.option[i];
            int known = given->row->id != O_PLUGIN;
            for (int j = 0; !known && k > 0 && j < part[0].list.count; j++)
                known = part[0].list.option[j].row->id == O_PLUGIN && !strcmp(part[0].list.option[j].text, given->text);
            if (known)
                continue;
            fputs(some++ ? ", " : "plugin: [", w->out);
            put_name(w, given->text);
        }
    fputs(some ? "]\n" : "", w->out);
}

static void put_study(writer *w, const char *title, const char *question, const study_file_part *part, int parts)
{
    fputs("study: ", w->out);
    put_text(w->out, title);
    fputc('\n', w->out);
    if (*question) {
        fputs("question: ", w->out);
        put_text(w->out, question);
        fputc('\n', w->out);
    }
    put_plugins(w, part, parts);
    fputs("parts:\n", w->out);
    for (int k = 0; k < parts; k++)
        put_part(w, &part[k]);
}

/* ---- the file ---- */

/* To be freed; NULL: no memory, or no such folder. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash > path ? slash - path : 1)) : strdup(".");
    char *whole = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return whole;
}

int study_file_save(const char *title, const char *question, const study_file_part *part, int parts,
                    const char *path)
{
    atomic_file file;
    dae_report why = {0};
    if (atomic_open(&file, path, &why))
        return !cli_fail(why.status, &why);
    writer w = {.out = file.stream, .folder = folder_of(path)};
    w.failed = !w.folder;
    if (!w.failed)
        put_study(&w, title, question, part, parts);
    free(w.folder);
    if (w.failed) {
        atomic_discard(&file);
        return !cli_error(EXIT_SYSTEM, "%s: out of memory", path);
    }
    return !atomic_commit(&file, &why) || !cli_fail(why.status, &why);
}
