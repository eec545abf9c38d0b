/* SPDX-License-Identifier: MIT
 * What libpng reports. */
#include "io/png/png_messages.h"

void weft_png_error(png_structp png, png_const_charp message) { weft_coding_fail(png_get_error_ptr(png), message); }

void weft_png_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }
