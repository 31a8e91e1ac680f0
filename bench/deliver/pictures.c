/* pictures.c - the results of a plan as pictures: one of each part, drawn by daelab.show */
#include "deliver/deliver.h"

#include "host/allocate.h"
#include "output/json_file.h"
#include "tidy/tidy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asked for ---- */

/* The path of a picture of a part, to be freed: PATH, of several parts PATH-NAME.svg; of a folder NAME.svg in it. */
static char *part_path(const output_target *to, const char *part, int several)
{
    const char *dot = strrchr(to->path, '.');
    const size_t length = strlen(to->path), stem = dot ? (size_t)(dot - to->path) : length;
    return to->kind == TO_FOLDER ? folder_path(to->path, part, ".svg")
           : several             ? allocate_print("%.*s-%s%s", (int)stem, to->path, part, to->path + stem)
                                 : allocate_text(to->path);
}

static json_t *look_json(const plot_look *look)
{
    json_t *json = json_pack("{s:f, s:f, s:s, s:b, s:b}", "width", look->width, "height", look->height, "face",
                             look->face, "transparent", look->transparent, "data", look->data);
    if (look->font > 0)
        json_object_set_new(json, "font", json_real(look->font));
    if (look->title)
        json_object_set_new(json, "title", json_string(look->title));
    return json;
}

/* [{"part", "path", "of"}] of a kind of target; of, the target's place in the list, is for this program. */
static void add_plots(const delivery *r, target_kind kind, json_t *plots)
{
    for (int k = 0; k < r->to.count; k++)
        for (int i = 0; r->to.at[k].kind == kind && i < r->plan->parts; i++) {
            const char *part = r->plan->part[i].name;
            char *path = part_path(&r->to.at[k], part, r->plan->parts > 1);
            json_array_append_new(plots, json_pack("{s:s, s:s, s:i}", "part", part, "path", path, "of", k));
            free(path);
        }
}

/* ---- what was drawn ---- */

static const output_target *target_of(const delivery *r, const json_t *plot)
{
    return &r->to.at[json_integer_value(json_object_get(plot, "of"))];
}

/* The files of a picture among the plots of the result, those in a folder among that folder's, by their names. */
static void list_files(delivery *r, const json_t *plot, const json_t *files)
{
    const output_target *to = target_of(r, plot);
    const char *part = json_word(plot, "part");
    if (to->kind == TO_FOLDER && !json_object_get(r->drawn, to->path))
        json_object_set_new(r->drawn, to->path, json_array());
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *path = json_string_value(json_array_get(files, i)), *slash = strrchr(path, '/');
        if (to->kind == TO_FOLDER)
            json_array_append_new(json_object_get(r->drawn, to->path),
                                  json_pack("{s:s, s:s}", "part", part, "file", slash ? slash + 1 : path));
        else
            dataset_plot(r->data, part, path);
    }
}

/* A folder does without the picture of a part of which there is nothing to draw. */
static int take_answer(delivery *r, const json_t *plot, const json_t *answer)
{
    const char *error = json_word(answer, "error"), *said = json_word(answer, "said");
    if (*error && target_of(r, plot)->kind == TO_FOLDER && json_is_true(json_object_get(answer, "empty")))
        return EXIT_DONE;
    if (*error)
        return cli_error(EXIT_SYSTEM, "%s", error);
    list_files(r, plot, json_object_get(answer, "files"));
    if (*said && !r->options->quiet)
        fprintf(stderr, "daelab: %s\n", said);
    return EXIT_DONE;
}

/* Without --plot a folder does without pictures where nothing can draw them, and says so. */
static int complain(const delivery *r, const dae_report *why)
{
    if (r->options->plots)
        return cli_error(EXIT_SYSTEM, "%s", why->message);
    if (!r->options->quiet)
        fprintf(stderr, "daelab: no pictures: %s\n", why->message);
    return EXIT_DONE;
}

int pictures_draw(delivery *r)
{
    dae_report why = {0};
    json_t *plots = json_array(), *request = NULL, *answer = NULL;
    int status = EXIT_DONE;
    add_plots(r, TO_PLOT, plots);
    add_plots(r, TO_FOLDER, plots);
    if (json_array_size(plots))
        request = tidy_drawn(r->plan);
    if (request) {
        json_object_set(request, "study", r->doc->json);
        json_object_set(request, "plots", plots);
        json_object_set_new(request, "look", look_json(&r->options->look));
        status = show_run((const char *const[]){"plots", NULL}, request, &answer, &why) ? complain(r, &why) : EXIT_DONE;
    }
    const json_t *answers = json_object_get(answer, "plots");
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const int one = take_answer(r, json_array_get(plots, i), json_array_get(answers, i));
        status = one > status ? one : status;
    }
    json_decref(answer);
    json_decref(request);
    json_decref(plots);
    return status;
}
