/* SPDX-License-Identifier: MIT
 * The kernel is taken apart into a sum of products of a column and a row, by its singular values: a kernel of rank 1 costs as much
 * as a separable one, any other its rank times that. */
#define NAME convolve
#define SUMMARY "Replace each pixel by a sum of its neighbors, weighted by a kernel of any odd size up to 31 x 31"
#define ALIASES "filter2d correlate convolve2d"
#define SOURCE "laid over the image unflipped, as OpenCV's filter2D; singular values by one-sided Jacobi rotations (Hestenes 1958)"
#define EXAMPLE "convolve=0|0|-1|0|0|0|-1|-2|-1|0|-1|-2|17|-2|-1|0|-1|-2|-1|0|0|0|-1|0|0"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    LIST(kernel, "1", "weights in rows, top left first")                                                               \
    AUTO_INT(columns, 1, 31, "", "weights in a row, an odd number; auto is for square kernels")                        \
    BORDER_PARAMS
#define CHECK check
#include <math.h>
#include "base/status.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

enum { MOST = 31 };

static int32_t columns_of(const struct BLOCK *p) {
    return p->columns > 0 ? p->columns : (int32_t)floor(sqrt((double)p->kernel.count) + 0.5);
}

static weft_status refuse(const char *parameter, weft_error *error, weft_status status) {
    weft_error_at(error, -1, NULL, parameter);
    return status;
}

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t columns = columns_of(p), rows = columns > 0 ? p->kernel.count / columns : 0;
    if (columns % 2 == 0)
        return refuse(p->columns > 0 ? "columns" : "kernel", error,
                      weft_fail(error, WEFT_ERROR_PARAMETER,
                                "a kernel of %d columns has no middle; their number must be odd", (int)columns));
    if (columns * rows != p->kernel.count || rows % 2 == 0 || rows > MOST || columns > MOST)
        return refuse("kernel", error,
                      weft_fail(error, WEFT_ERROR_PARAMETER,
                                "kernel has %d weights; it takes an odd number of rows of %d weights, at most 31 x 31",
                                (int)p->kernel.count, (int)columns));
    return WEFT_OK;
}

/* Rotates pairs of columns of `a` until all are at right angles, and the columns of `v` with them: then a = K v. */
static void make_orthogonal(double (*a)[MOST], double (*v)[MOST], int32_t rows, int32_t columns) {
    for (int sweep = 0; sweep < 60; sweep++) {
        bool turned = false;
        for (int32_t i = 0; i + 1 < columns; i++)
            for (int32_t j = i + 1; j < columns; j++) {
                double ii = 0, jj = 0, ij = 0;
                for (int32_t y = 0; y < rows; y++)
                    ii += a[y][i] * a[y][i], jj += a[y][j] * a[y][j], ij += a[y][i] * a[y][j];
                if (fabs(ij) <= 1e-15 * sqrt(ii * jj) || ij == 0)
                    continue;
                turned = true;
                double zeta = (jj - ii) / (2 * ij), t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                double c = 1 / sqrt(1 + t * t), s = c * t;
                for (int32_t y = 0; y < rows || y < columns; y++) {
                    double x = a[y][i], w = v[y][i];
                    a[y][i] = c * x - s * a[y][j], a[y][j] = s * x + c * a[y][j];
                    v[y][i] = c * w - s * v[y][j], v[y][j] = s * w + c * v[y][j];
                }
            }
        if (!turned)
            break;
    }
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t columns = columns_of(p), rows = p->kernel.count / columns;
    double a[MOST][MOST] = {{0}}, v[MOST][MOST] = {{0}}, size[MOST] = {0}, largest = 0;
    for (int32_t k = 0; k < p->kernel.count; k++)
        a[k / columns][k % columns] = (double)p->kernel.values[k];
    for (int32_t k = 0; k < MOST; k++)
        v[k][k] = 1;
    make_orthogonal(a, v, rows, columns);
    for (int32_t k = 0; k < columns; k++) {
        for (int32_t y = 0; y < rows; y++)
            size[k] += a[y][k] * a[y][k];
        size[k] = sqrt(size[k]), largest = fmax(largest, size[k]);
    }
    weft_status status = WEFT_OK;
    weft_node sum = -1;
    for (int32_t k = 0; status == WEFT_OK && k < columns; k++) {
        if (size[k] <= 1e-7 * largest && !(largest == 0 && k == 0))
            continue;
        double row[MOST], column[MOST];
        for (int32_t x = 0; x < columns; x++)
            row[x] = v[x][k];
        for (int32_t y = 0; y < rows; y++)
            column[y] = a[y][k];
        weft_node term;
        status = SUBGRAPH_ADD("correlate_separable", inputs, 1, &term, {"border", p->border},
                              {"border_value", p->border_value});
        if (status == WEFT_OK)
            status = weft_graph_set(graph, term, "row", row, columns, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, term, "column", column, rows, error);
        const weft_node pair[2] = {sum, term};
        if (status == WEFT_OK && sum >= 0)
            status = weft_graph_add(graph, "sum_of", pair, 2, &term, error);
        sum = term;
    }
    *result = sum;
    return status;
}
