/* pictures.c - the results of a plan as pictures: one of each part, drawn by daelab.show */
#include "deliver/deliver.h"

#include "tidy/tidy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* The path of a picture of a part, to be freed: PATH, of several parts PATH-NAME.svg; of a folder NAME.svg in it. NULL
 * where memory is short. */
static char *part_path(const char *path, const char *part, int several)
{
    const char *dot = strrchr(path, '.');
    const size_t length = strlen(path), stem = dot ? (size_t)(dot - path) : length;
    char *all = NULL;
    int wrote = 0;
    if (output_is_folder(path))
        wrote = asprintf(&all, "%s%s%s.svg", path, path[length - 1] == '/' ? "" : "/", part);
    else if (several)
        wrote = asprintf(&all, "%.*s-%s%s", (int)stem, path, part, path + stem);
    else
        all = strdup(path);
    return wrote < 0 ? NULL : all;
}

/* ---- what is asked for ---- */

static json_t *look_json(const plot_look *look)
{
    json_t *json = json_pack("{s:f, s:f, s:s, s:b, s:b}", "width", look->width, "height", look->height, "face",
                             look->face, "transparent", look->transparent, "data", look->data);
    if (json && look->font > 0)
        json_object_set_new(json, "font", json_real(look->font));
    if (json && look->title)
        json_object_set_new(json, "title", json_string(look->title));
    return json;
}

/* {"part", "path", "of"}: of, the option's path, is for this program. */
static int add_plots(const delivery *r, const char *path, json_t *plots)
{
    int whole = 1;
    for (int i = 0; whole && i < r->plan->parts; i++) {
        char *own = part_path(path, r->plan->part[i].name, r->plan->parts > 1);
        whole = own && !json_array_append_new(plots, json_pack("{s:s, s:s, s:s}", "part", r->plan->part[i].name, "path",
                                                               own, "of", path));
        free(own);
    }
    return whole;
}

static json_t *plots_json(const delivery *r)
{
    const cli_options *o = r->options;
    json_t *plots = json_array();
    int whole = plots != NULL;
    for (int i = 0; whole && i < o->plots; i++)
        whole = add_plots(r, o->plot_at[i], plots);
    for (int i = 0; whole && i < o->outputs; i++)
        if (output_is_folder(o->output_at[i]))
            whole = add_plots(r, o->output_at[i], plots);
    if (whole)
        return plots;
    json_decref(plots);
    return NULL;
}

static json_t *request_json(const delivery *r, json_t *plots)
{
    json_t *request = tidy_drawn(r->plan), *result = json_object();
    int whole = request && result && dataset_json(r->data, result);
    whole = whole && !json_object_set(request, "study", result) && !json_object_set(request, "plots", plots)
            && !json_object_set_new(request, "look", look_json(&r->options->look));
    json_decref(result);
    if (whole)
        return request;
    json_decref(request);
    return NULL;
}

/* ---- what was drawn ---- */

/* The files of a picture among the plots of the result, those in a folder among that folder's, by their names. */
static int list_files(delivery *r, const json_t *plot, const json_t *files)
{
    const char *of = json_string_value(json_object_get(plot, "of"));
    const char *part = json_string_value(json_object_get(plot, "part"));
    const int folder = output_is_folder(of);
    json_t *list = json_object_get(r->drawn, of);
    if (folder && !list && json_object_set_new(r->drawn, of, json_array()))
        return 0;
    list = json_object_get(r->drawn, of);
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *path = json_string_value(json_array_get(files, i)), *slash = strrchr(path, '/');
        if (!folder)
            dataset_plot(r->data, part, path);
        else if (json_array_append_new(list, json_pack("{s:s, s:s}", "part", part, "file", slash ? slash + 1 : path)))
            return 0;
    }
    return 1;
}

/* A folder does without the picture of a part of which there is nothing to draw. */
static int take_answer(delivery *r, const json_t *plot, const json_t *answer)
{
    const char *error = json_string_value(json_object_get(answer, "error"));
    const char *said = json_string_value(json_object_get(answer, "said"));
    const int folder = output_is_folder(json_string_value(json_object_get(plot, "of")));
    if (error && folder && json_is_true(json_object_get(answer, "empty")))
        return EXIT_DONE;
    if (error)
        return cli_error(EXIT_SYSTEM, "%s", error);
    if (!list_files(r, plot, json_object_get(answer, "files")))
        return cli_error(EXIT_SYSTEM, "out of memory for the result");
    if (said && *said && !r->options->quiet)
        fprintf(stderr, "daelab: %s\n", said);
    return EXIT_DONE;
}

/* Without --plot a folder does without pictures where nothing can draw them, and says so. */
static int complain(const delivery *r, const dae_report *why)
{
    if (r->options->plots || why->status == DAE_NO_MEMORY)
        return cli_error(EXIT_SYSTEM, "%s", why->message);
    if (!r->options->quiet)
        fprintf(stderr, "daelab: no pictures: %s\n", why->message);
    return EXIT_DONE;
}

static int draw(delivery *r, json_t *plots)
{
    dae_report why = {0};
    json_t *request = request_json(r, plots), *answer = NULL;
    int status = show_run("plots", request, &answer, &why) ? complain(r, &why) : EXIT_DONE;
    const json_t *answers = json_object_get(answer, "plots");
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const int one = take_answer(r, json_array_get(plots, i), json_array_get(answers, i));
        status = one > status ? one : status;
    }
    json_decref(answer);
    json_decref(request);
    return status;
}

int pictures_draw(delivery *r)
{
    json_t *plots = plots_json(r);
    r->drawn = json_object();
    int status = EXIT_DONE;
    if (!plots || !r->drawn)
        status = cli_error(EXIT_SYSTEM, "out of memory for the plot");
    else if (json_array_size(plots))
        status = draw(r, plots);
    json_decref(plots);
    return status;
}
