/* SPDX-License-Identifier: MIT
 * The GPU kernel of a lookup, around the body of the filter that includes this: a thread a pixel. The table is read from memory,
 * where caches keep what neighbouring pixels share; samplers would round coordinates to a few bits. */

BLOCK_MEMORY(BLOCK)

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    int x = BLOCK_X * 32 + THREAD_X, y = L.from_y + BLOCK_Y * 8 + THREAD_Y;
    if (x < L.width && y < L.to_y) {
        BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
        gpu_image T = L.image[L.lookup.table];
        place table = PLACE_AT(0, 0, T.width, T.height);
        vec4 c = color_of(CALL(fetch, x, y), in_channels_known);
        vec4 setup0 = setup_of(T, 0, table, P), setup1 = setup_of(T, 1, table, P), setup2 = setup_of(T, 2, table, P);
        c = body(T, c, setup0, setup1, setup2, form_of(table, P), P);
        c = channels_of(c, channels_known);
        CALL(deliver, x, y, c);
    }
    FINISH
}
