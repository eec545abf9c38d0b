/* SPDX-License-Identifier: MIT
 * weft kernels: what there is of GPU kernels, and kernels that are compiled before they are needed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "graph.h"
#include "common/message.h"
#include "show/plan_without_images.h"

enum { MOST_ARCHITECTURES = 32, LONGEST_FOLDER = 4096 };

struct listing {
    struct json json;
    int embedded[2]; /* kernels as CUDA's text and as Vulkan's modules */
    int compiled;
    uint64_t size;
};

static void print_one(void *user, const weft_kernel_info *info) {
    struct listing *listing = user;
    if (info->place == WEFT_KERNEL_EMBEDDED) {
        listing->embedded[!strcmp(info->backend, "vulkan")]++;
        return;
    }
    printf("%-9s compute capability %d.%d %9.1f kB  %s\n", info->place == WEFT_KERNEL_PACKED ? "packed" : "cached",
           (int)info->architecture / 10, (int)info->architecture % 10, (double)info->size / 1e3, info->name);
    listing->compiled++;
    listing->size += info->size;
}

static void describe_one(void *user, const weft_kernel_info *info) {
    static const char *const places[] = {"embedded", "cached", "packed"};
    struct json *json = &((struct listing *)user)->json;
    json_object(json, NULL);
    json_text(json, "place", places[info->place]);
    json_text(json, "backend", info->backend);
    json_text(json, "name", info->name);
    if (info->place != WEFT_KERNEL_EMBEDDED) {
        json_number(json, "architecture", info->architecture);
        json_number(json, "size", (double)info->size);
    }
    json_object_end(json);
}

