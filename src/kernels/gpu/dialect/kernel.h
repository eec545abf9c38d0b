/* SPDX-License-Identifier: MIT
 * The dialect of GPU kernels: one source for Vulkan (the C preprocessor, then glslang) and CUDA (NVRTC, when a plan is
 * made). It adds to the dialect of bodies what a kernel needs: memory, threads, barriers.
 *
 *   address                         of device memory, 64 bits; arithmetic in bytes
 *   read_u8 read_u16 read_u32 read_f32 read_f32x4(address, i)   element i of an array there, i an int
 *   read_u32x2 read_u32x4(address, i)           as uvec4; the address and with it all elements on multiples of their size
 *   write_u8 .. write_f32x4(address, i, value)
 *   ask_memory_for(address)         soon read; CUDA alone
 *   atomic_add_u32 atomic_min_u32 atomic_max_u32(address, i, n)   on element i of an array of u32; give what it was
 *   read_changing_u32(address, i)   element i of one that other threads change meanwhile
 *   BLOCK_AT(type, address)         a parameter block there, as a value
 *   BLOCK_ONCE(type, address)       the same, read where it stands and kept in registers
 *   SHARED(vec4, tile, 64);         shared memory of a block, at file scope; 8 KB for 256 threads, no more:
 *                                   drivers share 48 KB among all that run on a multiprocessor
 *   SHARED_BY_LAUNCH(uvec4, table, 64);   more than 48 KB, CUDA alone: one of a variant's constants is LAUNCH_BYTES
 *   KERNEL(name, threads_x, threads_y) { ... }   begins with BEGIN or with wait_for_prior_launches() before it touches memory
 *   L                               the launch (kernels/gpu/dialect/launch.h), the same for all threads
 *   FN_CALL type name(arguments...) { ... }  a large function, not to be inlined; FN_FAR: one that is rarely called
 *   LFN(type, name, arguments...) { ... }    a function that reads L or the thread's state; called as
 *   CALL(name, arguments...)
 *   THREAD_X THREAD_Y BLOCK_X BLOCK_Y BLOCK_Z BLOCKS_X BLOCKS_Y BARRIER UNROLL
 *   ROLLED              a loop that is rarely run, whose iterations would only make the code longer
 *   MEMORY_BARRIER      before BARRIER where threads of a block read what others wrote to device memory
 *   uint bits_of_uint(float) float_of_uint(uint) component(v, k) set_component(v, k, x)
 *   PRECISE float x = ...           kept as written: no reordering; a product in it is written product_of(a, b), which
 *                                   stays one where CUDA's compiler would make a multiply-add of it
 *   CONSTANT(id, name)              a number that Vulkan knows when it makes the pipeline (specialization constant `id`)
 *                                   and CUDA, and Vulkan where loops are unrolled, when it compiles (a #define)
 *   KNOWN(name, expression)         a number of the launch that both know in the same way where FOLDED is 1, under the same
 *                                   name; else the expression of L, which is the same for all threads
 *
 * Rules beyond those of bodies: no pointers; barriers only where all threads of a block arrive, so no return before
 * one; arrays that are to live in registers are indexed by constants after unrolling. */
#ifndef KERNELS_GPU_KERNEL_H
#define KERNELS_GPU_KERNEL_H
#if defined(GLSL)
#include "kernels/gpu/dialect/specialization.h"
layout(constant_id = SPECIAL_UNITS) const int UNITS = 0; /* what the dialect asks */
#endif
#include "kernels/dialect.h"

