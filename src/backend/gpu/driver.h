/* SPDX-License-Identifier: MIT
 * What a GPU API must offer: one table each for CUDA and Vulkan. Everything else about GPUs (passes, programs, bands,
 * memory plans) is written once, in this folder, on top of it. A driver validates nothing but what the device says. */
#ifndef BACKEND_GPU_DRIVER_H
#define BACKEND_GPU_DRIVER_H
#include "backend/backend.h"
#include "backend/gpu/device/kernels.h"
#include "kernels/gpu/dialect/launch.h"

struct gpu_device; /* begins with struct gpu_device_base */

struct gpu_limits {
    uint64_t memory;             /* bytes of device memory that plans may take together */
    uint64_t largest;            /* bytes of one allocation */
    uint32_t grid[3];            /* blocks of a launch along each axis */
    int32_t multiprocessors;     /* at least 1 */
    bool shares_memory;          /* the processor's own memory: an integrated or a software device */
    bool has_copy_queues;        /* uploads and downloads run beside kernels */
    bool interprets;             /* kernels go through programs step by step: other work of theirs suffers from it */
    bool has_mma_bytes;       /* CUDA: int8 matrix instructions (kernels/gpu/mma/mma_bytes.h) */
    bool has_mma_floats;     /* and of half floats and floats (kernels/gpu/mma/mma_floats.h) */
    bool has_mma_cooperative; /* matrices of half floats, where threads share each as the driver likes
                                 (kernels/gpu/mma/mma_cooperative.h) */
    bool few_registers;       /* kernels are Vulkan's: threads of some keep fewer values in registers (kernels/gpu/tile/tile.h) */
    int32_t block_threads;       /* of a block, at most */
    int32_t block_bytes;         /* of shared memory of a block, at most */
    int32_t launch_bytes;        /* the same where a launch asks for it (struct gpu_kernel_row); 0 where none can */
    int32_t loop_iterations;          /* iterations of loops, all together, after which a thread is stopped; 0: never */
};

struct gpu_device_base {
    struct weft_device_base base; /* first */
    const struct gpu_driver *driver;
    struct gpu_limits limits;
    struct gpu_copier *copier; /* weft_gpu_copier_create at open, .._destroy first at close (backend/gpu/device/memory.h) */
    struct gpu_deliveries *deliveries; /* made and destroyed with it (backend/gpu/run/values.h) */
    int32_t kernel_count;      /* kernels that are there, in use or kept; the driver's, under a lock of its own */
};

enum gpu_memory_kind {
    GPU_MEMORY_DEVICE, /* what kernels work on */
    GPU_MEMORY_STAGING,/* host memory that copies to and from the device go through: pinned, mapped at `host`; kernels
                          may write there, at `address` */
    GPU_MEMORY_LAUNCH  /* where struct gpu_launch live: the host writes at `host`, kernels read. Vulkan: mapped, `address`
                          set, preferably device memory; CUDA: plain host memory, `address` 0, launches go by value */
};
/* From a launch to the next: uniform buffers begin at multiples of 256 at most. */
#define GPU_LAUNCH_STRIDE ((sizeof(struct gpu_launch) + 255) / 256 * 256)
struct gpu_memory {
    void *handle;        /* the driver's; NULL: not there */
    uint64_t address;    /* as kernels see it */
    unsigned char *host; /* as the host sees it, NULL for GPU_MEMORY_DEVICE */
    size_t size;
};

/* What a kernel may know when it is made: the launch as it is before runs, and the kernel's code path
 * (kernels/gpu/dialect/code_path.h). Without a launch it knows nothing, and reads all from there. */
struct gpu_wanted {
    const struct gpu_launch *launch;
    int32_t path;
    bool bound; /* parameters are found on the device: launch.blocks says where they lie */
};

struct gpu_kernel; /* code for the device, owned by the device, which keeps the latest ones for who wants them again */

