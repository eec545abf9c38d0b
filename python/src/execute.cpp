/* SPDX-License-Identifier: MIT
 * Runs of a plan: parameters, workspaces, batches, and Ctrl-C. */
#include "call.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <thread>

using Clock = std::chrono::steady_clock;
static constexpr auto PATIENCE = std::chrono::milliseconds(30);
static constexpr size_t KEPT_WORKSPACE = 16u << 20, KEPT_SLOTS = 8;

/* Looks for signals now and then in the thread that called, which has let go of the interpreter. */
struct Watch {
    PyThreadState *state = nullptr;
    Clock::time_point next = Clock::now() + PATIENCE;
    nb::handle progress;
    bool failed = false; /* a Python exception is set */
    double scale = 1, base = 0;

    bool look(double done) {
        if (failed)
            return false;
        if (Clock::now() < next)
            return true;
        PyEval_RestoreThread(state);
        bool go_on = PyErr_CheckSignals() == 0;
        if (go_on && progress.is_valid() && !progress.is_none()) {
            PyObject *number = PyFloat_FromDouble(base + done * scale);
            PyObject *answer = number ? PyObject_CallFunctionObjArgs(progress.ptr(), number, nullptr) : nullptr;
            failed = !answer;
            go_on = answer && answer != Py_False;
            Py_XDECREF(number);
            Py_XDECREF(answer);
        } else {
            failed = !go_on;
        }
        state = PyEval_SaveThread();
        next = Clock::now() + PATIENCE;
        return go_on;
    }
};

static bool watch_progress(void *user, double done) { return static_cast<Watch *>(user)->look(done); }
static bool flag_progress(void *user, double) { return !static_cast<std::atomic<bool> *>(user)->load(); }

/* ---- what a run needs beside images */

static Slot take(Planned &planned) {
    std::lock_guard<std::mutex> locked(planned.lock);
    Slot slot;
    if (!planned.free.empty()) {
        slot = std::move(planned.free.back());
        planned.free.pop_back();
    }
    return slot;
}

static void give(Planned &planned, Slot &slot) {
    std::lock_guard<std::mutex> locked(planned.lock);
    if (planned.free.size() < KEPT_SLOTS) {
        planned.free.push_back(std::move(slot));
        slot = Slot();
    } else {
        weft_parameters_destroy(&slot.parameters);
        std::free(slot.workspace);
    }
}

/* Brings the values of the call into the slot. A queue that runs on still reads those before: it holds them. */
static weft_status set_values(const Planned &planned, Slot &slot, const Recipe &recipe, bool queued, weft_error *error) {
    if (recipe.changes.empty() || (slot.parameters && slot.applied == recipe.numbers))
        return WEFT_OK;
    if (queued)
        weft_parameters_destroy(&slot.parameters);
    weft_status status = slot.parameters ? WEFT_OK : weft_parameters_create(planned.plan, &slot.parameters, error);
    slot.applied.clear();
    for (const Change &change : recipe.changes)
        if (status == WEFT_OK)
            status = weft_parameters_set(slot.parameters, change.node, change.parameter->name,
                                         recipe.numbers.data() + change.first, (int32_t)change.count, error);
    if (status == WEFT_OK)
        slot.applied = recipe.numbers;
    return status;
}

/* ---- one image of a batch */

static bool set_image(weft_image *image, const View &view, int64_t batch, std::vector<char> &packed) {
    const bool direct = view.direct();
    image->info = view.info;
    image->memory = view.memory;
    image->offset = 0;
    image->data = view.place(batch);
    image->stride = view.info.height > 1 ? view.row : view.info.width * (int64_t)weft_format_size(view.info.format);
    if (!direct) {
        size_t size;
        if (weft_image_size(&view.info, &size, nullptr) != WEFT_OK)
            return false;
        packed.resize(size);
        image->data = packed.data();
        image->stride = view.info.width * (int64_t)weft_format_size(view.info.format);
    }
    return true;
}

using Progress = bool (*)(void *, double);

static weft_status run_one(Call &call, Slot &slot, int64_t batch, weft_queue *queue, Progress progress, void *user,
                           weft_error *error) {
    Planned &planned = *call.planned;
    weft_run_input inputs[MOST_IMAGES]{};
    std::vector<weft_run_output> outputs((size_t)call.output_count);
    std::vector<std::vector<char>> packed((size_t)(call.input_count + call.output_count));
    for (int32_t i = 0; i < call.input_count; i++) {
        const View &view = call.inputs[(size_t)i];
        const int64_t of = view.batch_axes ? batch : 0;
        if (!set_image(&inputs[i].image, view, of, packed[(size_t)i]))
            return WEFT_ERROR_MEMORY;
        inputs[i].image.info = planned.inputs[(size_t)i];
        if (!view.direct())
            gather(view, of, packed[(size_t)i].data());
    }
    for (int32_t i = 0; i < call.output_count; i++) {
        weft_image &image = outputs[(size_t)i].image;
        const weft_image_info &info = planned.outputs[(size_t)i];
        if (planned.values[(size_t)i]) {
            const int64_t count = info.width * info.height * info.format.channels;
            image.data = call.numbers[(size_t)i].data() + count * batch;
            image.stride = info.width * info.format.channels * (int64_t)sizeof(double);
        } else if (!set_image(&image, call.outputs[(size_t)i], batch, packed[(size_t)(call.input_count + i)])) {
            return WEFT_ERROR_MEMORY;
        }
        image.info = info;
    }
    weft_run request{};
    request.inputs = inputs;
    request.input_count = call.input_count;
    request.outputs = outputs.data();
    request.output_count = call.output_count;
    request.parameters = slot.parameters;
    request.state = call.state;
    if (!queue && planned.workspace > 0 && planned.workspace <= KEPT_WORKSPACE) {
        if (!slot.workspace)
            slot.workspace = std::aligned_alloc(64, (planned.workspace + 63) / 64 * 64);
        request.workspace = slot.workspace;
        request.workspace_size = slot.workspace ? planned.workspace : 0;
    }
    request.progress = queue ? nullptr : progress;
    request.progress_user = user;
    weft_status status =
        queue ? weft_queue_run(queue, planned.plan, &request, error) : weft_plan_run(planned.plan, &request, error);
    for (int32_t i = 0; status == WEFT_OK && i < call.output_count; i++)
        if (!planned.values[(size_t)i] && !call.outputs[(size_t)i].direct())
            scatter(packed[(size_t)(call.input_count + i)].data(), call.outputs[(size_t)i], batch);
    return status;
}

