package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.offload.wr.Place;

/** What a requester does with indices of its own choice: its program runs out of order, and reaches nothing more. */
final class ForgedIndexTest {

    private static final long SEED = Long.getLong("jvrpc.chains.seed", System.nanoTime());
    private static final int DONE = 64;
    private static final int ANSWER = 128;
    private static final long RATE = 100_000;
    private static final int BURST = 100;
    private static final int MOST_IN_A_RUN = 4096;
    private static final long KEY = 0x1234_5678_9abcL;

    private final ChainRig rig = new ChainRig();
    private final Place table = rig.place("table", 2 * Bucket.BYTES, 64);
    private final Place value = rig.word("value", 77);
    private final ChainRig.Trigger client;
    private final ByteBuffer memory;
    private final List<LapIndex> indices;
    private long number;

    ForgedIndexTest() {
        Bucket.clear(rig.bytes, rig.at(table));
        Bucket.clear(rig.bytes, rig.at(table) + Bucket.BYTES);
        Bucket.publish(rig.bytes, rig.at(table) + Bucket.BYTES, KEY, value.address(), 8);
        ChainQueue worker = rig.worker("W", LookupKind.HASH_GET.workerBlocks(false));
        client = rig.trigger("A", LookupKind.HASH_GET.answerBlocks(), true, 1);
        memory = client.message().buffer(0, 256).order(ByteOrder.BIG_ENDIAN);
        Program program = LookupKind.HASH_GET.recycled(new LookupQueues(new ChainQueue[] {worker}, null,
                client.queue(), rig.memory, rig.data, Place.of(client.message(), ANSWER, 128, "answer"),
                Place.of(client.message(), DONE, 8, "done")));
        indices = program.lapIndices();
        rig.run(program);
    }

    /** Returns the request of the next lap. */
    private byte[] request() {
        byte[] request = new byte[HashGet.REQUEST_BYTES + 4 * indices.size()];
        ByteBuffer out = ByteBuffer.wrap(request);
        for (int bucket = 0; bucket < 2; bucket++) {
            out.putLong(Long.reverseBytes(Bucket.image(KEY)));
            out.putLong(table.address() + bucket * Bucket.BYTES);
        }
        out.putLong(number + 1);
        indices.forEach(index -> out.putInt(index.of(number)));
        number++;
        return request;
    }

    private void send(byte[] request) {
        client.send(request);
        rig.settle();
    }

    @Test
    void eachLapAnswersWithTheIndicesThatTheProgramAsksFor() {
        assertEquals(4, indices.size());
        for (int i = 0; i < 300; i++) {
            memory.putLong(ANSWER, 0);
            send(request());
            assertEquals(number, memory.getLong(DONE), "request " + i);
            assertEquals(77, memory.getLong(ANSWER), "request " + i);
        }
        rig.close();
    }

    @Test
    void forgedIndicesChangeNothingButTheRequestersAnswer() {
        for (int round = 0; round < 40; round++) {
            ForgedIndexTest one = new ForgedIndexTest();
            one.forge(new SplittableRandom(SEED + round), "jvrpc.chains.seed=" + (SEED + round));
            one.rig.close();
        }
        rig.close();
    }

    private byte[] forged(SplittableRandom random) {
        byte[] forged = request();
        for (int at = HashGet.REQUEST_BYTES; at < forged.length; at += 4) {
            int near = ByteBuffer.wrap(forged).getInt(at) + random.nextInt(-40, 40);
            ByteBuffer.wrap(forged).putInt(at, random.nextInt(4) == 0 ? random.nextInt() : near);
        }
        return forged;
    }

    /** Forged requests behind each other, which the program may take while it is at an earlier one. */
    @Test
    void aSeriesOfForgedRequestsRunsNoFasterThanItsGroupMay() {
        for (int round = 0; round < 20; round++) {
            ForgedIndexTest one = new ForgedIndexTest();
            one.forgeAll(new SplittableRandom(SEED + round), "jvrpc.chains.seed=" + (SEED + round));
            one.rig.close();
        }
        rig.close();
    }

    private void forgeAll(SplittableRandom random, String seed) {
        send(request());
        byte[] searched = new byte[rig.bytes.capacity()];
        rig.bytes.get(0, searched);
        rig.chains.limitRate(RATE, BURST);
        long startNs = System.nanoTime();
        long before = rig.chains.executed();
        for (int i = 0; i < 200; i++) {
            client.send(forged(random));
            rig.settleOnce();
        }
        long executed = rig.chains.executed() - before;
        long most = BURST + RATE * (System.nanoTime() - startNs) / 1_000_000_000 + MOST_IN_A_RUN;
        assertTrue(executed <= most, seed + " WQEs=" + executed + " most=" + most);
        byte[] now = new byte[searched.length];
        rig.bytes.get(0, now);
        assertArrayEquals(searched, now, seed + ": what is searched");
    }

    private void forge(SplittableRandom random, String seed) {
        send(request());
        byte[] searched = new byte[rig.bytes.capacity()];
        rig.bytes.get(0, searched);
        byte[] forged = forged(random);
        long before = rig.chains.executed();
        send(forged);
        byte[] now = new byte[searched.length];
        rig.bytes.get(0, now);
        assertArrayEquals(searched, now, seed + ": what is searched");
        assertTrue(rig.chains.executed() - before < 2 * 65_536, seed + " WQEs=" + (rig.chains.executed() - before));
        for (int at = forged.length; at < 256; at++) {
            boolean isAnswer = at >= DONE && at < DONE + 8 || at >= ANSWER && at < ANSWER + 8;
            assertTrue(isAnswer || memory.get(at) == 0, seed + " at=" + at);
        }
    }
}
