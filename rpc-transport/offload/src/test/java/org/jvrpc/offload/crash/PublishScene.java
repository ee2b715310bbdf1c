package org.jvrpc.offload.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.offload.table.MethodChunk;
import org.jvrpc.offload.table.MethodHash;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.crash.CrashScene;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The child publishes answers in memory of this process, as a hull's application does: readers find the old answer or
 * the new one, whole, in the order of publication, and none for one call at most, which is being published.
 */
final class PublishScene implements CrashScene {

    static final int CAPACITY = 8;
    static final int ANSWER = 128;
    private static final String NAME = "test/method";
    private static final long NONE = 0;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device device = Devices.open("shm://any");
    private final Device another = Devices.open("shm://any");
    private final OffloadHost host = new OffloadHost(device, address);
    private final MemoryRegion data = device.allocatePd()
            .allocate(MethodTable.bytes(CAPACITY, ANSWER), Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final OffloadClient reader;
    private final CRC32C crc = new CRC32C();
    private long[] before = new long[Victim.KEYS];
    private long value = 100;

    PublishScene() {
        MethodTable.open(data, 0, CAPACITY, ANSWER);
        host.offer(new Offer(NAME, LookupKind.HASH_GET, data, 0));
        reader = OffloadClient.connect(another, address, NAME, ANSWER, another.createChannel(), Waits.limitNs());
    }

    @Override
    public List<String> begin() {
        value++;
        return List.of(HexFormat.of().formatHex(data.export()), Long.toString(value));
    }

    @Override
    public void step() {
        // Nobody on this side has a part in it.
    }

    /** Returns the value that a program brings, or {@link #NONE}. */
    private long get(long key) {
        int at = reader.read(reader.header(), IndexHeader.BYTES);
        assertTrue(at >= 0 && IndexHeader.isWhole(reader.request(), at), "no header");
        long first = IndexHeader.address(reader.request(), at);
        int buckets = (int) IndexHeader.count(reader.request(), at);
        ByteBuffer arguments = Victim.words(key);
        long hash = MethodHash.key(arguments, 0, 8);
        Outcome outcome = reader.hashGet(Bucket.image(hash),
                first + (long) MethodHash.first(hash, buckets) * Bucket.BYTES,
                first + (long) MethodHash.second(hash, buckets) * Bucket.BYTES, Waits.limitNs());
        ByteBuffer answer = reader.answer();
        if (outcome == Outcome.MISSED || !MethodChunk.answers(answer, arguments, 0, 8, crc)) {
            return NONE;
        }
        assertEquals(Outcome.FOUND, outcome);
        int result = MethodChunk.resultAt(answer);
        long found = answer.getLong(result);
        assertEquals(found * key, answer.getLong(result + 8), "of another key, or torn");
        answer.clear();
        return found;
    }

    private long[] getAll() {
        long[] values = new long[Victim.KEYS];
        for (int key = 1; key <= Victim.KEYS; key++) {
            values[key - 1] = get(key);
        }
        return values;
    }

    @Override
    public void others() {
        check(getAll());
    }

    /** All behind the first that is not new are as they were; it may be none itself. */
    private void check(long[] values) {
        int first = 0;
        while (first < values.length && values[first] == value) {
            first++;
        }
        for (int i = first; i < values.length; i++) {
            assertTrue(values[i] == before[i] || i == first && values[i] == NONE,
                    () -> Arrays.toString(values) + " after " + Arrays.toString(before) + ", new is " + value);
        }
    }

    @Override
    public void end(boolean whole) {
        long[] values = getAll();
        check(values);
        if (whole) {
            assertTrue(Arrays.stream(values).allMatch(found -> found == value), Arrays.toString(values));
        }
        // The next one takes up what this one left: what it did not finish may be finished, or none, until then.
        MethodTable.open(data, 0, CAPACITY, ANSWER);
        check(getAll());
        before = getAll();
    }

    @Override
    public void close() {
        reader.close();
        host.close();
        another.close();
        device.close();
    }
}
