/* new.c - daelab new NAME: a file to begin with, which runs */
#include "catalogue/catalogue.h"
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Texts of templates/, in which NAME stands for the name. */
typedef struct { option_id id; const char *ending, *text; } template;
static const template templates[] = {
#include "templates.def"
};
enum { TEMPLATES = sizeof templates / sizeof *templates, LONGEST = 48 };

/* The name becomes one in C, dae_NAME, and that of a file. */
static int check_name(const char *name)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    if (length == 0 || name[length] || !isalpha((unsigned char)*name) || length > LONGEST)
        return cli_error(EXIT_USAGE, "new %s: a letter, and letters, digits and _ behind it, %d at most; the file "
                         "is then NAME.c or NAME.yaml, here", name, (int)LONGEST);
    if (catalogue_find_problem(name) || catalogue_find_method(name) || dae_find_formulation(name))
        return cli_error(EXIT_USAGE, "new %s: %s of daelab has this name; choose another", name,
                         catalogue_find_problem(name)  ? "a problem"
                         : catalogue_find_method(name) ? "a method" : "a formulation");
    return 0;
}

/* The one that was asked for, by at most one option: the first row is for none. */
static const template *choose(const cli_options *o)
{
    const template *chosen = NULL;
    for (int i = 1; i < TEMPLATES; i++)
        if (o->given[templates[i].id]) {
            if (chosen) {
                cli_error(EXIT_USAGE, "new: --first-order, --switching, --method and --words exclude each other");
                return NULL;
            }
            chosen = &templates[i];
        }
    return chosen ? chosen : &templates[0];
}

static void fill_in(const char *text, const char *name, FILE *out)
{
    for (const char *next; (next = strstr(text, "NAME")); text = next + strlen("NAME")) {
        fwrite(text, 1, (size_t)(next - text), out);
        fputs(name, out);
    }
    fputs(text, out);
}

/* A file that exists is left alone. */
static int write_file(const char *path, const char *text, const char *name)
{
    FILE *out = fopen(path, "wx");
    if (!out)
        return errno == EEXIST ? cli_error(EXIT_SYSTEM, "%s exists; it is left as it is", path)
                               : cli_error(EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    fill_in(text, name, out);
    const int bad = ferror(out);
    if (fclose(out) == 0 && !bad)
        return EXIT_DONE;
    unlink(path);
    return cli_error(EXIT_SYSTEM, "%s: it cannot be written", path);
}

int command_new(const cli_options *o)
{
    char path[LONGEST + 8];
    if (!o->subject)
        return cli_error(EXIT_USAGE, "new what? daelab new NAME writes NAME.c");
    const int wrong = check_name(o->subject);
    const template *chosen = wrong ? NULL : choose(o);
    if (!chosen)
        return EXIT_USAGE;
    snprintf(path, sizeof path, "%s.%s", o->subject, chosen->ending);
    const int status = write_file(path, chosen->text, o->subject);
    if (status == EXIT_DONE)
        printf("%s: its first lines say how to run it\n", path);
    return status;
}
