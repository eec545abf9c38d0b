/* SPDX-License-Identifier: MIT
 * The whole public interface of weft, a library that fuses graphs of image filters into few passes over memory. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H
#include "weft/custom.h"
#include "weft/device.h"
#include "weft/file.h"
#include "weft/files.h"
#include "weft/filter.h"
#include "weft/graph.h"
#include "weft/image.h"
#include "weft/kernels.h"
#include "weft/log.h"
#include "weft/memory.h"
#include "weft/plan.h"
#include "weft/queue.h"
#include "weft/state.h"
#include "weft/status.h"
#include "weft/video.h"
#endif
