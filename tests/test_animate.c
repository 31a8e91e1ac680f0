/* test_animate.c - daelab animate: GIF, PNG, mp4, and what may go wrong */
#include "support.h"

#include "cli.h"

static unsigned char *content(const char *name, size_t *size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

/* Images of a GIF (GIF89a specification, sections 17 to 27), or -1; the last delay, in s/100. */
static int gif_images(const unsigned char *b, size_t size, int *delay)
{
    size_t at = 13;
    int images = 0;
    if (size < 14 || memcmp(b, "GIF89a", 6))
        return -1;
    if (b[10] & 0x80)
        at += (size_t)3 << ((b[10] & 7) + 1);
    while (at < size && b[at] != 0x3b) {
        if (b[at] == 0x21) {                            /* an extension */
            if (b[at + 1] == 0xf9)
                *delay = b[at + 4] + 256 * b[at + 5];
            at += 2;
        } else if (b[at] == 0x2c) {                     /* an image */
            images++;
            at += 10 + (b[at + 9] & 0x80 ? (size_t)3 << ((b[at + 9] & 7) + 1) : 0) + 1;
        } else {
            return -1;
        }
        while (at < size && b[at])
            at += b[at] + 1u;
        at++;
    }
    return at + 1 == size ? images : -1;
}

static int has_ffmpeg(void) { return system("ffmpeg -version >/dev/null 2>&1") == 0; }

static void assert_gif(const char *name, int images, int delay)
{
    size_t size;
    int found = 0;
    assert_true(cli_exists(name));
    unsigned char *bytes = content(name, &size);
    assert_int_equal(gif_images(bytes, size, &found), images);
    assert_int_equal(found, delay);
    free(bytes);
}

TEST(test_gif)
{
    if (!cli_can_draw())
        skip();
    assert_int_equal(cli_run("", "animate pendulum --frames 60 --output a.gif"), 0);
    assert_gif("a.gif", 60, 3);                         /* 59 frames in 2 s: 3.4 hundredths each */
    assert_non_null(strstr(cli_said.out, "a.gif: 60 frames"));
    assert_int_equal(cli_run("", "animate string_pendulum --output b.gif --quiet"), 0);
    assert_gif("b.gif", 101, 2);
    assert_string_equal(cli_said.out, "");
    assert_int_equal(cli_run("", "animate pendulum --stop x=0 --output d.gif --frames 7"), 0);
    assert_gif("d.gif", 7, 10);
    assert_non_null(strstr(cli_said.out, "t = 0 to 1.15"));     /* a quarter swing */
    assert_int_equal(cli_run("", "animate pendulum --frames 2 --fps 10 --output c.gif"), 0);
    assert_gif("c.gif", 2, 10);
}

TEST(test_png)
{
    size_t size;
    if (!cli_can_draw())
        skip();
    assert_int_equal(cli_run("", "animate double_pendulum --output a.png"), 0);
    unsigned char *b = content("a.png", &size);
    assert_memory_equal(b, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    const int width = 256 * b[18] + b[19], height = 256 * b[22] + b[23];
    assert_in_range(width, 600, 1200);                   /* the motion is about 4 m by 2 m */
    assert_in_range(height, width / 2, width * 3 / 4);
    assert_memory_equal(b + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(b);
}

TEST(test_mp4)
{
    size_t size;
    if (!cli_can_draw() || !has_ffmpeg()) {
        print_message("no ffmpeg here: .mp4 is not tested\n");
        skip();
    }
    assert_int_equal(cli_run("", "animate pendulum --frames 12 --output a.mp4"), 0);
    unsigned char *b = content("a.mp4", &size);
    assert_true(size > 1000);
    assert_memory_equal(b + 4, "ftyp", 4);
    free(b);
}

/* Nothing is left in the folder but what a test has made itself. */
static int films_left(void)
{
    char command[300];
    snprintf(command, sizeof command, "ls '%s' | grep -q 'film'", cli_folder);
    return system(command) == 0;
}

static void refused(const char *environment, const char *arguments, int status, const char *words)
{
    if (cli_run(environment, arguments) != status || !strstr(cli_said.err, words))
        fail_msg("%s: status %d, not %d: %s", arguments, cli_said.status, status, cli_said.err);
    if (films_left())
        fail_msg("%s leaves a file", arguments);
}

TEST(test_refusals)
{
    refused("", "animate robertson --output film.gif", 2, "these do: pendulum, ");
    refused("", "animate pendulum", 2, "--output FILE.gif");
    refused("", "animate pendulum --output film.avi", 2, "ends in .gif or .mp4");
    refused("", "animate pendulum --output film", 2, "ends in .gif or .mp4");
    refused("", "animate pendulum --frames 0 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --frames 1 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --frames 10001 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --fps 51 --output film.gif", 2, "at most 50");
    refused("", "animate pendulum --fps 0 --output film.gif", 2, "above 0");
    refused("", "animate pendulum --t-end -1 --output film.gif", 2, "after the start");
    refused("", "animate pendulum --stop z=1 --output film.gif", 2, "no unknown 'z'");
    refused("", "animate pendulum --output nowhere/film.gif", 3, "No such file");
    refused("", "animate pendulum --form index1,index2 --output film.gif", 2, "one formulation");
}

TEST(test_programs)
{
    char command[600];
    refused("PATH=/nowhere DAELAB_PYTHON=nopython", "animate pendulum --frames 3 --output film.gif", 3,
            "nopython is not installed; it shows results");
    if (cli_can_draw())
        refused("PATH=/nowhere DAELAB_PYTHON=/usr/bin/python3", "animate pendulum --frames 3 --output film.mp4", 3,
                "ffmpeg is not installed");
    /* an ffmpeg that begins and breaks off */
    snprintf(command, sizeof command, "mkdir '%s/bin' && cd '%s/bin' && printf '#!/bin/sh\\n"
             "test \"$1\" = -version || { for f; do :; done; echo half >\"$f\";"
             " echo no room >&2; exit 1; }\\n' >ffmpeg && chmod +x ffmpeg", cli_folder, cli_folder);
    assert_int_equal(system(command), 0);
    if (!cli_can_draw())
        skip();
    refused("PATH=\"$PWD/bin:$PATH\"", "animate pendulum --frames 3 --output film.mp4", 3,
            "ffmpeg failed: no room");
}

int main(void) { return run_all(cli_begin, cli_end); }
