/* SPDX-License-Identifier: MIT
 * The options of all commands. */
#include "options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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
enum { MEGABYTE = 1000000 };
static const long long MOST_MEGABYTES = INT64_MAX / MEGABYTE;

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

static int unknown(const char *word, size_t length, const char *command, unsigned taken) {
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

static bool whole_number(const char *text, long long minimum, long long maximum, long long *number) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < minimum || value > maximum)
        return false;
    *number = value;
    return true;
}

/* Two numbers from 1 joined by an x. */
static int read_sides(const char *name, const char *form, const char *value, long long most, int64_t sides[2]) {
    long long width, height;
    char *end;
    errno = 0;
    width = strtoll(value, &end, 10);
    if (end == value || (*end != 'x' && *end != 'X') || errno || width < 1 || width > most ||
        !whole_number(end + 1, 1, most, &height))
        return message_usage("--%s takes %s, not '%s'", name, form, value);
    sides[0] = width;
    sides[1] = height;
    return EXIT_DONE;
}

static int read_size(struct options *options, const char *value) {
    int64_t sides[2] = {options->width, options->height};
    int status = read_sides("size", "WIDTHxHEIGHT in pixels, as in 1920x1080", value, INT64_MAX, sides);
    options->width = sides[0];
    options->height = sides[1];
    return status;
}

static int read_alpha(struct options *options, const char *value) {
    static const char *const names[] = {"none", "straight", "premultiplied"};
    for (int i = 0; i < 3; i++) {
        if (!strcmp(value, names[i])) {
            options->alpha = (weft_alpha)i;
            options->alpha_given = true;
            return EXIT_DONE;
        }
    }
    return message_usage("--alpha takes none, straight or premultiplied, not '%s'", value);
}

static int read_to(struct options *options, const char *value) {
    const weft_file_format *format;
    if (video_time(value, &options->video.to)) { /* no format begins with a digit */
        options->video.given = true;
        return EXIT_DONE;
    }
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++) {
        if (format->writes && !strcmp(format->name, value)) {
            options->to = format->name;
            return EXIT_DONE;
        }
    }
    message_usage("--to takes a file format that weft writes, not '%s':", value);
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if (format->writes)
            fprintf(stderr, "    %-5s %s\n", format->name, format->summary);
    return EXIT_USAGE;
}

static int read_type(struct options *options, const char *value) {
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    for (int i = 0; i < 4; i++) {
        if (!strcmp(value, weft_type_name(types[i]))) {
            options->type = types[i];
            return EXIT_DONE;
        }
    }
    return message_usage("--type takes u8, u16, f16 or f32, not '%s'", value);
}

/* The options of a sheet of pictures, which share a flag. */
static int set_sheet(struct options *options, const char *name, const char *value) {
    long long number = 0;
    if (!strcmp(name, "grid"))
        return read_sides("grid", "COLUMNSxROWS, as in 4x3", value, 1000, options->grid);
    if (!strcmp(name, "cell"))
        return read_sides("cell", "WIDTHxHEIGHT in pixels, as in 200x200", value, 65536, options->cell);
    if (!strcmp(name, "gap")) {
        if (!whole_number(value, 0, 65536, &number))
            return message_usage("--gap takes a number of pixels up to 65536, not '%s'", value);
        options->gap = number;
    }
    options->labels = options->labels || !strcmp(name, "labels");
    return EXIT_DONE;
}

