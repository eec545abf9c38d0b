/* SPDX-License-Identifier: MIT
 * The interface of frei0r modules, version 1, as hosts see it: names, numbers and layouts are facts of that interface.
 */
#ifndef FREI0R_ABI_H
#define FREI0R_ABI_H
#include <stdint.h>

enum { F0R_VERSION = 1, F0R_TYPE_FILTER = 0, F0R_MODEL_RGBA = 1 };
/* Kinds of parameters, and what values point to: double (also of a switch, on from 0.5), three floats, char *. */
enum { F0R_BOOL = 0, F0R_DOUBLE = 1, F0R_COLOR = 2, F0R_POSITION = 3, F0R_STRING = 4 };

typedef struct f0r_plugin_info {
    const char *name, *author;
    int plugin_type, color_model, frei0r_version, major_version, minor_version, num_params;
    const char *explanation;
} f0r_plugin_info_t;

typedef struct f0r_param_info {
    const char *name;
    int type;
    const char *explanation;
} f0r_param_info_t;

typedef struct f0r_param_color {
    float r, g, b;
} f0r_param_color_t;

typedef void *f0r_instance_t;
typedef void *f0r_param_t;

#define F0R_API __attribute__((visibility("default")))
F0R_API int f0r_init(void);
F0R_API void f0r_deinit(void);
F0R_API void f0r_get_plugin_info(f0r_plugin_info_t *info);
F0R_API void f0r_get_param_info(f0r_param_info_t *info, int index);
F0R_API f0r_instance_t f0r_construct(unsigned int width, unsigned int height);
F0R_API void f0r_destruct(f0r_instance_t instance);
F0R_API void f0r_set_param_value(f0r_instance_t instance, f0r_param_t value, int index);
F0R_API void f0r_get_param_value(f0r_instance_t instance, f0r_param_t value, int index);
F0R_API void f0r_update(f0r_instance_t instance, double time, const uint32_t *in, uint32_t *out);

#endif
