/* SPDX-License-Identifier: MIT
 * weft, the command-line tool: finds the command and hands over. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "command.h"
#include "common/extension.h"
#include "common/message.h"
#include "common/nearest.h"
#include "tasks/filter.h"
#include "weft/video.h"

static const struct command commands[] = {
    {"run", run_command,
     OPTION_FILE | OPTION_GRAPH | OPTION_DEVICE | OPTION_DEVICE_MEMORY | OPTION_MEMORY | OPTION_THREADS |
         OPTION_TYPE | OPTION_QUALITY | OPTION_TO | OPTION_OUTPUT | OPTION_PIXEL_LIMIT | OPTION_DECODE_LIMIT |
         OPTION_STRIP | OPTION_SEQUENCE | OPTION_EXPLAIN | OPTION_JSON | OPTION_VIDEO | OPTION_REPEAT,
     "run IN... GRAPH OUT...", "filter images and videos",
     "IN are the graph's inputs, in order; OUT its outputs, in order. '-' is standard input or output. Numbers (a\n"
     "histogram, a mean) are printed when their OUT is '-' or left out, and go to a .csv, .json or .txt file "
     "otherwise.\n"
     "A picture of one channel may go to a .csv file: a line x,y,value for each pixel that is not 0, from the top "
     "down\n"
     "and from left to right, the value being a fraction of full scale.\n"
     "An output file appears whole or not at all, and may be one of the inputs; folders for it that are not there are\n"
     "made. Options of its format follow its name in brackets, and those of reading the name of an input;\n"
     "'weft list --formats' has them. Pictures are turned\n"
     "upright, and the color profile, EXIF, XMP, IPTC and resolution of the first input go to each output whose format\n"
     "has room for them, but for thumbnails, which show what the picture was. --strip leaves out EXIF, XMP and IPTC;\n"
     "[exif=no-gps] behind an output's name leaves out where the picture was taken. Of a file of several pictures,\n"
     "pages or frames, one is taken; how many are left out is said, and one picture does not take such a file's place.\n"
     "[page=2] takes another, [page=all] each by itself, which {page} in OUT keeps apart. An input text:WORDS is these\n"
     "words as a picture, and one of points, lines and rectangles in CSV is a picture of them, for overlay to lay on others.\n\n"
     "  weft run photo.jpg 'gaussian=4' out.png\n"
     "  weft run 'in.exr[layer=diffuse]' exposure=1 out.exr\n"
     "  weft run 'pages.tif[page=2]' unsharp_mask page.png\n"
     "  weft run 'light.png[linear]' tonemap out.png\n"
     "  weft run a.png b.png blend_multiply out.png\n"
     "  weft run photo.jpg 'text:Hello[size=64,outline=black]' overlay=south out.png\n"
     "  weft run photo.jpg 'shapes.csv[color=red]' overlay=northwest out.png\n"
     "  weft run photo.jpg unsharp_mask 'out.jpg[quality=95]'\n"
     "  weft run photo.jpg histogram\n"
     "  weft run photo.jpg 'fast_corner=threshold=0.08' corners.csv\n"
     "  weft run photo.jpg -f graph.weft out.png\n"
     "  weft run - 'sobel' - < in.pam > out.pam\n\n"
     "Many files: IN may be a folder or a pattern in quotes, and with --output any number of files; {stem} in the "
     "name\n"
     "of the output is the name of the input without folder and extension. A folder as output keeps names, but for the\n"
     "extension where --to says another format. {name}, {ext}, {dir}, {number} and {page} are there too, and {sub}, with\n"
     "--recursive, which is the folder below the one that was named. --newer leaves out what is done, --dry-run says what\n"
     "would be done. Files are done several at a time; those that fail are listed at the end, and then the exit status\n"
     "is 1. Of a graph of two inputs one may be a single file that all are combined with.\n\n"
     "  weft run 'in/*.jpg' 'resize=800' -o 'out/{stem}.png'\n"
     "  weft run 'in/*.png' logo.png blend_screen -o out/\n"
     "  weft run 'in/*.jpg' 'reduce=mean'\n"
     "  weft run 'frames/*.png' low_pass=0.5 -o 'out/{stem}.png' --sequence\n"
     "  weft run photos/ 'resize=fit=800x800' -o small/ --recursive --newer\n"
     "\n"
     "Several graphs of the same inputs, which are read once: --graph and --output are given as often.\n\n"
     "  weft run photo.jpg -g 'resize=fit=1600x1600' -o large.jpg -g 'resize=fit=200x200' -o small.jpg\n\n"
     "Videos: IN or OUT ends in .mp4, .mkv, .webm, .gif or the like, is a sequence of pictures as frames/%05d.png, or\n"
     "y4m in a pipe. Sound, subtitles, chapters, metadata and rotation go along as they are. Options of the encoder and\n"
     "the container follow the name in brackets, and codec=, pixels=, container= and rate=. A picture as OUT is the first\n"
     "frame; numbers of every frame go to .csv, .json or .txt files, a line each.\n\n"
     "  weft run in.mp4 'gaussian=2,canny' out.mp4\n"
     "  weft run in.mov 'exposure=0.5' 'out.mp4[codec=libx264,crf=16]' --from 1:10 --to 1:30\n"
     "  weft run in.mp4 'resize=640' frame.png --from 12.5\n"
     "  weft run in.mp4 'reduce=mean' means.csv\n"},
    {"convert", convert_command,
     OPTION_TYPE | OPTION_QUALITY | OPTION_TO | OPTION_OUTPUT | OPTION_PIXEL_LIMIT | OPTION_DECODE_LIMIT | OPTION_MEMORY |
         OPTION_THREADS | OPTION_STRIP | OPTION_EXPLAIN | OPTION_REPEAT,
     "convert IN... OUT", "write files in another format",
     "As weft run with a graph that keeps the picture: names of outputs, folders and options are as there.\n\n"
     "  weft convert scan.tif scan.png\n"
     "  weft convert 'in/*.tif' 'out/{stem}.webp[quality=80]'\n"
     "  weft convert photos/ small/ --to webp --recursive --newer\n"},
    {"montage", montage_command,
     OPTION_SHEET | OPTION_TYPE | OPTION_QUALITY | OPTION_TO |
         OPTION_OUTPUT | OPTION_PIXEL_LIMIT | OPTION_DECODE_LIMIT | OPTION_MEMORY | OPTION_DEVICE |
         OPTION_DEVICE_MEMORY | OPTION_THREADS | OPTION_EXPLAIN,
     "montage IN... OUT", "lay many pictures in a grid: contact sheets, side by side",
     "Pictures are shrunk into the cells of a grid, never enlarged, from left to right and from the top down. Without\n"
     "--grid it is about as wide as it is high. Files that cannot be read are left out and named, and then the exit status\n"
     "is 1.\n\n"
     "  weft montage 'in/*.jpg' sheet.jpg --grid 4x3 --labels\n"
     "  weft montage before.png after.png both.png --grid 2x1 --cell 800x800\n"
     "  weft montage photos/ sheet.png --cell 200x200\n"},
    {"list", list_command, OPTION_JSON | OPTION_FORMATS | OPTION_ALL, "list [WORD]", "the filters, by family",
     "With a WORD only the filters that have it in their name, an alias, their family or their summary. Filters that\n"
     "others are made of, building blocks, are left out without --all; --json has them, with \"step_of\".\n\n"
     "  weft list blur\n"
     "  weft list --all bilateral\n"
     "  weft list --formats\n"},
    {"help", help_command, OPTION_JSON, "help FILTER | COMMAND | TOPIC", "everything about a filter, a command or a topic",
     "  weft help gaussian\n"
     "  weft help run\n"
     "  weft help graph\n"
     "  weft help formats\n"
     "  weft help cookbook\n"},
    {"plan", plan_command,
     OPTION_FILE | OPTION_GRAPH | OPTION_SIZE | OPTION_FORMAT | OPTION_ALPHA | OPTION_TYPE | OPTION_DEVICE |
         OPTION_DEVICE_MEMORY | OPTION_MEMORY | OPTION_THREADS | OPTION_EXPLAIN | OPTION_JSON | OPTION_DOT,
     "plan GRAPH", "the passes over memory that a graph takes",
     "Every input is taken to be an image of the given size and format.\n\n"
     "  weft plan --size 3840x2160 --format u8x4 'gaussian=4,sobel'\n"
     "  weft plan --dot -f graph.weft | dot -Tsvg > graph.svg\n"},
    {"bench", bench_command,
     OPTION_FILE | OPTION_GRAPH | OPTION_ALL | OPTION_SIZE | OPTION_FORMAT | OPTION_ALPHA | OPTION_TYPE |
         OPTION_DEVICE | OPTION_DEVICE_MEMORY | OPTION_THREADS | OPTION_SECONDS | OPTION_JSON,
     "bench GRAPH", "time a graph against a copy of the same bytes",
     "Images stay in the device's memory; more of them than caches hold are taken in turn. The copy moves as many\n"
     "bytes as the graph reads and writes, on the same device between the runs of the graph, on the CPU with as\n"
     "many threads; a ratio of 1 is as fast as a copy. On a GPU runs are started one after the other and waited for\n"
     "together; what one takes that is waited for by itself is told besides.\n\n"
     "  weft bench 'gaussian=4' --size 3840x2160 --format f32x1 --threads 1\n"
     "  weft bench 'gaussian=4' --size 7680x4320 --format f32x1 --device cuda\n"
     "  weft bench --all --json\n"},
    {"devices", devices_command, OPTION_JSON, "devices", "where graphs can run",
     "The names are those that --device takes. Without it, or as auto, weft takes the device that it expects to be the\n"
     "fastest for the graph and its pictures, their way to a GPU and back included: small work stays on the processor.\n"
     "A GPU may be named by its backend, cuda or vulkan, with a number where there are several, vulkan:1, or by a word of\n"
     "its name, vulkan:radeon. The reference device computes slowly, by obvious loops in double precision: what others are\n"
     "compared with.\n\n"
     "  weft devices\n"
     "  weft run photo.jpg 'gaussian=30' out.png --device cuda\n"},
    {"kernels", kernels_command,
     OPTION_WARM | OPTION_CLEAR | OPTION_PACK | OPTION_ARCHITECTURES | OPTION_FILE | OPTION_GRAPH | OPTION_SIZE |
         OPTION_FORMAT | OPTION_ALPHA | OPTION_TYPE | OPTION_DEVICE | OPTION_DEVICE_MEMORY | OPTION_MEMORY |
         OPTION_THREADS | OPTION_JSON,
     "kernels [GRAPH...]", "the GPU kernels that are there, and new ones",
     "CUDA's kernels are compiled by NVRTC when a plan is made, and kept in a folder, the cache. Without options what\n"
     "is there is listed. --warm compiles now what graphs will need, for images of the given size and format. --pack\n"
     "does so for GPUs that this machine need not have; elsewhere the environment variable WEFT_KERNEL_PACK names the\n"
     "file, and graphs whose kernels are in it need no NVRTC there.\n\n"
     "  weft kernels\n"
     "  weft kernels --warm gaussian=4,sobel --size 3840x2160\n"
     "  weft kernels --clear\n"
     "  weft kernels --pack kernels.pack --arch 80,90 gaussian=4 'resize=800,unsharp_mask'\n"},
    {"generate", generate_command, 0, "generate WHAT", "manual pages, completions, C builders",
     "What packages install, made from the descriptions of filters and commands, to standard output. WHAT is man\n"
     "(weft.1), man-filters (weft-filters.7), bash, zsh or fish (completion) or builders (weft/builders.h, typed\n"
     "functions for C), effects (the filters that hosts of video effects can use).\n\n"
     "  source <(weft generate bash)\n"
     "  weft generate man | man -l -\n"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const struct command *command_at(int index) { return index >= 0 && index < COMMANDS ? &commands[index] : NULL; }

const struct command *command_find(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

/* A message about a word, with the names of all commands behind it. */
static int list_commands(const char *before, const char *word, const char *after) {
    char text[320];
    size_t used = (size_t)snprintf(text, sizeof text, "%s '%.60s'%s", before, word, after);
    for (int i = 0; i < COMMANDS && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "", commands[i].name);
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, "; 'weft help cookbook' shows those of many tasks");
    return message_usage("%s", text);
}