/* Notes one option; `value` is NULL when it has none. */
static int set(struct options *options, const struct option *option, const char *value) {
    long long number = 0;
    char *end;
    switch (option->flag) {
    case OPTION_DEVICE:
        options->device = value;
        break;
    case OPTION_THREADS:
        if (!whole_number(value, 0, 4096, &number))
            return message_usage("--threads takes a number from 0 to 4096, not '%s'", value);
        options->threads = (int32_t)number;
        break;
    case OPTION_DEVICE_MEMORY:
        if (!whole_number(value, 1, MOST_MEGABYTES, &number))
            return message_usage("--device-memory takes a number of megabytes, not '%s'", value);
        options->device_memory = (uint64_t)number * MEGABYTE;
        break;
    case OPTION_MEMORY:
        if (!whole_number(value, 1, MOST_MEGABYTES, &number))
            return message_usage("--memory takes a number of megabytes, not '%s'", value);
        options->memory = (uint64_t)number * MEGABYTE;
        break;
    case OPTION_QUALITY:
        if (!whole_number(value, 1, 100, &number))
            return message_usage("--quality takes a number from 1 to 100, not '%s'", value);
        options->quality = (int32_t)number;
        break;
    case OPTION_PIXEL_LIMIT:
        if (!whole_number(value, 1, INT64_MAX, &number))
            return message_usage("--pixel-limit takes a number of pixels, not '%s'", value);
        options->pixel_limit = number;
        break;
    case OPTION_DECODE_LIMIT:
        if (!whole_number(value, 1, MOST_MEGABYTES, &number))
            return message_usage("--decode-limit takes a number of megabytes, not '%s'", value);
        options->decode_limit = number * MEGABYTE;
        break;
    case OPTION_SECONDS:
        options->seconds = strtod(value, &end);
        if (end == value || *end || !(options->seconds > 0 && options->seconds <= 3600))
            return message_usage("--seconds takes a number above 0, up to 3600, not '%s'", value);
        break;
    case OPTION_FORMAT:
        if (weft_format_parse(value, &options->format, NULL) != WEFT_OK)
            return message_usage("--format takes u8, u16, f16 or f32 and x1 to x4, as in u8x3, not '%s'", value);
        break;
    case OPTION_SIZE:
        return read_size(options, value);
    case OPTION_ALPHA:
        return read_alpha(options, value);
    case OPTION_TYPE:
        return read_type(options, value);
    case OPTION_TO:
        return read_to(options, value);
    case OPTION_FILE:
        options->graph_file = value;
        break;
    case OPTION_GRAPH:
        if (options->graph_count == OPTION_OUTPUTS)
            return message_usage("--graph is given more than %d times", OPTION_OUTPUTS);
        options->graphs[options->graph_count++] = value;
        options->graph = options->graphs[0];
        break;
    case OPTION_REPEAT:
        options->recursive = options->recursive || !strcmp(option->name, "recursive");
        options->newer = options->newer || !strcmp(option->name, "newer");
        options->dry_run = options->dry_run || !strcmp(option->name, "dry-run");
        break;
    case OPTION_SHEET:
        return set_sheet(options, option->name, value);
    case OPTION_OUTPUT:
        if (options->output_count == OPTION_OUTPUTS)
            return message_usage("--output is given more than %d times", OPTION_OUTPUTS);
        options->outputs[options->output_count++] = value;
        break;
    case OPTION_EXPLAIN:
        options->explain = true;
        break;
    case OPTION_JSON:
        options->json = true;
        break;
    case OPTION_DOT:
        options->dot = true;
        break;
    case OPTION_ALL:
        options->all = true;
        break;
    case OPTION_FORMATS:
        options->formats = true;
        break;
    case OPTION_SEQUENCE:
        options->sequence = true;
        break;
    case OPTION_STRIP:
        options->strip = true;
        break;
    case OPTION_WARM:
        options->warm = true;
        break;
    case OPTION_CLEAR:
        options->clear = true;
        break;
    case OPTION_PACK:
        options->pack = value;
        break;
    case OPTION_ARCHITECTURES:
        options->architectures = value;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    default:
        break;
    }
    return EXIT_DONE;
}

/* The option that `word` begins with, among those of the set; *value points at a value joined to it, or is NULL. */
static const struct option *find(const char *word, unsigned taken, const char **value) {
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

int options_read(struct options *options, const char *command, unsigned taken, int count, char **words) {
    taken |= OPTION_HELP;
    *options =
        (struct options){.device = "auto", .width = 1920, .height = 1080, .format = {WEFT_U8, 3}, .gap = -1,
                         .operands = words};
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        if (!strcmp(word, "--")) {
            while (++i < count)
                options->operands[options->operand_count++] = words[i];
            break;
        }
        if (word[0] != '-' || !word[1] || word[1] == '[') { /* "-" is a file, options may follow it */
            options->operands[options->operand_count++] = word;
            continue;
        }
        const char *value;
        const struct option *option = find(word, taken, &value);
        if (!option)
            return unknown(word, strcspn(word, "="), command, taken);
        if (option->value && !value) {
            if (i + 1 == count)
                return message_usage("--%s needs a value: --%s %s", option->name, option->name, option->value);
            value = words[++i];
        } else if (!option->value && value) {
            return message_usage("--%s takes no value", option->name);
        }
        int status = option->flag == OPTION_VIDEO ? video_switch(&options->video, option->name, value)
                                                  : set(options, option, value);
        if (status != EXIT_DONE)
            return status;
    }
    if (options->graph && options->graph_file)
        return message_usage("--graph and --file both give the graph: remove one of them");
    return EXIT_DONE;
}

weft_image_info options_image(const struct options *options) {
    weft_image_info info = {.width = options->width, .height = options->height, .format = options->format};
    info.alpha = options->alpha_given        ? options->alpha
                 : info.format.channels == 4 ? WEFT_ALPHA_STRAIGHT
                                             : WEFT_ALPHA_NONE;
    return info;
}

uint64_t options_memory(const struct options *options) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t most = 1000 * (uint64_t)MEGABYTE;
    uint64_t quarter = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 4 : most;
    return options->memory ? options->memory : quarter < most ? quarter : most;
}
