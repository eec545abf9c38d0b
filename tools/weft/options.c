/* SPDX-License-Identifier: MIT
 * Reading the options of a command. */
#include "options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/message.h"

enum { MEGABYTE = 1000000 };
static const long long MOST_MEGABYTES = INT64_MAX / MEGABYTE;

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
        const struct option *option = option_find(word, taken, &value);
        if (!option)
            return option_unknown(word, strcspn(word, "="), command, taken);
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
