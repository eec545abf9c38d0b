/* SPDX-License-Identifier: MIT
 * The dialect: the C that bodies are written in, accepted by C compilers, nvcc and, after the C preprocessor, glslang.
 *
 *   types      float, int, vec2 (x y), vec4 (x y z w: red, green, blue, alpha), place (int x y width height)
 *   make       xy(x, y), rgba(r, g, b, a); float(i) is written to_float(i), int(v) to_int(v) (towards zero)
 *   functions  FN float name(float a, ...) { ... }
 *   choices    choose(on, a, b) is on ? a : b; C compilers make both, so that long ones are no branch in a loop over a row,
 *              GPUs only the one
 *   loops      UNROLLED_15(STEP) is STEP(1) to STEP(15): written out for C compilers, which would make vectors of such a loop
 *              and then none of the loop over a row around it
 *   math       min max clamp mix step smoothstep abs floor sqrt exp exp2 log2 pow sin cos atan2 luminance; exp2_near, for
 *              weights that are nobody's result: exp2 in the one instruction that GPUs have for it, to some 20 bits;
 *              near_reciprocal(v): 1 / v, on GPUs by the one instruction that they have for it, off by a unit in the last
 *              place or so, exact of 1
 *   rules      no pointers, no recursion, no structs of one's own, no conversion without to_float or to_int; prefer
 *              c ? a : b on floats to if, so that loops over rows become vector code
 *
 * exp2, log2, pow, exp, sin, cos and atan2 are ours, the same polynomials everywhere, so that backends agree, but for exp2
 * and log2 by the units that NVIDIA's GPUs have for them, whose bounds CUDA states; what Vulkan promises of any device (3 units in
 * the last place of log2, and 2 |v| more of 2^v) is less, so that it asks which device it is. The double precision reference
 * (DIALECT_DOUBLE) takes the C library's. They treat a negative argument of pow as 0. */
#ifndef KERNELS_DIALECT_H
#define KERNELS_DIALECT_H

#if defined(GLSL) /* ------------------------------------------------------- Vulkan, after cpp -P -undef -DGLSL */
#define FN
#define UNROLLED_15(STEP) for (int step_15 = 1; step_15 < 16; step_15++) { STEP(step_15) }
#define choose(on, a, b) ((on) ? (a) : (b))
#define xy vec2
#define rgba vec4
#define to_float(i) float(i)
#define to_int(v) int(v)
#define shift_left(i, n) ((i) << (n))
#define float_from_bits(i) intBitsToFloat(i)
#define bits_of_float(v) floatBitsToInt(v)
struct place { int x, y, width, height; };
float exp2_near(float v) { return exp2(v); } /* the language's own, whose names are taken over below */
float log2_near(float v) { return log2(v); }

#elif defined(__CUDACC__) /* ----------------------------------------------------------------------------- CUDA */
#define FN static __device__ __forceinline__
#define UNROLLED_15(STEP) for (int step_15 = 1; step_15 < 16; step_15++) { STEP(step_15) }
#define choose(on, a, b) ((on) ? (a) : (b))
struct vec2 { float x, y; };
struct vec4 { float x, y, z, w; };
struct place { int x, y, width, height; };
FN vec2 xy(float x, float y) { vec2 v = {x, y}; return v; }
FN vec4 rgba(float x, float y, float z, float w) { vec4 c = {x, y, z, w}; return c; }
#define to_float(i) float(i)
#define to_int(v) int(v)
#define shift_left(i, n) int(unsigned(i) << (n))
#define float_from_bits(i) __int_as_float(i)
#define bits_of_float(v) __float_as_int(v)
FN float clamp(float v, float low, float high) { return fminf(fmaxf(v, low), high); }
FN float mix(float a, float b, float t) { return a + (b - a) * t; }
FN float step(float edge, float v) { return v < edge ? 0.0f : 1.0f; }
#if defined(__CUDA_ARCH__)
FN float exp2_near(float v) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(v));
    return power;
}
FN float log2_near(float v) {
    float logarithm;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(logarithm) : "f"(v));
    return logarithm;
}
#endif

