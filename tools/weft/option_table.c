/* SPDX-License-Identifier: MIT
 * The options of all commands, in the order in which help lists them. */
#include "option_table.h"
#include <string.h>
#include "common/message.h"
#include "common/nearest.h"

static const struct option all_options[] = {
    {"file", 'f', OPTION_FILE, "FILE", "take the graph from a file; '-' is standard input"},
    {"graph", 'g', OPTION_GRAPH, "GRAPH",
     "take the graph from here, so that all other arguments are files; of several, each makes outputs of the same inputs"},
    {"output", 'o', OPTION_OUTPUT, "OUT",
     "where an output goes; for many files a folder, or a name with {stem} in it. May be given for each output"},
    {"recursive", 'r', OPTION_REPEAT, NULL, "take the folders in a folder, too; in a folder as output they are made again"},
    {"newer", 'n', OPTION_REPEAT, NULL, "leave out files whose outputs are there and no older than they are"},
    {"dry-run", 0, OPTION_REPEAT, NULL, "print which files would be made of which, and make none"},
    {"grid", 0, OPTION_SHEET, "COLUMNSxROWS", "how many pictures lie side by side and below one another"},
    {"cell", 0, OPTION_SHEET, "WxH", "the largest size of a picture in the grid, in pixels; default 256x256"},
    {"gap", 0, OPTION_SHEET, "N", "pixels between pictures and around them; default 8"},
    {"labels", 0, OPTION_SHEET, NULL, "write the name of its file under each picture"},
    {"device", 'd', OPTION_DEVICE, "NAME",
     "where to run: auto (default), or a name that 'weft devices' lists; vulkan:WORD for one by a part of its name"},
    {"threads", 't', OPTION_THREADS, "N", "CPU threads; 0 (default) for one per core"},
    {"device-memory", 0, OPTION_DEVICE_MEMORY, "MB",
     "megabytes of GPU memory to take at most: larger pictures go through in bands; default most of what is free"},
    {"memory", 0, OPTION_MEMORY, "MB",
     "megabytes that all pictures in work may take in memory; what is larger as a whole lies in temporary files in the folder that "
     "TMPDIR names, else in /var/tmp. Default a quarter of the machine's memory, at most 1000"},
    {"type", 0, OPTION_TYPE, "TYPE", "component type of the outputs: u8, u16, f16 or f32"},
    {"quality", 'q', OPTION_QUALITY, "N", "quality of files whose format has that option, 1 to 100"},
    {"sequence", 0, OPTION_SEQUENCE, NULL,
     "the files are the frames of a film, in order of name: filters with a memory go on from one to the next"},
    {"strip", 0, OPTION_STRIP, NULL, "write no EXIF, XMP or IPTC; the color profile stays"},
    {"to", 0, OPTION_TO, "FORMAT",
     "file format of the outputs, whatever their names end in; for '-' pam is the default. Of a video a time: where to end"},
    {"pixel-limit", 0, OPTION_PIXEL_LIMIT, "N", "refuse input files of more pixels; default 1073741824"},
    {"decode-limit", 0, OPTION_DECODE_LIMIT, "MB", "refuse input files that take more megabytes of memory to decode; default 2147"},
    {"size", 's', OPTION_SIZE, "WxH", "size of the input images, in pixels; default 1920x1080"},
    {"format", 0, OPTION_FORMAT, "FORMAT", "format of the input images: u8, u16, f16, f32, then x1 to x4; default u8x3"},
    {"alpha", 0, OPTION_ALPHA, "KIND", "what the last channel is: none, straight or premultiplied; straight for x4"},
    {"all", 'a', OPTION_ALL, NULL, "every filter: of bench its example graph, of list building blocks too"},
    {"formats", 0, OPTION_FORMATS, NULL, "the file formats of this build and their options"},
    {"seconds", 0, OPTION_SECONDS, "S", "time to measure for; default 1"},
    {"warm", 0, OPTION_WARM, NULL, "compile the kernels of graphs now, for the device, and keep them in the cache"},
    {"clear", 0, OPTION_CLEAR, NULL, "remove the compiled kernels of the cache"},
    {"pack", 0, OPTION_PACK, "FILE", "compile the kernels of graphs into a file, for machines without a compiler"},
    {"arch", 0, OPTION_ARCHITECTURES, "LIST", "compute capabilities of the GPUs that a pack is for, as in 80,90"},
    {"explain", 'e', OPTION_EXPLAIN, NULL,
     "print the plan, the device, the times of decoding, of each pass on the CPU and of encoding, and the rate to standard "
     "error; of plan: print why each pass has its kernel"},
    {"json", 'j', OPTION_JSON, NULL, "print JSON"},
    {"dot", 0, OPTION_DOT, NULL, "print the plan as a drawing for Graphviz"},
    {"from", 0, OPTION_VIDEO, "TIME", "of a video: where to begin, in seconds or as 1:30"},
    {"frames", 0, OPTION_VIDEO, "N", "of a video: so many frames"},
    {"loop", 0, OPTION_VIDEO, "TIME", "a video that long of a picture"},
    {"planes", 0, OPTION_VIDEO, "PLANES",
     "of a video: what the graph gets. color (default) is red, green and blue, y luma alone, and each every plane by itself"},
    {"chroma", 0, OPTION_VIDEO, "GRAPH",
     "of a video, with --planes each, which it implies: the graph of both planes of chroma, where GRAPH is that of luma; '' keeps "
     "them"},
    {"param", 0, OPTION_VIDEO, "CURVE",
     "of a video: a parameter that changes with time, FILTER.NAME=VALUE@TIME,VALUE@TIME, as contrast.contrast=1@0s,2@3s. "
     "May be given several times"},
    {"raw", 0, OPTION_VIDEO, "WxH:PIXELS", "the input is bare frames, as 1920x1080:yuv420p or 640x480:rgb24@30"},
    {"protocols", 0, OPTION_VIDEO, "LIST",
     "what a video may open beside itself: file for other files, or FFmpeg's names, as http,tcp; nothing by default"},
    {"help", 'h', OPTION_HELP, NULL, "this help"},
};
enum { OPTIONS = sizeof all_options / sizeof *all_options };

