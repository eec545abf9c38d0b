/* SPDX-License-Identifier: MIT
 * Image files that go wrong: damaged ones, slow and broken pipes, full devices, and output that appears whole or not at
 * all. WEFT_SEED=N changes the damage done to files; a failure prints the seed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "file_fixture.h"

static bool clean_error(weft_status status) {
    return status == WEFT_OK || (error.status == status && strlen(error.message) > 10 && !strchr(error.message, '\n'));
}

/* Every truncation is an error, and no flipped bit does worse than another picture. */
static void damage(const char *what, const unsigned char *bytes, size_t size, bool whole) {
    const char *path = in_directory("damaged");
    const char *given = getenv("WEFT_SEED");
    const uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 20240607;
    static unsigned char copy[PICTURE];
    uint32_t random = seed | 1;
    size_t step = size > 600 ? 7 : 1;
    save(path, bytes, size);
    CHECK(read_got(path, 0) == WEFT_OK);
    for (size_t length = 0; length < size; length += step) {
        weft_status status;
        save(path, bytes, length);
        status = read_got(path, 0);
        if (!CHECK(clean_error(status) && (status != WEFT_OK || !whole)))
            fprintf(stderr, "  %s cut to %zu of %zu bytes: %s\n", what, length, size, error.message);
    }
    for (int i = 0; i < 300; i++) {
        weft_status status;
        memcpy(copy, bytes, size);
        for (int flips = 0; flips < 1 + i % 3; flips++) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            copy[random / 8 % size] ^= (unsigned char)(1 << random % 8);
        }
        save(path, copy, size);
        status = read_got(path, 0);
        if (!CHECK(clean_error(status)))
            fprintf(stderr, "  %s, flip %d of seed %u: %s\n", what, i, seed, error.message);
    }
    unlink(path);
}

static void test_damage(void) {
    static unsigned char bytes[PICTURE];
    static sample_file file;
    const weft_metadata metadata = {
        .exif = sample_exif, .exif_size = sizeof sample_exif, .x_resolution = 72, .y_resolution = 72};
    static const char *const texts[] = {"P1\n5 2\n10101\n01010\n", "P2\n3 2\n9\n1 2 3\n4 5 6\n",
                                        "P4 9 2\n\x80\x80\x7f\x7f", "P3\n1 2\n999\n11 22 33\n44 55 66\n"};
    for (int e = 0; e < EXTENSIONS; e++)
        for (int type = WEFT_U8; type <= WEFT_U16; type++) {
            char name[16];
            weft_image_info wanted = INFO(13, 5, (weft_type)type, 4, WEFT_ALPHA_STRAIGHT), nearest;
            size_t size;
            snprintf(name, sizeof name, "whole.%s", extensions[e]);
            if (weft_writer_accepts(name, NULL, &wanted, &nearest, NULL) != WEFT_OK)
                continue;
            make_picture(nearest, 0, true);
            CHECK(write_made(in_directory(name), &(weft_writer_options){.metadata = &metadata}) == WEFT_OK);
            size = load(in_directory(name), bytes, sizeof bytes);
            unlink(in_directory(name));
            damage(name, bytes, size, true);
        }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) /* the last blank may be missing, and digits */
        damage(texts[i], (const unsigned char *)texts[i], strlen(texts[i]), false);
    for (int color = 0; color <= 3 && has_format("png"); color += 3) {
        make_png(&file, &(png_form){13, 5, 2, color, true, true});
        damage("interlaced png", file.bytes, file.size, true);
    }
    if (has_format("tiff")) {
        make_planar_tiff(&file, 13, 7, 3);
        damage("tiff of planes", file.bytes, file.size, true);
    }
    if (has_format("jpeg")) {
        make_jpeg(&file, 4, (const int[]){1, 2, 3, 4}, 2, false);
        damage("cmyk jpeg", file.bytes, file.size, true);
        make_jpeg(&file, 3, (const int[]){1, 2, 3}, 0, true);
        damage("jpeg of three scans", file.bytes, file.size, true);
    }
}

/* Runs a child that writes bytes to the file at `path` and closes it. */
static pid_t feed(const char *path, const unsigned char *bytes, size_t size) {
    pid_t child = fork();
    if (child == 0) {
        int descriptor = open(path, O_WRONLY);
        for (size_t done = 0; done < size; done++) /* as slowly as a pipe can */
            if (write(descriptor, bytes + done, 1) != 1)
                _exit(1);
        _exit(0);
    }
    return child;
}

