/* SPDX-License-Identifier: MIT
 * What CUDA's programs over four pixels read of images that all lie in words (four_pixels.h). All are asked for before the first is
 * needed or one is stored: else programs of several images would wait for one after the other. */
#ifndef KERNELS_GPU_IMAGES_AHEAD_H
#define KERNELS_GPU_IMAGES_AHEAD_H

#define WORDS_AHEAD 32 /* of a thread: more do not fit its registers */
/* PROGRAM_IMAGES: how many images a program reads; PROGRAM_WORDS: how many words a thread's four pixels of all of them are. These
 * and what they are made of are macros, since the number of blocks must be a constant. */
#define WORDS_OF_TYPE(type) ((type) == TYPE_F32 ? 4 : (type) == TYPE_U8 ? 1 : 2)
#define IS_READ(which) ((which) >= OPERAND_IMAGE && (which) != 255)
#define READS_A(program, k) IS_READ(program##_operands_##k & 255)
#define READS_B(program, k) (program##_op_##k >= 0 && IS_READ(program##_operands_##k >> 8 & 255))
#define IMAGES_ITERATION(program, count, k) +READS_A(program, k) + READS_B(program, k)
#define WORDS_ITERATION(program, count, k)                                                                             \
    +READS_A(program, k) * (program##_shape_##k & 15) * WORDS_OF_TYPE(program##_shape_##k >> 12 & 15) +                \
        READS_B(program, k) * (program##_shape_##k >> 4 & 15) * WORDS_OF_TYPE(program##_shape_##k >> 16 & 15)
#define PROGRAM_IMAGES                                                                                                 \
    ((LOAD_COUNT == 0) EACH_ITERATION(IMAGES_ITERATION, load, LOAD_COUNT)                                              \
         EACH_ITERATION(IMAGES_ITERATION, store, STORE_COUNT))
#define PROGRAM_WORDS                                                                                                  \
    ((LOAD_COUNT == 0) * IN_CHANNELS *WORDS_OF_TYPE(IN_TYPE) EACH_ITERATION(WORDS_ITERATION, load, LOAD_COUNT)         \
         EACH_ITERATION(WORDS_ITERATION, store, STORE_COUNT))
/* Blocks of 256 threads for a multiprocessor: of several images, more where their words leave registers for it. */
#define PROGRAM_BLOCKS (PROGRAM_IMAGES > 2 && PROGRAM_WORDS <= 12 ? 4 : 3)
struct image_words {
    four_words w;
    bool there; /* asked for */
};
LFN(bool, image_fits, int which, int channels, int type) {
    int i = which - OPERAND_IMAGE;
    if (!is_image(which))
        return true;
    return type != TYPE_VALUES && (BATCH_NEAR ? lies_in_words(L.image[i].first, L.image[i].pitch, type, channels)
                                              : lies_on(L.image[i].first, L.image[i].pitch, 4 * bytes_of(type)));
}
/* Where four pixels are apart, those that are not there are others of the row. */
LFN(four_words, read_batch_words, int which, int channels, int type, int x, int y) {
    four_words w;
    int i = which - OPERAND_IMAGE, last = L.width - 1;
    address row = row_of(L.image[i].first, L.image[i].pitch, y);
    if (BATCH_NEAR)
        return read_four_words(row, x, type, channels, true);
    w.a = read_bits_of_pixel(row, min(x, last), type, channels, true);
    w.b = read_bits_of_pixel(row, min(x + 32, last), type, channels, true);
    w.c = read_bits_of_pixel(row, min(x + 64, last), type, channels, true);
    w.d = read_bits_of_pixel(row, min(x + 96, last), type, channels, true);
    return w;
}
/* `left`: of WORDS_AHEAD. */
LFN(image_words, read_ahead, int which, int channels, int type, int x, int y, INOUT(int) left) {
    image_words ahead = {};
    left -= is_image(which) ? channels * bytes_of(type) : 0;
    ahead.there = is_image(which) && left >= 0;
    if (ahead.there)
        ahead.w = CALL(read_batch_words, which, channels, type, x, y);
    return ahead;
}
LFN(four_pixels, batch_of_words, four_words w, int channels, int type) {
    four_pixels p;
    if (BATCH_NEAR)
        return pixels_of_words(w, type, channels, true);
    p.a = pixel_of_bits(w.a, type, channels);
    p.b = pixel_of_bits(w.b, type, channels);
    p.c = pixel_of_bits(w.c, type, channels);
    p.d = pixel_of_bits(w.d, type, channels);
    return p;
}

#endif
