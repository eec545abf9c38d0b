/* SPDX-License-Identifier: MIT
 * What libpng reports: errors end the step of the codec that its structure was made with, and warnings say nothing. */
#ifndef IO_PNG_MESSAGES_H
#define IO_PNG_MESSAGES_H
#include <png.h>
#include "io/codec_error.h"

void weft_png_error(png_structp png, png_const_charp message);
void weft_png_warning(png_structp png, png_const_charp message);

#endif
