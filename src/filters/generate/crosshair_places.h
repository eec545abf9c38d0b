/* SPDX-License-Identifier: MIT
 * The places of the steps of crosshair, 16 of them; their examples are a square of four by four. */
#ifndef FILTERS_GENERATE_CROSSHAIR_PLACES_H
#define FILTERS_GENERATE_CROSSHAIR_PLACES_H
#define PLACES_PARAM(doc)                                                                                              \
    FLOATS(places, 32,                                                                                                 \
           "80|80|120|80|160|80|200|80|80|120|120|120|160|120|200|120|80|160|120|160|160|160|200|160|80|200|120|200|"  \
           "160|200|200|200", -1e9, 1e9, doc)
#endif