enum gpu_command_kind { GPU_LAUNCH, GPU_COPY, GPU_CLEAR };
/* One step of a list. It sees what the steps before it wrote, unless `beside` is set: then it may run at the same time as
 * the one before it. */
struct gpu_command {
    enum gpu_command_kind kind;
    bool beside;
    bool for_host; /* LAUNCH: it writes to staging memory */
    /* LAUNCH: read from GPU_MEMORY_LAUNCH when the list is submitted, not when it is made */
    const struct gpu_kernel *kernel;
    const struct gpu_launch *launch;
    const struct gpu_memory *launches; /* where that lies, at launch_offset, a multiple of GPU_LAUNCH_STRIDE */
    size_t launch_offset;
    uint32_t grid[3];
    /* COPY between staging and device memory or within device memory, and CLEAR (of `to`, to zeros): bytes, multiples of
     * 4 with offsets that are multiples of 4 */
    const struct gpu_memory *from, *to;
    size_t from_offset, to_offset, size;
};

/* Queues work side by side; each runs its lists in order. */
enum gpu_queue { GPU_QUEUE_COMPUTE, GPU_QUEUE_UPLOAD, GPU_QUEUE_DOWNLOAD, GPU_QUEUES };
/* The moment at which a queue has done its list number `value`; value 0 is always past. */
struct gpu_point {
    enum gpu_queue queue;
    uint64_t value;
};

struct gpu_list; /* commands, recorded once, submitted any number of times (never while it is still running) */

/* What a caller's own synchronization asks of a submission: see weft/queue.h. NULL for none. */
struct gpu_external {
    void *stream;                                     /* CUDA: run on this CUstream (it may be NULL, the default stream) */
    bool has_stream;
    const struct weft_semaphore *wait, *signal;       /* Vulkan */
    int32_t wait_count, signal_count;
};

struct gpu_driver {
    const char *name;
    weft_memory memory; /* what images in this device's memory say */
    /* What weft_image.data is for device memory. */
    void *(*memory_export)(const struct gpu_memory *memory);
    weft_status (*memory_create)(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                 struct gpu_memory *memory, weft_error *error);
    void (*memory_destroy)(struct gpu_device *device, struct gpu_memory *memory); /* waits for nothing */

    /* The kernel `row` of weft_gpu_kernels, made for a launch. May compile, so plans do it, runs never. Thread-safe. Each get is
     * followed by a release, when no list has the kernel any more. */
    weft_status (*kernel_get)(struct gpu_device *device, int32_t row, const struct gpu_wanted *wanted,
                              const struct gpu_kernel **kernel, weft_error *error);
    void (*kernel_release)(struct gpu_device *device, const struct gpu_kernel *kernel); /* thread-safe */
    /* How many blocks of it the device runs at a time; an estimate where the API does not say. */
    int32_t (*kernel_occupancy)(struct gpu_device *device, const struct gpu_kernel *kernel);

    weft_status (*list_create)(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                               int32_t count, struct gpu_list **list, weft_error *error);
    void (*list_destroy)(struct gpu_device *device, struct gpu_list *list);
    /* Puts a list on its queue, to start when all `wait` have passed; *done is when it has run. Thread-safe; allocates
     * nothing. With an external stream everything goes to that stream and nothing else is touched, so that a stream that is
     * being captured stays so; *done is then value 0. */
    weft_status (*submit)(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait,
                          int32_t wait_count, const struct gpu_external *external, struct gpu_point *done,
                          weft_error *error);
    /* Waits on the host. A lost device is WEFT_ERROR_DEVICE here and in every later call. */
    weft_status (*wait)(struct gpu_device *device, struct gpu_point point, weft_error *error);
    /* The address of a caller's memory (weft_image with memory CUDA or Vulkan), with the offset that it states. */
    weft_status (*import)(struct gpu_device *device, const weft_image *image, uint64_t *address, weft_error *error);
};

#endif
