/* SPDX-License-Identifier: MIT
 * A stand-in for NVRTC: the text that it is given, compiled by the machine's C++ compiler to a library of the processor's code,
 * once, and kept in a folder. The emulated driver runs it.
 *
 * What a kernel's text only knows, and does not choose its form by, may as well be read from the launch: so one library does for
 * all borders, formats that are no form of its own and programs. With WEFT_EMULATED_EXACT in the environment each text is
 * compiled as it is, as by the real one; WEFT_EMULATED_REFUSE says that all are wrong. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#pragma GCC visibility push(default)
#include "caller.h"
#pragma GCC visibility pop
#include "emulated.h"

struct _nvrtcProgram {
    char *source, *name, *known, *operations;
    uint64_t texts; /* of all headers */
    char code[1400], log[300];
};

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    return made ? strcpy(made, text) : NULL;
}
static uint64_t hash(uint64_t seed, const char *text) {
    for (; *text; text++)
        seed = (seed ^ (unsigned char)*text) * 0x100000001b3u;
    return seed * 0x9e3779b97f4a7c15u;
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    *major = CUDA_VERSION / 1000, *minor = 0;
    return NVRTC_SUCCESS;
}
static const int architectures[] = {75, 80, 86, 89, 90, 100};
nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    *count = sizeof architectures / sizeof *architectures;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *all) {
    memcpy(all, architectures, sizeof architectures);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *result, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *names) {
    struct _nvrtcProgram *program = calloc(1, sizeof *program);
    *result = program;
    if (!program)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->source = copy(source);
    program->name = copy(name);
    program->texts = 0xcbf29ce484222325u;
    for (int i = 0; i < header_count; i++)
        if (strcmp(names[i], "known.h") == 0)
            program->known = copy(headers[i]);
        else if (strcmp(names[i], "point_operations.h") == 0)
            program->operations = copy(headers[i]);
        else
            program->texts = hash(program->texts, headers[i]);
    bool whole = program->source && program->name && program->known && program->operations;
    return whole ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    free((*program)->source);
    free((*program)->name);
    free((*program)->known);
    free((*program)->operations);
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

static bool write_file(const char *folder, const char *name, const char *text) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    bool good = file && fputs(text, file) >= 0;
    return (!file || fclose(file) == 0) && good;
}

/* In a folder of its own, and then the library is put where it is looked for: processes may make the same at once. */
static bool compile(struct _nvrtcProgram *program, const char *library, bool exact) {
    char folder[sizeof EMULATED_STORE + 40], command[4096];
    char *text = malloc(strlen(program->source) + strlen(program->name) + 1000);
    snprintf(folder, sizeof folder, EMULATED_STORE "/making-XXXXXX");
    if (!text || !mkdtemp(folder)) {
        free(text);
        return false;
    }
    sprintf(text,
            "#define EMULATED_SHARED \"emulated_shared_memory\"\n#include \"cuda/kernel.h\"\n%s\n"
            "extern \"C\" __attribute__((weak, visibility(\"hidden\"))) char __start_emulated_shared_memory[], "
            "__stop_emulated_shared_memory[];\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) const struct {\n"
            "    void (*entry)(const gpu_launch &); char *shared, *shared_end;\n"
            "} emulated_code = {emulated_entry, __start_emulated_shared_memory, __stop_emulated_shared_memory};\n",
            program->source);
    bool good = write_file(folder, "kernel.cpp", text) &&
                write_file(folder, "known.h", exact ? program->known : "#define FOLDED 0\n") &&
                write_file(folder, "point_operations.h", exact ? program->operations : "#include \"emulated_operations.h\"\n");
    snprintf(command, sizeof command,
             EMULATED_COMPILER " " EMULATED_FLAGS " -I%s -I" EMULATED_SOURCE "/src -I" EMULATED_SOURCE
                               "/tests -I" EMULATED_FOLDER " -shared -o %s/kernel.so %s/kernel.cpp " EMULATED_LIBRARY
                               " >%s/log 2>&1 && mv %s/kernel.so %s",
             folder, folder, folder, folder, folder, library);
    good = good && system(command) == 0;
    if (good) {
        snprintf(command, sizeof command, "rm -rf %s", folder);
        good = system(command) == 0;
    } else {
        snprintf(program->log, sizeof program->log, "kernel.cpp: error: see %s/log", folder);
    }
    free(text);
    return good;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options) {
    char library[sizeof EMULATED_STORE + 120];
    bool exact = getenv("WEFT_EMULATED_EXACT") != NULL, named = false;
    for (int i = 0; i < option_count; i++)
        named = named || strncmp(options[i], "--gpu-architecture=", 19) == 0;
    if (!named || getenv("WEFT_EMULATED_REFUSE")) {
        snprintf(program->log, sizeof program->log, "kernel.cpp(1): error: refused");
        return NVRTC_ERROR_COMPILATION;
    }
    uint64_t key = hash(hash(program->texts, program->source), EMULATED_COMPILER EMULATED_FLAGS EMULATED_LIBRARY);
    key = exact ? hash(hash(key, program->known), program->operations) : hash(key, EMULATED_SOURCE);
    snprintf(library, sizeof library, EMULATED_STORE "/%s-%016llx.so", program->name, (unsigned long long)key);
    if (mkdir(EMULATED_STORE, 0777) != 0 && errno != EEXIST)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    if (access(library, R_OK) != 0 && !compile(program, library, exact))
        return NVRTC_ERROR_COMPILATION;
    snprintf(program->code, sizeof program->code, EMULATED_MAGIC "%s\n%s\n", program->name, library);
    return NVRTC_SUCCESS;
}

static nvrtcResult give(const char *text, size_t *size, char *to) {
    if (size)
        *size = strlen(text) + 1;
    if (to)
        strcpy(to, text);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) { return give(program->code, size, NULL); }
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) { return give(program->code, NULL, ptx); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) { return give(program->code, size, NULL); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) { return give(program->code, NULL, cubin); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) { return give(program->log, size, NULL); }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) { return give(program->log, NULL, log); }
