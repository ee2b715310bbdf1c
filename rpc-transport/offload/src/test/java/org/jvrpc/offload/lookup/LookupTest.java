package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/** Lookups of a host in this process, over two devices. */
class LookupTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final int BUCKETS = 1024;
    private static final int VALUES = 64 * BUCKETS;

    private final Device hostDevice = Devices.open(deviceAddress());
    private final Device clientDevice = Devices.open(deviceAddress());
    private final EventChannel channel = clientDevice.createChannel();
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(VALUES + 128L * BUCKETS, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer table = data.buffer(0, (int) data.length());
    final OffloadHost host = new OffloadHost(hostDevice, hostAddress());
    private final String address = host.address();

    String deviceAddress() {
        return "shm://any";
    }

    String hostAddress() {
        return SharedMemoryFolder.freshAddress();
    }

    int laps() {
        return 1_000_000;
    }

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    private OffloadClient connect(Offer.Rearm rearm) {
        return connect(LookupKind.HASH_GET, rearm);
    }

    OffloadClient connect(LookupKind kind, Offer.Rearm rearm) {
        for (int i = 1; i < BUCKETS; i++) {
            Bucket.clear(table, at(i));
        }
        host.offer(new Offer("test/get", kind, data, 0, rearm, Long.MAX_VALUE, Integer.MAX_VALUE));
        return OffloadClient.connect(clientDevice, address, "test/get", 256, channel, TIMEOUT_NS);
    }

    private static int at(int bucket) {
        return bucket * Bucket.BYTES;
    }

    private void put(int bucket, long key) {
        int value = VALUES + bucket * 64;
        table.putLong(value, 1).putLong(value + 8, key * 31);
        Bucket.publish(table, at(bucket), key, data.address() + value, 16);
    }

    private Outcome get(OffloadClient client, long key, int first, int second) {
        return client.hashGet(Bucket.image(key), data.address() + at(first), data.address() + at(second), TIMEOUT_NS);
    }

    @ParameterizedTest
    @CsvSource({"HASH_GET, RECYCLED", "HASH_GET, PREPOSTED", "HASH_GET_PARALLEL, RECYCLED",
        "HASH_GET_PARALLEL, PREPOSTED"})
    void keysAreFoundInEitherBucketAndMissedInNone(LookupKind kind, Offer.Rearm rearm) {
        OffloadClient client = connect(kind, rearm);
        for (int i = 1; i < 100; i++) {
            put(i, 0x1234_5678_0000L * (i & 3) + i);
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i < 100; i++) {
                long key = 0x1234_5678_0000L * (i & 3) + i;
                boolean first = (i & 4) == 0;
                assertEquals(Outcome.FOUND, get(client, key, first ? i : 500, first ? 500 : i), "key " + i);
                assertEquals(key * 31, client.answer().getLong(8), "value of key " + i);
                assertEquals(Outcome.MISSED, get(client, key + 1000, i, 500), "no key " + i);
            }
        }
        client.close();
    }

    @Test
    void whoComesWhenTheHostIsFullIsRefusedAndServedWhenThereIsRoom() {
        OffloadClient first = connect(Offer.Rearm.RECYCLED);
        List<OffloadClient> others = new ArrayList<>();
        for (int i = 1; i < OffloadHost.MAX_CLIENTS; i++) {
            others.add(OffloadClient.connect(clientDevice, address, "test/get", 64, channel, TIMEOUT_NS));
        }
        ConnectionException e = assertThrows(ConnectionException.class,
                () -> OffloadClient.connect(clientDevice, address, "test/get", 64, channel, TIMEOUT_NS));
        assertEquals(ConnectionException.Reason.REJECTED, e.reason());
        String why = new String(e.privateData(), StandardCharsets.UTF_8);
        assertTrue(why.contains("clients=" + OffloadHost.MAX_CLIENTS), why);
        first.close();
        long startNs = System.nanoTime();
        while (host.clients().size() == OffloadHost.MAX_CLIENTS) {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "the host keeps a client that is gone");
            Thread.onSpinWait();
        }
        others.add(OffloadClient.connect(clientDevice, address, "test/get", 64, channel, TIMEOUT_NS));
        others.forEach(OffloadClient::close);
    }

    @Tag("slow")
    @Test
    void aMillionLapsPastEveryCountersEndGiveTheRightAnswer() {
        OffloadClient client = connect(Offer.Rearm.RECYCLED);
        put(7, 7);
        put(8, 8);
        int laps = laps();
        for (int i = 0; i < laps; i++) {
            int key = 7 + (i & 1);
            if (get(client, key, 7, 8) != Outcome.FOUND || client.answer().getLong(8) != key * 31) {
                throw new AssertionError("lap " + i + " of key " + key);
            }
        }
        assertTrue(host.clients().get(0).executed() > laps);
        client.close();
    }
}
