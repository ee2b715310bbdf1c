package org.jvrpc.runtime.inproc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RingTest {

    private static final int SLOT_BYTES = 3000;
    private static final int HEADER = 16;

    private final Ring ring = new Ring(SLOT_BYTES);
    private final ByteBuffer body = ByteBuffer.allocateDirect(SLOT_BYTES + 8);

    @Test
    void aMessageLiesInOnePieceAndKeepsItsHeaderAndBody() {
        for (int i = 0; i < body.capacity(); i++) {
            body.put(i, (byte) (31 * i));
        }
        for (int n = 0; n < 1000; n++) { // some hundred laps
            int length = n * 37 % (SLOT_BYTES + 1);
            assertTrue(ring.offer(n, ~n, body, 8, length), "n=" + n);
            int at = ring.peek();
            assertEquals(HEADER + length, ring.length(at), "n=" + n);
            assertEquals(n, ring.memory().getLong(at));
            assertEquals(~n, ring.memory().getLong(at + 8));
            assertEquals(body.slice(8, length), ring.memory().slice(at + HEADER, length), "n=" + n);
            ring.release(HEADER + length);
            assertEquals(-1, ring.peek());
        }
    }

    @Test
    void aFullRingTakesNothingUntilAMessageIsReleased() {
        int count = 0;
        while (ring.offer(count, 0, body, 0, SLOT_BYTES)) {
            count++;
        }
        assertTrue(count >= 2, "count=" + count);
        ring.peek();
        assertFalse(ring.offer(count, 0, body, 0, SLOT_BYTES)); // a look gives nothing back
        ring.release(HEADER + SLOT_BYTES);
        ring.peek();
        ring.release(HEADER + SLOT_BYTES);
        assertTrue(ring.offer(count, 0, body, 0, SLOT_BYTES));
    }

    @Test
    void aWakeUpIsAskedForOnce() {
        assertFalse(ring.wakesTaker());
        ring.arm();
        assertTrue(ring.wakesTaker());
        assertFalse(ring.wakesTaker());
        ring.wantRoom();
        assertTrue(ring.wakesSender());
        assertFalse(ring.wakesSender());
        ring.arm();
        ring.disarm();
        assertFalse(ring.wakesTaker());
    }

    @Test
    void messagesOfAnotherThreadComeWholeAndInOrder() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("messagesOfAnotherThreadComeWholeAndInOrder: -Djvrpc.seed=" + seed);
        int count = 100_000;
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
            Random random = new Random(seed);
            for (int n = 0; n < count; n++) {
                int length = random.nextInt(200) == 0 ? SLOT_BYTES : random.nextInt(100);
                for (int i = 0; i < length; i += 50) {
                    body.put(i, (byte) (n + i));
                }
                while (!ring.offer(n, length, body, 0, length)) {
                    Thread.yield();
                }
            }
        });
        for (int n = 0; n < count; n++) {
            int at = ring.peek();
            while (at < 0) {
                assertFalse(sender.isCompletedExceptionally());
                Thread.yield();
                at = ring.peek();
            }
            int length = ring.length(at) - HEADER;
            assertEquals(n, ring.memory().getLong(at));
            assertEquals(length, ring.memory().getLong(at + 8));
            for (int i = 0; i < length; i += 50) {
                assertEquals((byte) (n + i), ring.memory().get(at + HEADER + i));
            }
            ring.release(HEADER + length);
        }
        sender.join();
    }
}
