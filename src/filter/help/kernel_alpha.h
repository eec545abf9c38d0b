/* SPDX-License-Identifier: MIT
 * What filters whose weights the user gives make of alpha, and the parameter that says it. */
#define KERNEL_ALPHA                                                                                                   \
    FIXED_CHOICE(alpha, 0, "keep|filter", "keep: colors alone are weighted; filter: alpha too, by which they count")
#define NEED (P.alpha == 0 ? WEFT_NEED_STRAIGHT : WEFT_NEED_PREMULTIPLIED)
#define KEEP_ALPHA
#define ALPHA_DOC "alpha=keep: colors are filtered straight, whatever their alpha; filter: they count by it"
