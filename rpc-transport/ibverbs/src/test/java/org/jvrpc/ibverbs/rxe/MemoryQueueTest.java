package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/** The driver's posting without a device. */
class MemoryQueueTest {

    private final SendRequest request = SendRequest.send(7, new Sge(0x1000, 16, 3), new Sge(0x2000, 8, 3));

    @Test
    void everyExecutionRingsTheDoorbellOnce() {
        MemoryQueue queue = new MemoryQueue(4);
        PostSend post = queue.prepareSend(request, request);
        for (int i = 0; i < 100; i++) {
            assertEquals(2, post.execute());
            queue.complete(2);
        }
        assertEquals(100, queue.rings());
    }

    @Test
    void shouldRefuseWhatDoesNotFitUntilSendsComplete() {
        MemoryQueue queue = new MemoryQueue(2);
        PostSend post = queue.prepareSend(request);
        assertEquals(1, post.execute());
        assertEquals(1, post.execute());
        assertEquals(0, post.execute());
        queue.complete(1);
        assertEquals(1, post.execute());
        assertEquals(0, post.execute());
        assertEquals(3, queue.rings());
    }
}
