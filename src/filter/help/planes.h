/* SPDX-License-Identifier: MIT
 * The loop over a row that bodies of whole pixels share. What is not wanted is not computed: grey images cost a third.
 * RESULT is the body's call for pixel i, made at place `at`; out_r, out_g, out_b and out_a are the planes of `call`. */
#define PLANES_LOOP(RESULT, STORE)                                                                                     \
    VECTOR_LOOP                                                                                                        \
    for (int i = 0; i < call->count; i++) {                                                                            \
        place at = {(int)call->x + i, (int)call->y, (int)call->width, (int)call->height};                              \
        vec4 c = RESULT;                                                                                               \
        STORE;                                                                                                         \
    }
#define WANTED_PLANES(RESULT)                                                                                          \
    float *out_r = call->out[0], *out_g = call->out[1], *out_b = call->out[2], *out_a = call->out[3];                  \
    if (call->planes == 1 && !call->rest) {                                                                            \
        PLANES_LOOP(RESULT, out_r[i] = c.x)                                                                            \
    } else if (call->planes == 1) {                                                                                    \
        PLANES_LOOP(RESULT, (out_r[i] = c.x, out_a[i] = c.w))                                                          \
    } else if (!call->rest) {                                                                                          \
        PLANES_LOOP(RESULT, (out_r[i] = c.x, out_g[i] = c.y, out_b[i] = c.z))                                          \
    } else {                                                                                                           \
        PLANES_LOOP(RESULT, (out_r[i] = c.x, out_g[i] = c.y, out_b[i] = c.z, out_a[i] = c.w))                          \
    }
/* The same plane by plane, for bodies whose planes share no work: long bodies are vectorized then. */
#define WANTED_PLANES_APART(RESULT)                                                                                    \
    float *out_r = call->out[0], *out_g = call->out[1], *out_b = call->out[2], *out_a = call->out[3];                  \
    PLANES_LOOP(RESULT, out_r[i] = c.x)                                                                                \
    if (call->planes > 1) {                                                                                            \
        PLANES_LOOP(RESULT, out_g[i] = c.y)                                                                            \
        PLANES_LOOP(RESULT, out_b[i] = c.z)                                                                            \
    }                                                                                                                  \
    if (call->rest)                                                                                                    \
        PLANES_LOOP(RESULT, out_a[i] = c.w)
