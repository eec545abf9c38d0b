/* SPDX-License-Identifier: MIT
 * What nvcc gives to kernels, for a C++ compiler: included before a kernel's source, it makes the CUDA form of the
 * kernel a function of the processor. emulated.h runs it. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H
/* No header of C++: they take half as long to read as all the rest of a kernel takes to compile. */
typedef __SIZE_TYPE__ size_t;
#define memcpy __builtin_memcpy
#define memset __builtin_memset
#define sqrtf __builtin_sqrtf
#define fmaf __builtin_fmaf
static inline int abs(int v) { return __builtin_abs(v); }
static inline float abs(float v) { return __builtin_fabsf(v); }
static inline float floor(float v) { return __builtin_floorf(v); }
static inline float sqrt(float v) { return __builtin_sqrtf(v); }

#define __CUDACC__ 13
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((unused)) /* forced, kernels take up to fifteen times as long to compile */
#define __noinline__ __attribute__((noinline, unused))
#define __launch_bounds__(...)
#define __grid_constant__
/* Where memory of the block lies, so that it can be filled with nonsense before every block. */
#define __shared__ static __attribute__((section(EMULATED_SHARED), unused))

struct emulated_index {
    unsigned x, y, z;
};
extern "C" {
extern struct emulated_index emulated_thread, emulated_block, emulated_threads, emulated_blocks;
void emulated_barrier(int line);
}
#define threadIdx emulated_thread
#define blockIdx emulated_block
#define blockDim emulated_threads
#define gridDim emulated_blocks
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)
#define __syncthreads() emulated_barrier(__LINE__)

struct alignas(16) float4 {
    float x, y, z, w;
};
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct alignas(8) float2 {
    float x, y;
};
static inline float2 make_float2(float x, float y) { return {x, y}; }
struct alignas(8) uint2 {
    unsigned x, y;
};
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

template <class To, class From> static inline To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "another size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
static inline int __float_as_int(float v) { return same_bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return same_bits<unsigned>(v); }
static inline float __int_as_float(int v) { return same_bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return same_bits<float>(v); }

