/* SPDX-License-Identifier: MIT
 * Fibers. On x86-64 a switch is a dozen instructions; elsewhere it is swapcontext, which asks the system every time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <sys/mman.h>
#include "emulated.h"
#include "fiber.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif
#ifdef ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#define STACK_SIZE ((size_t)1 << 20)
#else
#define STACK_SIZE ((size_t)1 << 18)
#endif
#define GUARD_SIZE ((size_t)1 << 16) /* at least a page on every system; stacks grow towards it */

#if defined(__x86_64__)
typedef void *context;
/* Keeps the registers that a call keeps on the stack left behind, and takes those of the other. */
void emulated_switch(void **from, void *to);
__asm__(".text\n"
        ".local emulated_switch\n"
        ".type emulated_switch, @function\n"
        "emulated_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size emulated_switch, .-emulated_switch\n");
#else
#include <ucontext.h>
typedef ucontext_t context;
#endif

static struct fiber {
    unsigned char *stack;
    context own, caller;
    void *fake, *caller_fake; /* the address sanitizer's */
    const void *caller_stack;
    size_t caller_size;
} fibers[FIBERS];
static void (*fiber_body)(int i);
static int starting;

static void begin(void) {
    int i = starting;
#ifdef ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(NULL, &fibers[i].caller_stack, &fibers[i].caller_size);
#endif
    fiber_body(i);
    emulated_fault("a fiber returned");
}

static void create(struct fiber *fiber) {
    void *memory =
        mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD_SIZE, PROT_NONE) != 0)
        emulated_fault("no memory for a thread's stack");
    fiber->stack = (unsigned char *)memory + GUARD_SIZE;
#if defined(__x86_64__)
    /* As if begin had been called: six registers, where to go, and nowhere to return to. */
    uintptr_t *top = (uintptr_t *)(void *)(fiber->stack + STACK_SIZE) - 10;
    top[6] = (uintptr_t)begin;
    fiber->own = top;
#else
    getcontext(&fiber->own);
    fiber->own.uc_stack.ss_sp = fiber->stack;
    fiber->own.uc_stack.ss_size = STACK_SIZE;
    makecontext(&fiber->own, begin, 0);
#endif
}

void emulated_fiber_resume(int i, void (*body)(int i)) {
    struct fiber *fiber = &fibers[i];
    if (!fiber->stack)
        create(fiber);
    fiber_body = body;
    starting = i;
#ifdef ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(&fiber->caller_fake, fiber->stack, STACK_SIZE);
#endif
#if defined(__x86_64__)
    emulated_switch(&fiber->caller, fiber->own);
#else
    swapcontext(&fiber->caller, &fiber->own);
#endif
#ifdef ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fiber->caller_fake, NULL, NULL);
#endif
}

void emulated_fiber_yield(int i) {
    struct fiber *fiber = &fibers[i];
#ifdef ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(&fiber->fake, fiber->caller_stack, fiber->caller_size);
#endif
#if defined(__x86_64__)
    emulated_switch(&fiber->own, fiber->caller);
#else
    swapcontext(&fiber->own, &fiber->caller);
#endif
#ifdef ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fiber->fake, &fiber->caller_stack, &fiber->caller_size);
#endif
}