static bool among(const char *choices, const char *word) {
    const size_t length = strlen(word);
    for (; choices; choices = strchr(choices, '|'), choices += choices != NULL)
        if (!strncmp(choices, word, length) && strchr("|", choices[length]))
            return true;
    return false;
}

/* The one filter that has the word among what a parameter may be; NULL where there are none or several. */
static const weft_filter_info *filter_of_choice(const char *word, const char **parameter) {
    const weft_filter_info *found = NULL;
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        for (int32_t k = 0; k < filter->parameters; k++) {
            const weft_parameter_info *info = weft_filter_parameter(filter, k);
            if (info->type != WEFT_PARAMETER_CHOICE || !among(info->choices, word))
                continue;
            if (found && found != filter)
                return NULL;
            found = filter;
            *parameter = info->name;
        }
    }
    return found;
}

/* The first argument is no command: a filter, which is run, or something else; then this says what it may have been meant for. */
static int no_command(int count, char **words) {
    const char *word = words[1], *names[COMMANDS + 1];
    const weft_filter_info *filter = weft_filter_find(word);
    struct stat status;
    if (filter)
        return message_flush(filter_command(filter, count - 2, words + 2));
    const struct topic *topic = topic_find(word);
    if (topic && topic->family)
        return message_flush(word_command(topic, count - 2, words + 2));
    if (stat(word, &status) == 0 && S_ISDIR(status.st_mode))
        return message_usage("'%s' is a folder, not a command; for all pictures in it: weft run %s GRAPH -o OUT_FOLDER/",
                             word, word);
    if (!strcmp(word, "-") || stat(word, &status) == 0)
        return message_usage("'%s' is a file, not a command: weft run %s GRAPH OUT, as in: weft run %s 'gaussian=4' "
                             "out.png",
                             word, word, word);
    if (extension_known(word) || weft_video_name(word))
        return message_usage("'%s' is no command, and no file of that name is there; a file goes as in: "
                             "weft run in.png 'gaussian=4' out.png",
                             word);
    char start[64];
    snprintf(start, sizeof start, "%.*s", (int)strcspn(word, "=,"), word);
    if (word[strcspn(word, "=,")] && weft_filter_find(start))
        return message_usage("'%s' is a graph, not a command: weft run IN '%s' OUT", word, word);
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    names[COMMANDS] = NULL;
    const char *near = nearest_word(word, names);
    if (near)
        return message_usage("unknown command '%s': did you mean 'weft %s'?", word, near);
    const char *parameter = NULL;
    if ((filter = filter_of_choice(word, &parameter)) != NULL)
        return message_usage("unknown command '%s': did you mean weft %s FILES --%s %s?", word, filter->name, parameter, word);
    if ((filter = weft_filter_nearest(word)) != NULL)
        return message_usage("unknown command '%s': did you mean the filter '%s', as in: weft %s IN OUT?", word,
                             filter->name, filter->name);
    return list_commands("unknown command", word, ": the commands are");
}

int main(int count, char **words) {
    /* A closed pipe is an error of the write like any other, and gets a message like any other. */
    signal(SIGPIPE, SIG_IGN);
    if (count < 2) {
        help_usage(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(words[1], "--version") || !strcmp(words[1], "-V")) {
        printf("weft %s\n", weft_version());
        return message_flush(EXIT_DONE);
    }
    if (!strcmp(words[1], "--help") || !strcmp(words[1], "-h"))
        words[1] = "help";
    if (words[1][0] == '-' && words[1][1])
        return list_commands("the command comes before its options, not", words[1], " first: it is one of");
    const struct command *command = command_find(words[1]);
    if (!command)
        return no_command(count, words);
    struct options options;
    int status = options_read(&options, command->name, command->takes, count - 2, words + 2);
    if (status != EXIT_DONE)
        return status;
    if (options.help)
        return message_flush(help_about_command(command));
    return message_flush(command->run(&options));
}