/* IEEE, whatever the compiler does around them. */
static __attribute__((noinline, unused)) float __fmul_rn(float a, float b) { return a * b; }
static __attribute__((noinline, unused)) float __fadd_rn(float a, float b) { return a + b; }
static __attribute__((noinline, unused)) float __fsub_rn(float a, float b) { return a - b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline float __fdividef(float a, float b) { return a / b; }

/* Of a number and NaN, the number. */
static inline float min(float a, float b) { return a != a || b < a ? b : a; }
static inline float max(float a, float b) { return a != a || b > a ? b : a; }
#define fminf(a, b) min(float(a), float(b))
#define fmaxf(a, b) max(float(a), float(b))
static inline int min(int a, int b) { return b < a ? b : a; }
static inline int max(int a, int b) { return b > a ? b : a; }
static inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
static inline unsigned max(unsigned a, unsigned b) { return b > a ? b : a; }
static inline unsigned min(unsigned a, int b) { return min(a, unsigned(b)); }
static inline unsigned max(unsigned a, int b) { return max(a, unsigned(b)); }
static inline unsigned min(int a, unsigned b) { return min(unsigned(a), b); }
static inline unsigned max(int a, unsigned b) { return max(unsigned(a), b); }
static inline long long min(long long a, long long b) { return b < a ? b : a; }
static inline long long max(long long a, long long b) { return b > a ? b : a; }
static inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
static inline unsigned long long max(unsigned long long a, unsigned long long b) { return b > a ? b : a; }

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz(unsigned(v)); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline unsigned __brev(unsigned v) {
    unsigned result = 0;
    for (int i = 0; i < 32; i++)
        result |= (v >> i & 1u) << (31 - i);
    return result;
}
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
template <class T> static inline T __ldg(const T *p) { return *p; }

/* One thread runs at a time: nothing need be atomic. */
template <class T> static inline T emulated_exchange(T *at, T v) {
    T old = *at;
    *at = v;
    return old;
}
static inline unsigned atomicAdd(unsigned *at, unsigned v) { return emulated_exchange(at, *at + v); }
static inline int atomicAdd(int *at, int v) { return emulated_exchange(at, int(unsigned(*at) + unsigned(v))); }
static inline unsigned atomicMin(unsigned *at, unsigned v) { return emulated_exchange(at, min(*at, v)); }
static inline unsigned atomicMax(unsigned *at, unsigned v) { return emulated_exchange(at, max(*at, v)); }
static inline unsigned atomicOr(unsigned *at, unsigned v) { return emulated_exchange(at, *at | v); }
static inline unsigned atomicAnd(unsigned *at, unsigned v) { return emulated_exchange(at, *at & v); }
static inline unsigned atomicExch(unsigned *at, unsigned v) { return emulated_exchange(at, v); }
static inline unsigned atomicCAS(unsigned *at, unsigned compare, unsigned v) {
    return emulated_exchange(at, *at == compare ? v : *at);
}

/* What threads of a warp do together. Threads of a block arrive together here, which is more than they must. */
#define WARP 32
static inline unsigned emulated_number() { return emulated_thread.x + emulated_threads.x * emulated_thread.y; }
static inline unsigned __shfl_xor_sync(unsigned mask, unsigned v, int other) {
    static unsigned given[1024];
    unsigned i = emulated_number();
    (void)mask;
    given[i] = v;
    __syncthreads();
    v = given[i ^ unsigned(other)];
    __syncthreads();
    return v;
}
/* The largest number of a warp. */
static inline unsigned emulated_largest(unsigned n) {
    static unsigned given[1024];
    unsigned i = emulated_number(), first = i / WARP * WARP, largest = 0;
    given[i] = n;
    __syncthreads();
    for (unsigned k = 0; k < WARP; k++)
        largest = given[first + k] > largest ? given[first + k] : largest;
    __syncthreads();
    return largest;
}
/* Rows of a on the left, 16 of 32 bytes, times columns on the right (kernels/gpu/mma/mma_bytes.h). */
static inline void emulated_multiply_add(int (&sum)[4], unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                                         bool with_sign) {
    static int left[1024][4][4], right[1024][2][4]; /* the bytes of words */
    unsigned i = emulated_number(), first = i / WARP * WARP, group = i % WARP / 4, four = i % 4;
    const unsigned words[6] = {a, b, c, d, e, f};
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned w = 0; w < 4; w++) {
            int byte = int(words[w] >> (8 * k) & 255);
            left[i][w][k] = with_sign && byte > 127 ? byte - 256 : byte;
        }
        for (unsigned w = 0; w < 2; w++)
            right[i][w][k] = int(words[4 + w] >> (8 * k) & 255);
    }
    __syncthreads();
    for (unsigned n = 0; n < 4; n++)
        for (unsigned place = 0; place < 4; place++)
            for (unsigned further = 0; further < 2; further++) {
                const int *l = left[first + 4 * group + place][2 * further + n / 2];
                const int *r = right[first + 4 * (2 * four + n % 2) + place][further];
                sum[n] += l[0] * r[0] + l[1] * r[1] + l[2] * r[2] + l[3] * r[3];
            }
    __syncthreads();
}

/* The same of 16 columns of half floats, and of 8 of floats, of which 11 bits count (kernels/gpu/mma/mma_floats.h). */
static inline float emulated_number_of(unsigned bits, bool half) {
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (!half)
        return same_bits<float>(bits & 0xffffe000u);
    float v = exponent == 0 ? float(fraction) * 0x1p-24f
                            : same_bits<float>((exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
    return bits >> 15 & 1 ? -v : v;
}
static inline void emulated_multiply_add_numbers(float (&sum)[4], unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                                                 unsigned f, bool halves) {
    static float left[1024][8], right[1024][4]; /* numbers in the order of words */
    const unsigned each = halves ? 2 : 1, words[6] = {a, b, c, d, e, f};
    unsigned i = emulated_number(), first = i / WARP * WARP, group = i % WARP / 4, four = i % 4;
    for (unsigned w = 0; w < 6; w++)
        for (unsigned k = 0; k < each; k++)
            (w < 4 ? left[i][each * w + k] : right[i][each * (w - 4) + k]) =
                emulated_number_of(halves ? words[w] >> (16 * k) & 65535 : words[w], halves);
    __syncthreads();
    for (unsigned n = 0; n < 4; n++) {
        double all = double(sum[n]);
        for (unsigned k = 0; k < 8 * each; k++) {
            unsigned further = k / (4 * each), place = k % (4 * each) / each, column = 2 * four + n % 2;
            all += double(left[first + 4 * group + place][each * (2 * further + n / 2) + k % each]) *
                   double(right[first + 4 * column + place][each * further + k % each]);
        }
        sum[n] = float(all);
    }
    __syncthreads();
}

/* Kernels take the launch by value. Copying it for every thread would take longer than most kernels do. */
#include "kernels/gpu/dialect/kernel.h"
#define LAUNCH_ARGUMENT gpu_launch &
#define KERNEL_ENTRY(name) emulated_entry

#endif
