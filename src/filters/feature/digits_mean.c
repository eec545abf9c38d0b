/* SPDX-License-Identifier: MIT
 * (4096 high + low) / count, rounded, though the sum has more bits than a float or an int: high is divided by itself, and
 * what is left of it joins low. */
#define NAME digits_mean
#define SUMMARY "The mean of whole numbers from the sums of their high and of their low digits: for harris"
#define EXAMPLE "luminance_steps=255:1,split[a][b];[a]digit=high[h];[b]digit=low[l];[h][l]digits_mean=255"
#define ALPHA ANY
#define TOLERANCE 1
#define PARAMS INT(count, 4096, 1, 4096, "", "how many numbers there are, or the sum of their whole weights")
#include "filter/pixel2.h"
#include "filters/feature/whole.h"

FN float mean_of_digits(float high, float low, int count) {
    float most = 4096.0f * to_float(count);
    int sum = to_int(clamp(high, -most, most)), q = whole_quotient(sum, count), rest = sum - q * count;
    return to_float(4096 * q + whole_quotient(4096 * rest + to_int(clamp(low, 0.0f, most)) + count / 2, count));
}
BODY {
    return rgba(mean_of_digits(base.x, over.x, P.count), mean_of_digits(base.y, over.y, P.count),
                mean_of_digits(base.z, over.z, P.count), base.w);
}