#else /* ------------------------------------------------------------------------------------------------ the C host */
#include <math.h>
#include <string.h>
#define FN static inline __attribute__((unused, always_inline))
#define UNROLLED_15(STEP)                                                                                              \
    STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)                                                    \
    STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
#ifdef DIALECT_DOUBLE
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define float double
#define REAL(name) __builtin_##name
#else
#define REAL(name) __builtin_##name##f
#endif
typedef struct vec2 { float x, y; } vec2;
typedef struct vec4 { float x, y, z, w; } vec4;
typedef struct place { int x, y, width, height; } place;
FN vec2 xy(float x, float y) { vec2 v = {x, y}; return v; }
FN vec4 rgba(float x, float y, float z, float w) { vec4 c = {x, y, z, w}; return c; }
FN float choose(bool on, float a, float b) { return on ? a : b; }
#define to_float(i) ((float)(i))
#define to_int(v) ((int)(v))
#ifndef DIALECT_DOUBLE
FN int shift_left(int i, int n) { return (int)((unsigned)i << n); }
FN float float_from_bits(int bits) { float v; memcpy(&v, &bits, sizeof v); return v; }
FN int bits_of_float(float v) { int bits; memcpy(&bits, &v, sizeof bits); return bits; }
#endif
/* The names of mathematics are taken over from here on: bodies use no others. */
#undef min
#undef max
#define min(a, b) dialect_min(a, b)
#define max(a, b) dialect_max(a, b)
#define abs(a) dialect_abs(a)
#define floor(a) dialect_floor(a)
#define sqrt(a) dialect_sqrt(a)
#define clamp(v, low, high) dialect_clamp(v, low, high)
#define mix(a, b, t) dialect_mix(a, b, t)
#define step(edge, v) dialect_step(edge, v)
FN float dialect_min(float a, float b) { return a < b ? a : b; }
FN float dialect_max(float a, float b) { return a > b ? a : b; }
FN float dialect_abs(float a) { return REAL(fabs)(a); }
FN float dialect_floor(float a) { return REAL(floor)(a); }
FN float dialect_sqrt(float a) { return REAL(sqrt)(a); }
FN float dialect_clamp(float v, float low, float high) { v = v > low ? v : low; return v < high ? v : high; }
FN float dialect_mix(float a, float b, float t) { return a + (b - a) * t; }
FN float dialect_step(float edge, float v) { return v < edge ? 0.0f : 1.0f; }
#endif

#define smoothstep(low, high, v) dialect_smoothstep(low, high, v)
#define exp2(v) dialect_exp2(v)
#define log2(v) dialect_log2(v)
#define exp(v) dialect_exp2((v) * 1.44269504088896f)
#define pow(v, e) dialect_pow(v, e)
#define sin(v) dialect_sin(v)
#define cos(v) dialect_cos(v)
#define atan2(y, x) dialect_atan2(y, x)

/* Equal edges make a step, where GLSL leaves the result open. */
FN float dialect_smoothstep(float low, float high, float v) {
    float t = clamp((v - low) / (high > low ? high - low : 1.0f), 0.0f, 1.0f);
    return high > low ? t * t * (3.0f - 2.0f * t) : step(low, v);
}

#ifdef DIALECT_DOUBLE
FN double dialect_exp2(double v) { return __builtin_exp2(v); }
FN double dialect_log2(double v) { return __builtin_log2(v); }
FN double dialect_sin(double v) { return __builtin_sin(v); }
FN double dialect_cos(double v) { return __builtin_cos(v); }
FN double dialect_atan2(double y, double x) { return __builtin_atan2(y == 0 ? 0 : y, x); }
FN double dialect_pow(double v, double e) { return v > 0 ? __builtin_pow(v, e) : (e == 0 ? 1.0 : 0.0); }
#else
/* Numbers this much larger have steps of 1. KEPT: what compilers must not simplify. */
#define WHOLE_SHIFT 12582912.0f
#if defined(GLSL)
#define KEPT precise
#else
#define KEPT
#endif