#if defined(GLSL) /* ------------------------------------------------------- Vulkan, after cpp -P -undef -DGLSL */
#define FN_CALL
#define FN_FAR
#define address uint64_t
#define long_int int64_t
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer memory_u8 { uint8_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer memory_u16 { uint16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer memory_u32 { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer memory_f32 { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer memory_f32x4 { vec4 at[]; };
#define read_u8(a, i) uint(memory_u8(a).at[i])
#define read_u16(a, i) uint(memory_u16(a).at[i])
#define read_u32(a, i) memory_u32(a).at[i]
#define read_f32(a, i) memory_f32(a).at[i]
#define read_f32x4(a, i) memory_f32x4(a).at[i]
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer memory_u32x2 { uvec2 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer memory_u32x4 { uvec4 at[]; };
#define words(a, b, c, d) uvec4(a, b, c, d)
#define read_u32x2(a, i) uvec4(memory_u32x2(a).at[i], 0u, 0u)
#define read_u32x4(a, i) memory_u32x4(a).at[i]
#define write_u32x2(a, i, v) memory_u32x2(a).at[i] = uvec2((v).x, (v).y)
#define write_u32x4(a, i, v) memory_u32x4(a).at[i] = (v)
#define write_u8(a, i, v) memory_u8(a).at[i] = uint8_t(v)
#define write_u16(a, i, v) memory_u16(a).at[i] = uint16_t(v)
#define write_u32(a, i, v) memory_u32(a).at[i] = (v)
#define write_f32(a, i, v) memory_f32(a).at[i] = (v)
#define write_f32x4(a, i, v) memory_f32x4(a).at[i] = (v)
#define atomic_add_u32(a, i, n) atomicAdd(memory_u32(a).at[i], n)
#define atomic_min_u32(a, i, n) atomicMin(memory_u32(a).at[i], n)
#define atomic_max_u32(a, i, n) atomicMax(memory_u32(a).at[i], n)
layout(buffer_reference, scalar, buffer_reference_align = 4) volatile buffer changing_u32 { uint at[]; };
#define read_changing_u32(a, i) changing_u32(a).at[i]
/* A filter's header declares BLOCK_MEMORY(type) once, then BLOCK_AT works. */
#define BLOCK_MEMORY_(type) layout(buffer_reference, scalar, buffer_reference_align = 4) buffer type##_memory { type at; };
#define BLOCK_MEMORY(type) BLOCK_MEMORY_(type)
#define BLOCK_AT_(type, a) type##_memory(a).at
#define BLOCK_AT(type, a) BLOCK_AT_(type, a)
#define BLOCK_ONCE(type, a) BLOCK_AT_(type, a)
#define SHARED(type, name, count) shared type name[count]
#define LFN(type, name, ...) type name(__VA_ARGS__)
#define LFN0(type, name) type name()
#define CALL(name, ...) name(__VA_ARGS__)
#define CALL0(name) name()
#define INOUT(type) inout type
#define THREAD_X int(gl_LocalInvocationID.x)
#define THREAD_Y int(gl_LocalInvocationID.y)
#define BLOCK_X int(gl_WorkGroupID.x)
#define BLOCK_Y int(gl_WorkGroupID.y)
#define BLOCK_Z int(gl_WorkGroupID.z)
#define BLOCKS_X int(gl_NumWorkGroups.x)
#define BLOCKS_Y int(gl_NumWorkGroups.y)
#define BARRIER                                                                                                        \
    memoryBarrierShared();                                                                                             \
    barrier()
#define MEMORY_BARRIER memoryBarrier()
#define UNROLL [[unroll]]
#define ROLLED [[dont_unroll]]
#define PRECISE precise
#define product_of(a, b) ((a) * (b))
#define bits_of_uint floatBitsToUint
#define float_of_uint uintBitsToFloat
#define component(v, k) (v)[k]
#define set_component(v, k, x) (v)[k] = (x)
#if defined(UNROLLED)
#define CONSTANT(id, name)
#else
#define CONSTANT(id, name) layout(constant_id = id) const int name = 1;
#endif
#define KNOWN(name, expression) (FOLDED != 0 ? name : (expression))
#define wait_for_prior_launches()

#else /* ------------------------------------------------------------------------------------------------------ CUDA */
#include "known.h" /* made for each kernel: FOLDED and, where it is 1, all that KNOWN names (backend/cuda/kernel_source.c) */
#if FOLDED
#define FN_CALL FN /* where types are known its code is small */
#else
#define FN_CALL static __device__ __noinline__ /* many times called, large: code once */
#endif
#define FN_FAR static __device__ __noinline__
typedef unsigned long long address;
typedef long long long_int;
typedef unsigned uint;
struct alignas(16) uvec4 { uint x, y, z, w; }; /* so that shared memory takes it as a whole */
FN uvec4 words(uint x, uint y, uint z, uint w) { uvec4 v = {x, y, z, w}; return v; }
/* Images and tables are in global memory. An address is an integer, so the code must say so. */
template <class type> FN type &global_at(address a, int i) {
    type *place_there = (type *)a + i;
#if defined(__CUDA_ARCH__)
    __builtin_assume(__isGlobal(place_there));
#endif
    return *place_there;
}
/* A kernel that writes nothing that it reads says so by READS_INPUT_ONLY. For addresses that are incremented the compiler no longer
 * knows the address space and emits generic loads and stores; this names the address space. */
template <class type> FN type global_read(address a, int i) {
#if defined(__CUDA_ARCH__) && defined(READS_INPUT_ONLY)
    return __ldg((const type *)a + i);
#else
    return global_at<const type>(a, i);
#endif
}
#define read_u8(a, i) uint(global_read<unsigned char>(a, i))
#define read_u16(a, i) uint(global_read<unsigned short>(a, i))
#define read_u32(a, i) global_read<unsigned>(a, i)
#define read_f32(a, i) global_read<float>(a, i)
#define write_u8(a, i, v) global_at<unsigned char>(a, i) = (unsigned char)(v)
#define write_u16(a, i, v) global_at<unsigned short>(a, i) = (unsigned short)(v)
#define write_f32(a, i, v) global_at<float>(a, i) = (v)
FN vec4 read_f32x4(address a, int i) {
    float4 v = global_read<float4>(a, i);
    return rgba(v.x, v.y, v.z, v.w);
}
FN uvec4 read_u32x2(address a, int i) {
    uint2 v = global_read<uint2>(a, i);
    return words(v.x, v.y, 0u, 0u);
}
FN uvec4 read_u32x4(address a, int i) {
    uint4 v = global_read<uint4>(a, i);
    return words(v.x, v.y, v.z, v.w);
}
#if defined(__CUDA_ARCH__) && defined(READS_INPUT_ONLY)
FN void write_u32(address a, int i, uint v) { asm volatile("st.global.u32 [%0], %1;" : : "l"((uint *)a + i), "r"(v)); }
FN void write_u32x2(address a, int i, uvec4 v) {
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" : : "l"((uint2 *)a + i), "r"(v.x), "r"(v.y));
}
FN void write_u32x4(address a, int i, uvec4 v) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" : : "l"((uint4 *)a + i), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
}
#else
FN void write_u32(address a, int i, uint v) { global_at<uint>(a, i) = v; }
FN void write_u32x2(address a, int i, uvec4 v) { global_at<uint2>(a, i) = make_uint2(v.x, v.y); }
FN void write_u32x4(address a, int i, uvec4 v) { global_at<uint4>(a, i) = make_uint4(v.x, v.y, v.z, v.w); }
#endif
/* Prefetches what lies there into the cache. */
FN void ask_memory_for(address a) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" : : "l"(a));
#endif
}
FN void write_f32x4(address a, int i, vec4 v) { global_at<float4>(a, i) = make_float4(v.x, v.y, v.z, v.w); }
#define atomic_add_u32(a, i, n) atomicAdd((unsigned *)(a) + (i), unsigned(n))
#define atomic_min_u32(a, i, n) atomicMin((unsigned *)(a) + (i), unsigned(n))
#define atomic_max_u32(a, i, n) atomicMax((unsigned *)(a) + (i), unsigned(n))
#define read_changing_u32(a, i) (((const volatile unsigned *)(a))[i])
#define BLOCK_MEMORY(type)
#define BLOCK_AT(type, a) (*(const type *)(a))
/* In loops compilers read again what they may, and wait for it there. */
template <class type> FN type block_once(address a) {
#if defined(__CUDA_ARCH__)
    type block;
    _Pragma("unroll") for (unsigned i = 0; i < sizeof block / 4; i++)
        asm volatile("ld.u32 %0, [%1];" : "=r"(((unsigned *)&block)[i]) : "l"(a + 4 * i));
    return block;
#else
    return BLOCK_AT(type, a);
#endif
}
#define BLOCK_ONCE(type, a) block_once<type>(a)
#define SHARED(type, name, count) __shared__ type name[count]
#if defined(EMULATED_SHARED)
#define SHARED_BY_LAUNCH(type, name, count) __shared__ type name[count]
#else
#define SHARED_BY_LAUNCH(type, name, count) extern __shared__ type name[]
#endif
#define LFN(type, name, ...) FN type name(const gpu_launch &L, thread_state &S, __VA_ARGS__)
#define LFN0(type, name) FN type name(const gpu_launch &L, thread_state &S)
#define CALL(name, ...) name(L, S, __VA_ARGS__)
#define CALL0(name) name(L, S)
#define INOUT(type) type &
#define THREAD_X int(threadIdx.x)
#define THREAD_Y int(threadIdx.y)
#define BLOCK_X int(blockIdx.x)
#define BLOCK_Y int(blockIdx.y)
#define BLOCK_Z int(blockIdx.z)
#define BLOCKS_X int(gridDim.x)
#define BLOCKS_Y int(gridDim.y)
#define BARRIER __syncthreads()
#define MEMORY_BARRIER __threadfence_block()
/* Programmatic dependent launch: lets the next launch begin, then waits until the previous one has ended and its writes are
 * visible. So the start of a kernel overlaps with the end of the one before (command_list.c says which launches may overlap). */
FN void wait_for_prior_launches() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define PRECISE
#define product_of(a, b) __fmul_rn(a, b)
#define bits_of_uint __float_as_uint
#define float_of_uint __uint_as_float
FN float component(const vec4 &v, int k) { return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w; }
FN void set_component(vec4 &v, int k, float x) {
    if (k == 0) v.x = x;
    else if (k == 1) v.y = x;
    else if (k == 2) v.z = x;
    else v.w = x;
}
#define CONSTANT(id, name)
#if FOLDED
#define KNOWN(name, expression) (name)
#else
#define KNOWN(name, expression) (expression)
#endif
#endif

#endif
