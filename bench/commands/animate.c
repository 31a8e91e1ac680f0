/* animate.c - daelab animate: a run as a GIF, a film (mp4), or a photograph under a stroboscope */
#include "catalogue/catalogue.h"
#include "catalogue/events_off.h"
#include "cli/options.h"
#include "deliver/deliver.h"
#include "deliver/film.h"
#include "run/run.h"
#include "run/time_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FASTEST_GIF = 50, FEWEST = 101, MOST = 801 };

typedef enum { GIF, MP4, PNG, OTHER } ending;

static ending ending_of(const char *path)
{
    static const char *const endings[] = {".gif", ".mp4", ".png"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < OTHER; i++)
        if (strcmp(dot, endings[i]) == 0)
            return (ending)i;
    return OTHER;
}

/* ---- what is asked for ---- */

static int refuse(const dae_problem *problem)
{
    char names[1024] = "";
    for (int i = 0; catalogue_problem(i); i++)
        if (catalogue_problem(i)->draw) {
            const size_t end = strlen(names);
            snprintf(names + end, sizeof names - end, "%s%s", *names ? ", " : "",
                     catalogue_problem(i)->name);
        }
    return cli_error(EXIT_USAGE, "%s does not say how it is drawn; these do: %s", problem->name,
                     names);
}

static int check(const cli_options *o)
{
    if (!o->study.run.problem->draw)
        return refuse(o->study.run.problem);
    if (o->study.forms > 1 || o->study.methods > 1)
        return cli_error(EXIT_USAGE, "animate takes one formulation and one method");
    if (!o->output[0])
        return cli_error(EXIT_USAGE, "animate needs --output FILE.gif, FILE.mp4 or FILE.png");
    if (ending_of(o->output[0]) == OTHER)
        return cli_error(EXIT_USAGE, "--output %s: a film ends in .gif or .mp4, a picture in .png",
                         o->output[0]);
    if (ending_of(o->output[0]) == GIF && o->fps > FASTEST_GIF)
        return cli_error(EXIT_USAGE, "--fps %g: a GIF shows at most %d frames per second", o->fps,
                         FASTEST_GIF);
    if (ending_of(o->output[0]) == PNG && !isnan(o->fps))
        return cli_error(EXIT_USAGE, "--fps %s is not used: a .png does not move; leave it out",
                         o->given[O_FPS]);
    return 0;
}

/* ---- what is handed over ---- */

static json_t *film_json(const film *f, const cli_options *o, double fps)
{
    char unit[TIME_UNIT];
    time_unit(o->study.run.problem, unit);
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:O, s:O, s:O}", "path", o->output[0], "title",
                     o->study.run.problem->name, "unit", unit, "fps", fps, "trail", film_trail, "units", f->units,
                     "frames", f->frames, "samples", f->samples);
}

static dae_status show(const film *f, const cli_options *o, double fps, dae_report *report)
{
    json_t *request = film_json(f, o, fps);
    const dae_status status = show_run((const char *const[]){"film", NULL}, request, NULL, report);
    json_decref(request);
    return status;
}

/* ---- the command ---- */

/* As many frames as real time takes at 50 per second, within limits. */
static int frames_for(double seconds)
{
    return (int)fmin(fmax(round(FASTEST_GIF * seconds) + 1, FEWEST), MOST);
}

/* Real time where 10 to 50 frames per second are that; in a GIF a frame stays for whole hundredths
 * of a second. */
static double speed(const cli_options *o, const film *f)
{
    const double real = (f->count - 1) / (f->t_end - f->t0);
    const double fps = isnan(o->fps) ? fmin(fmax(real, 10), FASTEST_GIF) : o->fps;
    return ending_of(o->output[0]) == GIF ? 100 / fmin(fmax(round(100 / fps), 2), 60000) : fps;
}

/* " s", or nothing of a problem without units, whose time is not that of the one who looks on. */
static void say_time(const film *f, const cli_options *o, double fps)
{
    const double times = (f->count - 1) / fps / (f->t_end - f->t0);
    const char *path = o->output[0];
    char name[TIME_UNIT], unit[TIME_UNIT + 1];
    snprintf(unit, sizeof unit, "%s%s", *time_unit(o->study.run.problem, name) ? " " : "", name);
    if (ending_of(path) == PNG)
        printf("%s: t = %g to %g%s\n", path, f->t0, f->t_end, unit);
    else if (strcmp(name, "s") != 0)
        printf("%s: %d frames, t = %g to %g%s in %.3g s\n", path, f->count, f->t0, f->t_end, unit, f->count / fps);
    else if (fabs(times - 1) < 0.005)
        printf("%s: %d frames, t = %g to %g s in real time\n", path, f->count, f->t0, f->t_end);
    else
        printf("%s: %d frames, t = %g to %g s in %.3g s, %.3g times %s\n", path, f->count, f->t0, f->t_end,
               f->count / fps, times > 1 ? times : 1 / times, times > 1 ? "slower" : "faster");
}

static void say(const film *f, const cli_options *o, double fps)
{
    if (*f->ended)
        fprintf(stderr, "daelab: %s\n", f->ended);
    if (o->quiet)
        return;
    const dae_doubt doubt = run_doubt(&o->study.run, o->study.form[0], o->study.method[0]);
    char text[256];
    if (dae_doubt_says(&doubt, DAE_SAYS_SLOW, 0, text, sizeof text))
        fprintf(stderr, "daelab: %s\n", text);
    say_time(f, o, fps);
}

static int animate(const study *s, const cli_options *o)
{
    const run_setting *setting = &o->study.run;
    const dae_formulation *form = o->study.form[0];
    const dae_method *method = o->study.method[0];
    film f;
    dae_report why = {0};
    front_plan(&setting->front, 1, 0);
    front_run(&setting->front, dae_formulation_describe(form).name, dae_method_describe(method).name,
              run_level(setting, method));
    dae_status status = film_shoot(&f, setting, form, method, s->t_end,
                                   o->frames ? o->frames : frames_for(s->t_end - s->t0), &why);
    front_end(&setting->front);
    const double fps = status ? 0 : speed(o, &f);
    if (!status)
        status = show(&f, o, fps, &why);
    if (status)
        cli_error(0, "%s", why.message);
    else
        say(&f, o, fps);
    film_free(&f);
    return cli_exit_status(status);
}

static void warn_of_events(const run_setting *o)
{
    char words[1024];
    if (events_off_words(o->problem, words, sizeof words))
        front_warn(&o->front, "%s: %s", o->problem->name, words);
}

int command_animate(const cli_options *given)
{
    cli_options options = *given;
    study s;
    dae_report why = {0};
    dae_status status = DAE_OK;
    char words[START_WORDS];
    int wrong = check(&options);
    if (wrong)
        return wrong;
    study_adaptive_run(&options.study);
    wrong = choose_defaults(&options);
    if (!wrong)
        wrong = outputs_possible(&options);
    if (!wrong)
        warn_of_events(&options.study.run);
    if (!wrong)
        status = study_begin(&s, &options.study.run, REFERENCE_NONE, 0, &why);
    if (!wrong && status)
        wrong = cli_fail(status, &why);
    if (wrong)
        return wrong;
    if (*study_start_words(&s, 1, words))
        front_warn(&options.study.run.front, "%s: %s", options.study.run.problem->name, words);
    wrong = animate(&s, &options);
    study_end(&s);
    return wrong;
}
