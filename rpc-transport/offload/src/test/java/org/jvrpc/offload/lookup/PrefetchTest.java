package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;

/** The hash get on a device whose managed queues fetch a WQE as soon as an ENABLE allows it. */
final class PrefetchTest {

    private static final int DONE = 64;
    private static final int ANSWER = 128;
    private static final long KEY = 0x1234_5678_9abcL;

    private final ChainRig rig = new ChainRig(true);
    private final Place table = rig.place("table", 4 * Bucket.BYTES, 64);
    private final Place value = rig.word("value", 77);
    private ChainRig.Trigger client;
    private long number;

    @AfterEach
    void close() {
        rig.close();
    }

    /** Loads a hash get. @param asIfNot true for the program of a device that fetches a WQE when it executes it */
    private void start(boolean asIfNot) {
        ChainQueue worker = rig.worker("W", LookupKind.HASH_GET.workerBlocks(!asIfNot));
        client = rig.trigger("A", LookupKind.HASH_GET.answerBlocks(), true, 1);
        ChainQueue answers = client.queue();
        assertTrue(worker.prefetches() && answers.prefetches());
        if (asIfNot) {
            worker.prefetching(false);
            answers.prefetching(false);
        }
        Place done = Place.of(client.message(), DONE, 8, "done");
        Place answer = Place.of(client.message(), ANSWER, 128, "answer");
        Program program = LookupKind.HASH_GET.recycled(new LookupQueues(
                new ChainQueue[] {worker}, null, answers, rig.memory, rig.data, answer, done));
        rig.run(program);
    }

    private void put(int bucket, long key) {
        Bucket.publish(rig.bytes, rig.at(table) + bucket * Bucket.BYTES, key, value.address(), 8);
    }

    /** Returns the value that a key has in one of two buckets; 0 for none, -1 without an answer. */
    private long get(long key, int first, int second) {
        ByteBuffer memory = client.message().buffer(0, 256).order(ByteOrder.BIG_ENDIAN);
        memory.putLong(ANSWER, 0);
        number++;
        byte[] request = new byte[HashGet.REQUEST_BYTES];
        ByteBuffer out = ByteBuffer.wrap(request);
        for (int bucket : new int[] {first, second}) {
            out.putLong(Long.reverseBytes(Bucket.image(key)));
            out.putLong(table.address() + bucket * Bucket.BYTES);
        }
        out.putLong(number);
        client.send(request);
        rig.settle();
        return memory.getLong(DONE) == number ? memory.getLong(ANSWER) : -1;
    }

    private void fill() {
        for (int i = 0; i < 4; i++) {
            Bucket.clear(rig.bytes, rig.at(table) + i * Bucket.BYTES);
        }
        put(1, KEY);
        put(2, KEY + 1);
    }

    @Test
    void aHashGetThatIsNotInDoorbellOrderRunsStaleWqes() {
        fill();
        start(true);
        // The READs have the addresses, the compare-and-swaps the images that they were loaded with: no key is found.
        assertEquals(0, get(KEY, 1, 3));
    }

    @Test
    void aHashGetInDoorbellOrderAnswersAgainAndAgain() {
        fill();
        start(false);
        for (int i = 0; i < 300; i++) {
            assertEquals(77, get(KEY, 1, 3), "first bucket, request " + i);
            assertEquals(77, get(KEY + 1, 1, 2), "second bucket, request " + i);
            assertEquals(0, get(KEY + 2, 1, 2), "no bucket, request " + i);
        }
    }

    @Test
    void aProgramThatIsNotInDoorbellOrderIsRefused() {
        for (LookupKind kind : new LookupKind[] {LookupKind.LIST_WALK_BREAK, LookupKind.ARRAY_SEARCH}) {
            OrderException refusal = assertThrows(OrderException.class, () -> LookupSketch.of(kind, new Sketch(true)));
            assertTrue(refusal.getMessage().contains("prefetches"), refusal.getMessage());
        }
    }
}
