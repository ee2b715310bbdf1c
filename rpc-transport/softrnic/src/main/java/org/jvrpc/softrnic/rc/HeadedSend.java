package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Push;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;

/**
 * A SEND of a header, which its poster hands over, and of a body, whose place is looked up once, and again after any
 * region went. One thread, the poster's.
 */
final class HeadedSend implements Push {

    private static final int SEGMENT_WORDS = 2;
    static final int HEADER_BYTES = 16;
    /** No sum of lengths overflows. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - HEADER_BYTES;

    private final Engine engine;
    private final RegionTable regions;
    private final int pd;
    private final int headKey;
    private final long headAddress;
    private final int bodyKey;
    private final long bodyAddress;
    private long epoch;
    private ByteBuffer body;
    private int from;
    /** The longest body that may be sent in this epoch; -1 when nothing may. */
    private int room;

    /** @param segments data segments of the header and of the body, as longs */
    HeadedSend(Engine engine, RegionTable regions, int pd, long[] segments) {
        this.engine = engine;
        this.regions = regions;
        this.pd = pd;
        this.headKey = (int) segments[0];
        this.headAddress = segments[1];
        this.bodyKey = (int) segments[SEGMENT_WORDS];
        this.bodyAddress = segments[SEGMENT_WORDS + 1];
        resolve();
    }

    @Override
    public boolean push(int producer, long first, long second, int length) {
        if (epoch != regions.epoch()) {
            resolve();
        }
        return length >= 0 && length <= room && engine.push(producer, first, second, body, from, length);
    }

    @Override
    public boolean push(int producer, long first, long second, int head, ByteBuffer rest, int at, int length) {
        if (epoch != regions.epoch()) {
            resolve();
        }
        boolean fits = head >= 0 && head <= room && length >= 0 && length <= MOST_BYTES - head;
        return fits && at >= 0 && length <= rest.limit() - at
                && engine.push(producer, first, second, body, from, head, rest, at, length);
    }

    private void resolve() {
        epoch = regions.epoch(); // before the looks: whatever goes behind them changes it
        room = -1;
        if (regions.room(headKey, pd, headAddress) >= HEADER_BYTES) {
            int longest = Math.max(0, regions.room(bodyKey, pd, bodyAddress)); // what has no bytes needs no region
            body = regions.window(bodyKey, pd, bodyAddress, longest);
            from = Slab.index(bodyAddress);
            room = body == null && longest > 0 ? -1 : longest; // the region went between the two looks
        }
    }
}