const struct option *option_at(int index) { return index >= 0 && index < OPTIONS ? &all_options[index] : NULL; }

void options_print(FILE *file, unsigned taken) {
    for (int i = 0; i < OPTIONS; i++) {
        const struct option *option = &all_options[i];
        char name[40];
        if (!(taken & option->flag))
            continue;
        snprintf(name, sizeof name, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        if (option->letter)
            fprintf(file, "  -%c, %-18s %s\n", option->letter, name, option->doc);
        else
            fprintf(file, "      %-18s %s\n", name, option->doc);
    }
}

int option_unknown(const char *word, size_t length, const char *command, unsigned taken) {
    const char *words[OPTIONS + 1];
    char name[64];
    int count = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    const char *bare = name + strspn(name, "-");
    for (int i = 0; i < OPTIONS; i++) {
        if (taken & all_options[i].flag)
            words[count++] = all_options[i].name;
        else if (!strcmp(bare, all_options[i].name))
            return message_usage("'weft %s' takes no option '%s'; see 'weft help %s'", command, name, command);
    }
    words[count] = NULL;
    const char *near = bare[0] && bare[1] ? nearest_word(bare, words) : NULL;
    if (near)
        return message_usage("unknown option '%s': did you mean '--%s'?", name, near);
    return message_usage("unknown option '%s'; see 'weft help %s'", name, command);
}

const struct option *option_find(const char *word, unsigned taken, const char **value) {
    *value = NULL;
    for (int i = 0; i < OPTIONS; i++) {
        const struct option *option = &all_options[i];
        size_t length = strlen(option->name);
        if (!(taken & option->flag))
            continue;
        if (word[1] == '-' && !strncmp(word + 2, option->name, length) &&
            (!word[2 + length] || word[2 + length] == '=')) {
            *value = word[2 + length] ? word + 3 + length : NULL;
            return option;
        }
        if (option->letter && word[1] == option->letter && (option->value || !word[2])) {
            *value = word[2] ? word + 2 : NULL;
            return option;
        }
    }
    return NULL;
}