static void test_pipes(void) {
    static unsigned char bytes[PICTURE], through[PICTURE];
    static sample_file file;
    char fifo[512];
    int status;
    strcpy(fifo, in_directory("fifo"));
    CHECK(mkfifo(fifo, 0600) == 0);
    for (int e = 0; e < EXTENSIONS; e++) {
        char name[16];
        weft_image_info wanted = INFO(13, 5, WEFT_U8, 3, 0), nearest;
        weft_writer_options options = {.format = extensions[e]};
        size_t size, count = 0;
        int ends[2];
        pid_t child;
        snprintf(name, sizeof name, "pipe.%s", extensions[e]);
        if (weft_writer_accepts(name, NULL, &wanted, &nearest, NULL) != WEFT_OK)
            continue;
        make_picture(nearest, 0, true);
        CHECK(write_made(in_directory(name), NULL) == WEFT_OK);
        size = load(in_directory(name), bytes, sizeof bytes);
        unlink(in_directory(name));
        /* In from a named pipe. */
        child = feed(fifo, bytes, size);
        CHECK(read_got(fifo, 0) == WEFT_OK && same_picture(6));
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        /* In from and out to the standard ones: a child copies. */
        CHECK(pipe(ends) == 0);
        fflush(NULL);
        child = fork();
        if (child == 0) {
            int input = open(fifo, O_RDONLY);
            weft_status result;
            dup2(input, 0);
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
            result = read_got("-", 0);
            made = got;
            if (result == WEFT_OK)
                result = write_made("-", &options);
            _exit(result == WEFT_OK ? 0 : 1);
        }
        close(ends[1]);
        feed(fifo, bytes, size);
        for (ssize_t more; (more = read(ends[0], through + count, sizeof through - count)) > 0;)
            count += (size_t)more;
        close(ends[0]);
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(waitpid(-1, &status, 0) > 0 && status == 0);
        CHECK(is_lossy(extensions[e]) ? count > 0 : count == size && memcmp(bytes, through, size) == 0);
        /* Cut short. */
        child = feed(fifo, bytes, size - 3);
        CHECK(read_got(fifo, 0) == WEFT_ERROR_FILE);
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    if (has_format("png")) { /* one that is read as a whole first, and one that claims to be large */
        pid_t child;
        make_png(&file, &(png_form){13, 5, 8, 2, true, false});
        child = feed(fifo, file.bytes, file.size);
        CHECK(read_got(fifo, 0) == WEFT_OK && got.info.format.channels == 3);
        CHECK(waitpid(child, &status, 0) == child);
        child =
            feed(fifo,
                 (const unsigned char
                      *)"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x10\6\0\0\1\x75\x60\x19\x1d",
                 33);
        CHECK(read_got(fifo, 0) == WEFT_ERROR_FILE);
        CHECK(waitpid(child, &status, 0) == child);
    }
    if (has_format("jpeg")) {
        pid_t child;
        make_jpeg(&file, 3, (const int[]){9, 8, 7}, 0, true);
        child = feed(fifo, file.bytes, file.size);
        CHECK(read_got(fifo, 0) == WEFT_OK && memcmp(got.pixels, "\x9\x8\x7", 3) == 0);
        CHECK(waitpid(child, &status, 0) == child);
    }
    {
        static const char header[] = "PF\n2147483647 1000000\n-1\nabc";
        pid_t child = feed(fifo, (const unsigned char *)header, sizeof header - 1);
        CHECK(read_got(fifo, 0) == WEFT_OK); /* its rows are too long for this program to read */
        CHECK(waitpid(child, &status, 0) == child);
    }
    unlink(fifo);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_mode & 0777 : 0;
}

static void test_output(void) {
    static unsigned char bytes[PICTURE];
    char path[512], link[512];
    weft_writer *writer;
    struct stat status;
    mode_t mask;
    strcpy(path, in_directory("out.pam"));
    strcpy(link, in_directory("link.pam"));
    make_picture(INFO(13, 5, WEFT_U8, 3, 0), 0, false);
    /* A new file has the usual mode, a replaced one keeps its own. */
    mask = umask(027);
    CHECK(write_made(path, NULL) == WEFT_OK && mode_of(path) == 0640);
    CHECK(chmod(path, 0604) == 0);
    CHECK(write_made(path, NULL) == WEFT_OK && mode_of(path) == 0604);
    umask(mask);
    /* Until the end, and after a failure, the old file is there and nothing else is. */
    save(path, "precious", 8);
    CHECK(weft_writer_open(path, NULL, &made.info, &writer, &error) == WEFT_OK);
    CHECK(count_files() <= 2); /* the new one may have no name as yet */
    CHECK(weft_writer_write(writer, 4, made.pixels, made.stride, &error) == WEFT_OK);
    CHECK(weft_writer_write(writer, 2, made.pixels, made.stride, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(load(path, bytes, sizeof bytes) == 8);
    CHECK(weft_writer_finish(&writer, &error) == WEFT_ERROR_ARGUMENT && writer == NULL); /* a row is missing */
    CHECK(load(path, bytes, sizeof bytes) == 8 && memcmp(bytes, "precious", 8) == 0 && count_files() == 1);
    for (int e = 0; e < EXTENSIONS; e++) { /* abandoned at any stage */
        char name[16];
        weft_image_info nearest;
        snprintf(name, sizeof name, "gone.%s", extensions[e]);
        if (weft_writer_accepts(name, NULL, &made.info, &nearest, NULL) != WEFT_OK)
            continue;
        for (int rows = 0; rows <= 5; rows += 5) {
            static unsigned char zeros[5 * 13 * 12];
            CHECK(weft_writer_open(in_directory(name), NULL, &nearest, &writer, &error) == WEFT_OK);
            CHECK(weft_writer_write(writer, rows, zeros, 13 * 12, &error) == WEFT_OK);
            weft_writer_abandon(&writer);
            CHECK(writer == NULL && count_files() == 1);
        }
    }
    /* A link stays a link, and its target is replaced. */
    CHECK(symlink("out.pam", link) == 0);
    CHECK(write_made(link, NULL) == WEFT_OK);
    CHECK(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(read_got(path, 0) == WEFT_OK && same_picture(0));
    unlink(link);
    /* Places that cannot be written. */
    CHECK(weft_writer_open(in_directory("none/out.pam"), NULL, &made.info, &writer, &error) == WEFT_ERROR_FILE &&
          !writer);
    CHECK(strstr(error.message, "No such file") != NULL);
    CHECK(mkdir(in_directory("d.pam"), 0700) == 0);
    CHECK(write_made(in_directory("d.pam"), NULL) == WEFT_ERROR_FILE && strstr(error.message, "directory"));
    CHECK(rmdir(in_directory("d.pam")) == 0);
    if (geteuid() != 0) { /* nothing is unwritable for root */
        CHECK(chmod(directory, 0500) == 0);
        CHECK(write_made(path, NULL) == WEFT_ERROR_FILE);
        CHECK(chmod(directory, 0700) == 0 && chmod(path, 0400) == 0);
        CHECK(write_made(path, NULL) == WEFT_ERROR_FILE);
        CHECK(chmod(path, 0600) == 0);
    }
    /* The longest name that a file may have. */
    {
        char name[256];
        memset(name, 'n', 251);
        memcpy(name + 251, ".pam", 5);
        CHECK(write_made(in_directory(name), NULL) == WEFT_OK);
        CHECK(unlink(in_directory(name)) == 0);
    }
    unlink(path);
    CHECK(count_files() == 0);
}

/* Devices and broken pipes are written straight to, and say so when they fail. */
static void test_devices(void) {
    for (int e = 0; e < EXTENSIONS; e++) {
        const weft_writer_options options = {.format = extensions[e]};
        weft_image_info wanted = INFO(200, 100, WEFT_U8, 3, 0), nearest;
        int ends[2], status;
        pid_t child;
        if (weft_writer_accepts("x", &options, &wanted, &nearest, NULL) != WEFT_OK)
            continue;
        if (weft_format_size(nearest.format) == 12)
            nearest.width = nearest.height = 50; /* what fits in `made` */
        make_picture(nearest, 0, false);
        CHECK(write_made("/dev/null", &options) == WEFT_OK);
        if (access("/dev/full", W_OK) == 0)
            CHECK(write_made("/dev/full", &options) == WEFT_ERROR_FILE && strstr(error.message, "/dev/full"));
        CHECK(pipe(ends) == 0 && close(ends[0]) == 0); /* no one will read it */
        fflush(NULL);
        child = fork();
        if (child == 0) {
            signal(SIGPIPE, SIG_IGN);
            dup2(ends[1], 1);
            _exit(write_made("-", &options) == WEFT_ERROR_FILE && strstr(error.message, "standard output") ? 0 : 1);
        }
        close(ends[1]);
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void test_safety(void) {
    test_damage();
    test_pipes();
    test_output();
    test_devices();
}

int main(void) { return run_in_directory("file_safety", test_safety); }
