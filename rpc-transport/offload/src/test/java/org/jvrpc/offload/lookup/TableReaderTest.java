package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.table.CuckooTable;
import org.jvrpc.offload.table.HashTable;
import org.jvrpc.offload.table.HopscotchTable;
import org.jvrpc.offload.table.Value;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** Programs look at tables that another thread changes. */
class TableReaderTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final long RUN_NS = Long.getLong("jvrpc.test.tableSeconds", 5) * 1_000_000_000L;
    private static final int MAX_VALUE = 300;
    private static final int LASTING = 512;
    private static final int PASSING = 512;
    private static final long KEPT = 0x1122_3344_5566_7788L;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(16 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final OffloadHost host = new OffloadHost(hostDevice, address);
    /** For each key the first version that a reader may see, or, negative, the last that it must not. */
    private final AtomicLongArray oldest = new AtomicLongArray(LASTING + PASSING);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean stopped;
    private OffloadClient client;

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    private HashTable create(TableReader.Hashing hashing, int buckets, long graceNs) {
        return hashing == TableReader.Hashing.CUCKOO
                ? CuckooTable.create(data, buckets, MAX_VALUE, graceNs, System::nanoTime)
                : HopscotchTable.create(data, buckets, MAX_VALUE, graceNs, System::nanoTime);
    }

    private OffloadClient connect(LookupKind kind) {
        host.offer(new Offer("table", kind, data, 0));
        client = OffloadClient.connect(clientDevice, address, "table", MAX_VALUE + Value.HEADER,
                clientDevice.createChannel(), TIMEOUT_NS);
        return client;
    }

    private static long key(int i) {
        return (i + 1) * 0x9e37_79b9_7f4a_7c15L >>> 16;
    }

    private static int lengthOf(long version) {
        return (int) (8 + version * 31 % (MAX_VALUE - 8));
    }

    private static void fill(ByteBuffer value, int i, long content) {
        value.clear().limit(lengthOf(content));
        value.putLong(0, content);
        for (int at = 8; at < value.limit(); at++) {
            value.put(at, (byte) (content * 7 + i + at));
        }
    }

    /** Puts and removes until told to stop, and adds keys, so that the table grows. */
    private void write(HashTable table, Random random) {
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        long content = LASTING;
        long extra = 1 << 20;
        try {
            while (!stopped) {
                content++;
                int i = random.nextInt(LASTING + PASSING);
                if (i >= LASTING && random.nextBoolean()) {
                    if (table.remove(key(i))) {
                        oldest.set(i, -content); // no older content from now on
                    }
                    continue;
                }
                fill(value, i, content);
                if (table.put(key(i), value) == 0) {
                    throw new AssertionError("the table is full: size=" + table.size() + " " + table.buckets());
                }
                oldest.set(i, content);
                if (content % 4096 == 0 && table.buckets() < 1 << 13) {
                    for (int n = 0; n < 600; n++) { // makes it grow
                        fill(value, 0, content);
                        table.put(key((int) extra++), value);
                    }
                }
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(TableReader.Hashing.class)
    void noValueIsTornOrFreedOrMissedWhileAnotherThreadPutsAndRemovesAndGrows(TableReader.Hashing hashing)
            throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        HashTable table = create(hashing, 1024, 20_000);
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < LASTING; i++) {
            fill(value, i, i + 1);
            assertTrue(table.put(key(i), value) > 0);
            oldest.set(i, i + 1);
        }
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET), hashing);
        Thread writer = new Thread(() -> write(table, new Random(seed)));
        writer.start();
        Random random = new Random(seed + 1);
        long endNs = System.nanoTime() + RUN_NS;
        long gets = 0;
        long found = 0;
        try {
            while (failure.get() == null && (found <= LASTING || (gets & 63) != 0 || System.nanoTime() < endNs)) {
                found += get(reader, random.nextInt(LASTING + PASSING), "get " + gets + " seed=" + seed) ? 1 : 0;
                gets++;
            }
        } finally {
            stopped = true;
            writer.join(10_000);
        }
        assertNull(failure.get(), () -> "writer: " + failure.get() + " seed=" + seed);
        System.out.println(hashing + " gets=" + gets + " found=" + found + " repeats=" + reader.repeats() + " buckets="
                + table.buckets());
    }

    private String describe() {
        return client.describe() + " host's clients: " + host.clients().stream()
                .map(hosted -> "connected=" + hosted.isConnected() + " executed=" + hosted.executed()).toList();
    }

    private boolean get(TableReader reader, int i, String what) {
        long before = oldest.get(i);
        Outcome outcome = reader.get(key(i), TIMEOUT_NS);
        if (outcome == Outcome.MISSED) {
            assertTrue(i >= LASTING, () -> "a key that is always there was missed: " + i + " " + what);
            return false;
        }
        assertEquals(Outcome.FOUND, outcome, () -> what + " " + describe());
        ByteBuffer answer = reader.answer();
        long content = answer.getLong(Value.HEADER);
        int length = lengthOf(content);
        if (length != reader.length() || content < Math.abs(before)) {
            throw new AssertionError(what + " key " + i + ": content=" + content + " length=" + reader.length()
                    + " wanted=" + length + " oldest=" + before);
        }
        for (int at = 8; at < length; at++) {
            if (answer.get(Value.HEADER + at) != (byte) (content * 7 + i + at)) {
                throw new AssertionError(what + " key " + i + ": byte " + at + " of content " + content);
            }
        }
        return true;
    }

    @Test
    void aReaderOfTwoQueuesGetsTheSameValues() {
        HashTable table = create(TableReader.Hashing.CUCKOO, 64, 0);
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET_PARALLEL), TableReader.Hashing.CUCKOO);
        for (int i = 0; i < LASTING; i++) {
            fill(value, i, i + 1);
            table.put(key(i), value);
            assertTrue(get(reader, i, "key " + i));
        }
        for (int i = 0; i < LASTING; i++) {
            assertTrue(get(reader, i, "key " + i), "after it has grown to " + table.buckets());
            table.remove(key(i));
            assertEquals(Outcome.MISSED, reader.get(key(i), TIMEOUT_NS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64})
    void lookupsThatWereAnsweredLeaveRoomForReads(int chain) {
        HashTable table = create(TableReader.Hashing.CUCKOO, 64, 0);
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET), TableReader.Hashing.CUCKOO);
        fill(value, 0, 1);
        table.put(key(0), value);
        ReadChain reads = client.reads(Math.max(chain, 1), 8);
        for (int hits = 0; hits < 300; hits++) { // more than a send ring has room for
            for (int i = 0; i < hits; i++) {
                assertEquals(Outcome.FOUND, reader.get(key(0), TIMEOUT_NS));
            }
            String what = "hits=" + hits;
            if (chain == 0) {
                assertEquals(Outcome.MISSED, reader.get(key(1), TIMEOUT_NS), what);
            } else {
                reads.begin(chain);
                for (int i = 0; i < chain; i++) {
                    reads.piece(i, data.address(), 8);
                }
                assertTrue(reads.run(), what);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableReader.Hashing.class)
    void aReaderTellsLengthAndVersionOfWhatItFound(TableReader.Hashing hashing) {
        HashTable table = create(hashing, 64, 0);
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET), hashing);
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        fill(value, 0, 1);
        table.put(key(0), value);
        long version = table.put(key(0), value);
        assertTrue(get(reader, 0, "the only key"));
        assertEquals(lengthOf(1), reader.length());
        assertEquals(version, reader.version());
        assertEquals(0, reader.repeats());
    }

    @ParameterizedTest
    @EnumSource(TableReader.Hashing.class)
    void aReaderLooksAgainWhereTheTableHasGrown(TableReader.Hashing hashing) {
        HashTable table = create(hashing, 64, 0);
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET), hashing);
        ByteBuffer value = ByteBuffer.allocate(MAX_VALUE).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(Outcome.MISSED, reader.get(key(0), TIMEOUT_NS));
        assertEquals(0, reader.repeats(), "nothing was moved meanwhile");
        for (int i = 0; i < LASTING; i++) {
            fill(value, i, i + 1);
            table.put(key(i), value);
        }
        for (int i = 0; i < LASTING; i++) {
            assertTrue(get(reader, i, "key " + i));
        }
        assertEquals(1, reader.repeats(), "until it knew where the table is now");
    }

    @Test
    void aReaderOfAHostThatIsGoneIsBroken() {
        create(TableReader.Hashing.CUCKOO, 64, 0);
        TableReader known = new TableReader(connect(LookupKind.HASH_GET), TableReader.Hashing.CUCKOO);
        assertEquals(Outcome.MISSED, known.get(key(0), TIMEOUT_NS));
        TableReader fresh = new TableReader(client, TableReader.Hashing.CUCKOO);
        client.close();
        assertEquals(Outcome.BROKEN, known.get(key(0), TIMEOUT_NS));
        assertEquals(Outcome.BROKEN, fresh.get(key(0), TIMEOUT_NS));
    }

    /** The program found nothing, and where the table is now cannot be read. */
    @Test
    void aReaderIsBrokenWhenTheTableGoesWhileTheProgramLooks() {
        BareHost bare = new BareHost(hostDevice);
        TableReader reader = new TableReader(
                bare.connect(clientDevice, clientDevice.createChannel(), TIMEOUT_NS), TableReader.Hashing.CUCKOO);
        assertEquals(Outcome.MISSED, answered(bare, reader));
        bare.withdraw();
        assertEquals(Outcome.BROKEN, answered(bare, reader));
    }

    private static Outcome answered(BareHost bare, TableReader reader) {
        bare.take();
        CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> Waits.until("the lookup", bare::answer));
        Outcome outcome = reader.get(key(0), TIMEOUT_NS);
        answer.join();
        return outcome;
    }

    @Test
    void aValueThatIsNotWholeIsLookedAtAgainForAsLongAsTheProgramMayTake() {
        HashTable table = create(TableReader.Hashing.HOPSCOTCH, 64, 0);
        TableReader reader = new TableReader(connect(LookupKind.HASH_GET), TableReader.Hashing.HOPSCOTCH);
        ByteBuffer value = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, KEPT);
        table.put(key(0), value);
        assertEquals(Outcome.FOUND, reader.get(key(0), TIMEOUT_NS));
        ByteBuffer memory = data.buffer(0, (int) data.length()).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (memory.getLong(at) != KEPT) {
            at += 8;
        }
        memory.put(at, (byte) (KEPT + 1));
        assertEquals(Outcome.UNFINISHED, reader.get(key(0), 50_000_000));
        memory.put(at, (byte) KEPT);
        assertEquals(Outcome.FOUND, reader.get(key(0), TIMEOUT_NS));
    }

    @Test
    void aLookupOfAnotherKindIsRefused() {
        OffloadClient client = connect(LookupKind.LIST_WALK_BREAK);
        assertThrows(IllegalArgumentException.class, () -> new TableReader(client, TableReader.Hashing.CUCKOO));
    }
}
