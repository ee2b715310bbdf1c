package org.jvrpc.softrnic.roce.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The queue of packets that stay in the process. */
class InnerLoopTest {

    private final LostPackets lost = new LostPackets();
    private final ByteBuffer into = ByteBuffer.allocateDirect(8192);

    private static ByteBuffer packet(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private void takes(InnerLoop loop, ByteBuffer expected) {
        int length = loop.poll(into);
        byte[] found = new byte[length];
        into.get(0, found);
        assertTrue(Arrays.equals(expected.array(), found), "length=" + length + " expected=" + expected.capacity());
    }

    /** Random lengths and turns, so that packets meet the end of the ring in all ways. Seed 1. */
    @Test
    void packetsComeOutAsTheyWentIn() {
        Random random = new Random(1);
        InnerLoop loop = new InnerLoop(lost, 1 << 12);
        ArrayDeque<ByteBuffer> inside = new ArrayDeque<>();
        for (int i = 0; i < 100_000; i++) {
            if (random.nextInt(5) < 3) {
                ByteBuffer packet = packet(random, 1 + random.nextInt(random.nextBoolean() ? 64 : 1500));
                if (loop.offer(packet)) {
                    inside.add(packet);
                }
            } else if (!inside.isEmpty()) {
                takes(loop, inside.poll());
            } else {
                assertEquals(0, loop.poll(into));
            }
            assertEquals(!inside.isEmpty(), loop.isFilled());
        }
    }

    @Test
    void whatFindsNoRoomIsLostAndCounted() {
        InnerLoop loop = new InnerLoop(lost, 256);
        Random random = new Random(2);
        ByteBuffer first = packet(random, 124);
        ByteBuffer second = packet(random, 124);
        assertTrue(loop.offer(first));
        assertTrue(loop.offer(second));
        assertFalse(loop.offer(packet(random, 1)));
        assertEquals(1, lost.count());
        takes(loop, first);
        takes(loop, second);
        assertFalse(loop.offer(packet(random, 300)), "longer than the ring");
    }
}