/* ---- batches */

static weft_status run_workers(Call &call, const Recipe &recipe, Watch &watch, weft_error *error) {
    std::atomic<int64_t> next{0}, done{0};
    std::atomic<bool> stop{false};
    std::mutex lock;
    std::condition_variable finished;
    int running = call.workers;
    weft_status status = WEFT_OK;
    auto work = [&]() {
        Slot slot = take(*call.planned);
        weft_error mine{};
        weft_status result = set_values(*call.planned, slot, recipe, false, &mine);
        for (int64_t i; result == WEFT_OK && !stop && (i = next++) < call.batches; done++)
            result = run_one(call, slot, i, nullptr, flag_progress, &stop, &mine);
        give(*call.planned, slot);
        std::lock_guard<std::mutex> locked(lock);
        if (result != WEFT_OK) {
            stop = true;
            if (status == WEFT_OK) {
                status = result;
                *error = mine;
            }
        }
        if (--running == 0)
            finished.notify_all();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < call.workers; i++) {
        try {
            threads.emplace_back(work);
        } catch (const std::system_error &) { /* no more threads: those that there are do it */
            std::lock_guard<std::mutex> locked(lock);
            running--;
        }
    }
    if (threads.empty()) {
        running = 1;
        work();
    }
    {
        std::unique_lock<std::mutex> locked(lock);
        while (running > 0) {
            finished.wait_for(locked, PATIENCE);
            locked.unlock();
            if (!watch.look((double)done / (double)call.batches))
                stop = true;
            locked.lock();
        }
    }
    for (std::thread &thread : threads)
        thread.join();
    if (status == WEFT_OK && stop)
        status = WEFT_ERROR_CANCELLED;
    return status;
}

static weft_status run_in_turn(Call &call, const Recipe &recipe, Watch &watch, weft_queue *queue, weft_error *error) {
    Slot slot = take(*call.planned);
    weft_status status = set_values(*call.planned, slot, recipe, queue != nullptr, error);
    for (int64_t i = 0; status == WEFT_OK && i < call.batches; i++) {
        watch.base = (double)i / (double)call.batches;
        watch.scale = 1 / (double)call.batches;
        if (i > 0 && !watch.look(0))
            status = WEFT_ERROR_CANCELLED;
        else
            status = run_one(call, slot, i, queue, watch_progress, &watch, error);
    }
    give(*call.planned, slot);
    return status;
}

/* A queue for each stream of a caller's that was seen. */
static weft_queue *queue_for(const Call &call) {
    static std::mutex *lock = new std::mutex;
    static auto *queues = new std::map<std::pair<weft_device *, const void *>, weft_queue *>;
    std::lock_guard<std::mutex> locked(*lock);
    weft_queue *&queue = (*queues)[{call.planned->device->handle, call.stream}];
    if (!queue) {
        weft_queue_options options{};
        options.cuda_stream = const_cast<void *>(call.stream);
        options.has_cuda_stream = true;
        weft_error error{};
        if (weft_queue_create(call.planned->device->handle, &options, &queue, &error) != WEFT_OK)
            raise(error);
    }
    return queue;
}

void run(Call &call, const Recipe &recipe, nb::handle progress) {
    weft_queue *queue = call.queued && !call.has_numbers ? queue_for(call) : nullptr;
    if (call.queued && call.has_numbers) /* which the host waits for: what made the images must be over */
        call.inputs[0].adapter.attr("synchronize")(reinterpret_cast<uintptr_t>(call.stream), call.inputs[0].device);
    weft_error error{};
    Watch watch;
    watch.progress = progress;
    watch.state = PyEval_SaveThread();
    weft_status status;
    try {
        status = call.workers > 1 ? run_workers(call, recipe, watch, &error)
                                  : run_in_turn(call, recipe, watch, queue, &error);
    } catch (const std::bad_alloc &) {
        status = WEFT_ERROR_MEMORY;
    }
    PyEval_RestoreThread(watch.state);
    if (watch.failed)
        throw nb::python_error();
    if (status == WEFT_OK)
        return;
    if (error.status == WEFT_OK)
        raise(status, status == WEFT_ERROR_MEMORY ? "there is no memory for the copy of an image" : "the run was cancelled");
    raise(error, recipe.text);
}
