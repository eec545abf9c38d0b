/* SPDX-License-Identifier: MIT
 * Undoes what a filter's file and its kind's header define, so that the next filter can be included by the same source.
 * No include guard: used after each. */
#undef NAME
#undef SUMMARY
#undef PARAMS
#undef NO_PARAMS
#undef KIND_PARAMS
#undef KIND_DYNAMIC
#undef ALIASES
#undef EXAMPLE
#undef SOURCE
#undef CHANNELS
#undef ALPHA
#undef TOLERANCE
#undef STEADY_TOLERANCE
#undef EXACT
#undef ROLE
#undef CHECK
#undef INFER
#undef SIZED
#undef EXPAND
#undef HAS_BODY
#undef BODY
#undef BODY_BLOCK
#undef COMPAT
#undef COMPAT_ALPHA
#undef COMPAT_NAME
#undef OPACITY
#undef RESULT
#undef RESULT_ALPHA
#undef PLAIN
#undef PLACED
#undef APART
#undef AFFINE
#undef POINT_KIND
#undef POINT_INPUTS
#undef BODY_OF