/* 2^v: the integer part goes to the exponent's bits, the rest, within [-1/2, 1/2], into the minimax polynomial of relative error
 * that is 1 at 0 (9e-8 before rounding). 0 below 2^-126.5, 2^127.49 above. */
FN float exp2_by_polynomial(float v) {
    float x = clamp(v, -127.0f, 127.49f);
    KEPT float shifted = x + WHOLE_SHIFT; /* the nearest whole number in its last bits, without slow conversions */
    KEPT float f = x - (shifted - WHOLE_SHIFT);
    float p = 1.3264727e-3f;
    p = p * f + 9.6715130e-3f;
    p = p * f + 5.5507336e-2f;
    p = p * f + 2.4022242e-1f;
    p = p * f + 6.9314700e-1f;
    p = p * f + 1.0f;
    return p * float_from_bits(shift_left(bits_of_float(shifted) + 127, 23)); /* -127 + 127: 0 */
}

/* log2(v) for normal v > 0, something finite otherwise: of the mantissa 1 + m in [sqrt(1/2), sqrt(2)), m times the minimax
 * polynomial of relative error (1.7e-7 before rounding). */
FN float log2_by_polynomial(float v) {
    int bits = bits_of_float(v) & 0x7fffffff;
    int exponent = (bits - 0x3f3504f3) >> 23;
    float m = float_from_bits(bits - shift_left(exponent, 23)) - 1.0f;
    float p = -0.14581142f;
    p = p * m + 0.23404226f;
    p = p * m - 0.24887690f;
    p = p * m + 0.28709871f;
    p = p * m - 0.36023962f;
    p = p * m + 0.48092324f;
    p = p * m - 0.72135282f;
    p = p * m + 1.4426949f;
#if defined(GLSL) || defined(__CUDACC__) /* on GPUs conversions take 8 times as long as additions */
    KEPT float whole = float_from_bits(exponent + 0x4b400000) - WHOLE_SHIFT;
    return whole + m * p;
#else
    return to_float(exponent) + m * p;
#endif
}
#define SMALLEST_NORMAL 1.17549435e-38f
FN float pow_by_polynomials(float v, float e) {
    float p = exp2_by_polynomial(e * log2_by_polynomial(v));
    return v > SMALLEST_NORMAL ? p : (e == 0.0f ? 1.0f : 0.0f);
}

/* The hardware instructions are as exact: 2 units in the last place of 2^v, and log2(v) within 2^-22. They give an infinite
 * logarithm of 0 and power 0 of that, without a branch. */
#if defined(__CUDA_ARCH__) || defined(GLSL)
FN float exp2_by_unit(float v) { return exp2_near(clamp(v, -127.0f, 127.49f)); }
FN float pow_by_units(float v, float e) {
    float p = exp2_near(min(e * log2_near(abs(v)), 127.49f));
    return v > SMALLEST_NORMAL && e != 0.0f ? p : (e == 0.0f ? 1.0f : 0.0f);
}
#endif
#if defined(__CUDA_ARCH__)
#define BY_UNITS(unit, polynomial) (unit)
#elif defined(GLSL)
#define BY_UNITS(unit, polynomial) (UNITS != 0 ? (unit) : (polynomial))
#else
#define BY_UNITS(unit, polynomial) (polynomial)
#endif
FN float dialect_exp2(float v) { return BY_UNITS(exp2_by_unit(v), exp2_by_polynomial(v)); }
FN float dialect_log2(float v) {
    float x = v > SMALLEST_NORMAL ? v : SMALLEST_NORMAL;
    return BY_UNITS(log2_near(x), log2_by_polynomial(x));
}
FN float dialect_pow(float v, float e) { return BY_UNITS(pow_by_units(v, e), pow_by_polynomials(v, e)); }

