/* SPDX-License-Identifier: MIT
 * The networks of a 5 x 5 median, on NUMBERs, of which LOW and HIGH give the lower and the higher. A column is sorted once for all
 * squares that it is in; two adjacent columns are merged once. Of the 20 values of two such merges only the middle six can be the
 * median of 25, whatever the fifth column holds. The networks are parts of Batcher's odd-even merge (1968) without the comparisons
 * whose results are not needed: 18, 26, 36 and 10 comparisons. */
#ifndef KERNELS_RANK_FIVE_H
#define KERNELS_RANK_FIVE_H

#define RANK_ORDER(a, b)                                                                                               \
    {                                                                                                                  \
        NUMBER lower_one = LOW(a, b), higher_one = HIGH(a, b);                                                         \
        a = lower_one, b = higher_one;                                                                                 \
    }

/* Five numbers in order. */
#define RANK_SORT(a, b, c, d, e)                                                                                       \
    RANK_ORDER(a, b)                                                                                                   \
    RANK_ORDER(d, e) RANK_ORDER(c, e) RANK_ORDER(c, d) RANK_ORDER(b, e) RANK_ORDER(a, d) RANK_ORDER(a, c) RANK_ORDER(b, d) \
        RANK_ORDER(b, c)

/* Two columns, v0 to v4 and v5 to v9, each in order, as ten numbers in order: v0 v1 v2 v3 v4 v6 v7 v8 v5 v9. */
#define RANK_MERGE(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9)                                                             \
    RANK_ORDER(v0, v5)                                                                                                 \
    RANK_ORDER(v4, v9) RANK_ORDER(v4, v5) RANK_ORDER(v2, v7) RANK_ORDER(v2, v4) RANK_ORDER(v7, v5) RANK_ORDER(v1, v6)  \
        RANK_ORDER(v3, v8) RANK_ORDER(v3, v6) RANK_ORDER(v1, v2) RANK_ORDER(v3, v4) RANK_ORDER(v6, v7) RANK_ORDER(v8, v5)

/* The middle six, a to f, of two merges, whose numbers are m0 to m9 and n0 to n9. */
#define RANK_MIDDLE_SIX(m, n, a, b, c, d, e, f)                                                          \
    NUMBER m##4_ = m(4), m##5_ = m(5), m##6_ = LOW(m(6), n(6)), n##2_ = HIGH(m(2), n(2)), n##4_ = n(4),  \
           n##5_ = n(5), m##8_ = LOW(m(8), n(8)), n##0_ = HIGH(m(0), n(0)), m##9_ = LOW(m(9), n(9)),                   \
           n##1_ = HIGH(m(1), n(1)), m##7_ = LOW(m(7), n(7)), n##3_ = HIGH(m(3), n(3));                                \
    RANK_ORDER(m##8_, n##0_)                                                                                           \
    RANK_ORDER(m##4_, n##4_)                                                                                           \
    m##8_ = HIGH(m##4_, m##8_);                                                                                        \
    n##4_ = LOW(n##4_, n##0_);                                                                                         \
    RANK_ORDER(m##6_, n##2_)                                                                                           \
    m##8_ = HIGH(m##6_, m##8_);                                                                                        \
    RANK_ORDER(n##2_, n##4_)                                                                                           \
    RANK_ORDER(m##9_, n##1_)                                                                                           \
    RANK_ORDER(m##5_, n##5_)                                                                                           \
    m##9_ = HIGH(m##5_, m##9_);                                                                                        \
    n##5_ = LOW(n##5_, n##1_);                                                                                         \
    RANK_ORDER(m##7_, n##3_)                                                                                           \
    RANK_ORDER(m##7_, m##9_)                                                                                           \
    n##3_ = LOW(n##3_, n##5_);                                                                                         \
    RANK_ORDER(m##7_, m##8_)                                                                                           \
    RANK_ORDER(m##9_, n##2_)                                                                                           \
    RANK_ORDER(n##3_, n##4_)                                                                                           \
    NUMBER a = m##7_, b = m##8_, c = m##9_, d = n##2_, e = n##3_, f = n##4_;

/* The sixth of those six and a column in order. */
#define RANK_MIDDLE(a, b, c, d, e, f, v0, v1, v2, v3, v4)                                                              \
    LOW(LOW(LOW(f, HIGH(e, v0)), HIGH(d, v1)), LOW(LOW(HIGH(c, v2), HIGH(b, v3)), HIGH(a, v4)))

#endif