static int list_kernels(const struct options *options) {
    struct listing listing = {.json = {.file = stdout}};
    char folder[LONGEST_FOLDER];
    weft_error error;
    if (options->operand_count)
        return message_usage("'weft kernels' lists without a graph; --warm or --pack FILE compile '%s'", options->operands[0]);
    if (options->json)
        json_array(&listing.json, NULL);
    if (weft_kernels_list(options->json ? describe_one : print_one, &listing, &error) != WEFT_OK ||
        weft_kernels_folder(folder, sizeof folder, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    if (options->json) {
        json_array_end(&listing.json);
        json_end(&listing.json);
        return EXIT_DONE;
    }
    printf("%s%d compiled, %.1f kB; the cache is %s\n", listing.compiled ? "\n" : "", listing.compiled,
           (double)listing.size / 1e3, folder[0] ? folder : "nowhere");
    printf("embedded: %d kernels as text for CUDA, %d as SPIR-V for Vulkan\n", listing.embedded[0], listing.embedded[1]);
    return EXIT_DONE;
}

static int clear_kernels(void) {
    int64_t removed;
    weft_error error;
    if (weft_kernels_clear(&removed, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    printf("%lld kernel%s removed\n", (long long)removed, removed == 1 ? "" : "s");
    return EXIT_DONE;
}

/* Plans each graph on each device: that compiles. */
static int compile_graphs(const struct options *options, weft_device *const *devices, int device_count) {
    int status = EXIT_DONE, count = options->graph || options->graph_file ? 1 : options->operand_count;
    for (int i = 0; i < count && status == EXIT_DONE; i++) {
        struct options one = *options;
        struct graph graph;
        one.operands = &options->operands[i];
        one.operand_count = options->operand_count > 0;
        status = graph_open_only(&graph, &one, "kernels");
        for (int k = 0; k < device_count && status == EXIT_DONE; k++) {
            struct planned planned = {.device = devices[k]};
            status = planned_make(&planned, &graph, options, options_memory(options));
            weft_plan_destroy(&planned.plan);
        }
        graph_close(&graph);
    }
    return status;
}

static int check_graphs(const struct options *options, const char *option) {
    bool given = options->graph || options->graph_file;
    if (!given && options->operand_count == 0)
        return message_usage("--%s needs graphs, as in: weft kernels --%s%s gaussian=4,sobel", option, option,
                             strcmp(option, "pack") ? "" : " FILE --arch 80,90");
    if (given && options->operand_count > 0)
        return message_usage("--graph and --file give the graph: '%s' is too much", options->operands[0]);
    return EXIT_DONE;
}

/* The GPU that a plan by itself would compile for: `auto` may choose the processor. */
static const char *warm_device(const struct options *options) {
    weft_device_info info;
    if (strcmp(options->device, "auto") != 0)
        return options->device;
    for (int32_t i = 0; weft_device_at(i, &info); i++)
        if (!strcmp(info.backend, "vulkan") && info.available && !info.software) {
            weft_device_info other;
            for (int32_t k = 0; weft_device_at(k, &other); k++)
                if (!strcmp(other.backend, "cuda") && other.available)
                    return "cuda";
            return "vulkan";
        }
    return "cuda";
}

static int warm_kernels(const struct options *options) {
    weft_device_options device_options = {
        .threads = options->threads, .log = message_log(false), .memory_limit = options->device_memory};
    weft_device *device;
    weft_error error;
    int status = check_graphs(options, "warm");
    if (status != EXIT_DONE)
        return status;
    if (weft_device_open(warm_device(options), &device_options, &device, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    status = compile_graphs(options, &device, 1);
    weft_device_close(&device);
    return status;
}

/* "80,90" */
static int read_architectures(const char *text, int32_t *all, int *count) {
    *count = 0;
    for (const char *at = text; at;) {
        char *end;
        errno = 0;
        long number = strtol(at, &end, 10);
        if (end == at || errno || number < 10 || number > 9999 || (*end && *end != ',') || *count == MOST_ARCHITECTURES)
            return message_usage("--arch takes compute capabilities without their dot, joined by commas, as in 80,90, not '%s'",
                                 text);
        all[(*count)++] = (int32_t)number;
        at = *end ? end + 1 : NULL;
    }
    return EXIT_DONE;
}

static int pack_kernels(const struct options *options) {
    int32_t architectures[MOST_ARCHITECTURES];
    weft_device *devices[MOST_ARCHITECTURES] = {NULL};
    weft_device_options device_options = {.threads = options->threads, .log = message_log(false)};
    weft_error error;
    int count = 0, status = check_graphs(options, "pack");
    if (status == EXIT_DONE && !options->architectures)
        return message_usage("--pack needs --arch, the compute capabilities of the GPUs that it is for, as in --arch 80,90");
    if (status == EXIT_DONE)
        status = read_architectures(options->architectures, architectures, &count);
    for (int i = 0; i < count && status == EXIT_DONE; i++)
        if (weft_kernels_device(architectures[i], &device_options, &devices[i], &error) != WEFT_OK)
            status = message_library(&error, NULL, NULL);
    if (status == EXIT_DONE)
        status = compile_graphs(options, devices, count);
    if (status == EXIT_DONE && weft_kernels_pack(devices, count, options->pack, &error) != WEFT_OK)
        status = message_library(&error, NULL, NULL);
    for (int i = 0; i < count; i++)
        weft_device_close(&devices[i]);
    return status;
}

int kernels_command(const struct options *options) {
    int actions = options->warm + options->clear + (options->pack != NULL);
    if (actions > 1)
        return message_usage("--warm, --clear and --pack exclude each other");
    if (options->architectures && !options->pack)
        return message_usage("--arch says for which GPUs a pack is; it needs --pack FILE");
    if (options->json && actions)
        return message_usage("--json is for the list of kernels");
    if (options->clear && options->operand_count)
        return message_usage("'weft kernels --clear' takes no graph: '%s' is too much", options->operands[0]);
    return options->warm    ? warm_kernels(options)
           : options->clear ? clear_kernels()
           : options->pack  ? pack_kernels(options)
                            : list_kernels(options);
}