/* The whole number next to v, for |v| below 2^22. */
FN float nearest_whole(float v) {
    KEPT float shifted = v + WHOLE_SHIFT;
    KEPT float whole = shifted - WHOLE_SHIFT;
    return whole;
}
/* sin(u + turns pi) for the angle u = v - halves pi within [-pi/2, pi/2]: the odd minimax polynomial (error 5e-9 before rounding),
 * whose sign changes with each half turn. The first product is exact, as pi is taken in two parts, the first of 8 bits. */
FN float sine_past_half_turns(float v, float halves, float turns) {
    KEPT float rest = v - halves * 3.140625f;
    KEPT float u = rest - halves * 9.67653590e-4f;
    float square = u * u, pairs = 0.5f * turns;
    float p = 2.6000467e-6f;
    p = p * square - 1.9806611e-4f;
    p = p * square + 8.3330172e-3f;
    p = p * square - 0.16666657f;
    return (u + u * square * p) * (1.0f - 4.0f * abs(pairs - nearest_whole(pairs)));
}
FN float dialect_sin(float v) {
    float turns = nearest_whole(v * 0.318309886f);
    return sine_past_half_turns(v, turns, turns);
}
FN float dialect_cos(float v) {
    float turns = nearest_whole(v * 0.318309886f + 0.5f);
    return sine_past_half_turns(v, turns - 0.5f, turns);
}

/* The angle of the place x, y, from -pi to pi; pi, not -pi, where y is 0, 0 in the middle. It is the odd minimax polynomial of
 * relative error (1.6e-8) of the smaller side over the larger. */
FN float dialect_atan2(float y, float x) {
    float across = abs(x), up = abs(y), most = max(across, up);
    float t = min(across, up) / (most > 0.0f ? most : 1.0f), square = t * t;
    float p = 2.8498864e-3f;
    p = p * square - 1.6068615e-2f;
    p = p * square + 4.26915e-2f;
    p = p * square - 7.5042926e-2f;
    p = p * square + 0.10640933f;
    p = p * square - 0.14203644f;
    p = p * square + 0.1999262f;
    p = p * square - 0.33333072f;
    p = p * square + 1.0f;
    float angle = up > across ? 1.57079633f - t * p : t * p;
    angle = x < 0.0f ? 3.14159265f - angle : angle;
    return y < 0.0f ? -angle : angle;
}
#endif

#if !defined(GLSL) && !defined(__CUDA_ARCH__)
#define exp2_near(v) dialect_exp2(v)
#endif
FN float near_reciprocal(float v) {
#if defined(__CUDA_ARCH__)
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
#else
    return 1.0f / v;
#endif
}

/* A weighted sum of red, green and blue. Of a grey pixel it is exactly that grey where the weights sum to 1. Rounded products miss
 * it; fused ones do not, if the weights are multiples of 2^-24 (tried with all numbers of 24 bits). Elsewhere grey pixels are a
 * case of their own. */
#if defined(__CUDA_ARCH__)
#define FUSED(a, b, c) __fmaf_rn(a, b, c)
#elif (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) && !defined(DIALECT_DOUBLE)
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#endif
FN float weighted(vec4 c, float red, float green, float blue) {
#if defined(FUSED)
    return FUSED(green, c.y, FUSED(red, c.x, blue * c.z));
#else
    float sum = red * c.x + green * c.y + blue * c.z;
    float grey = red + green + blue == 1.0f ? c.x : sum;
    return c.x == c.y ? (c.y == c.z ? grey : sum) : sum;
#endif
}
/* BT.709 luminance weights as GPUImage and others round them: 0.2125, 0.7154 and 0.0721. */
FN float luminance(vec4 c) {
    return weighted(c, 3565158.0f / 16777216.0f, 12002421.0f / 16777216.0f, 1209637.0f / 16777216.0f);
}

#endif
