package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** A list by itself, and under a walk. */
class NodeListTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final int MAX_VALUE = 100;

    private final Device device = Devices.open("shm://any");
    private final MemoryRegion region =
            device.allocatePd().allocate(1 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, (int) region.length());
    private final CRC32C crc = new CRC32C();
    private long nowNs;

    @AfterEach
    void close() {
        device.close();
    }

    private static ByteBuffer value(long content) {
        return ByteBuffer.allocate(MAX_VALUE).putLong(0, content).limit((int) (8 + content % 90));
    }

    @Test
    void aListIsLikeAMapAlsoWhenItIsTakenUpAgain() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        Map<Long, Long> expected = new HashMap<>();
        for (long step = 0; step < 20_000; step++) {
            nowNs += 10;
            long key = 1 + random.nextInt(50);
            if (random.nextBoolean()) {
                assertTrue(list.put(key, value(step)) > 0, "step " + step + " seed=" + seed);
                expected.put(key, step);
            } else {
                assertEquals(expected.remove(key) != null, list.remove(key), "step " + step + " seed=" + seed);
            }
            if (step % 1000 == 0) {
                list = NodeList.attach(region, MAX_VALUE, 100, () -> nowNs);
                nowNs += 200; // what is free rests at first
            }
            assertEquals(expected.size(), list.size());
        }
        for (Map.Entry<Long, Long> entry : expected.entrySet()) {
            int at = list.get(entry.getKey());
            assertTrue(Value.isWhole(memory, at, MAX_VALUE + Value.HEADER, entry.getKey(), crc), "seed=" + seed);
            assertEquals(entry.getValue(), Long.reverseBytes(memory.getLong(at + Value.HEADER)));
        }
    }

    @Test
    void aFullListSaysSoAndBadValuesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> NodeList.attach(region, MAX_VALUE, 1, () -> nowNs));
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 1 << 20, 8, 1, () -> nowNs));
        NodeList list = NodeList.create(region, 2, MAX_VALUE, 100, () -> nowNs);
        assertTrue(list.put(1, value(1)) > 0);
        assertTrue(list.put(2, value(2)) > 0);
        assertEquals(0, list.put(3, value(3)));
        assertTrue(list.remove(1));
        assertEquals(0, list.put(3, value(3)), "the node rests");
        nowNs += 100;
        assertTrue(list.put(3, value(3)) > 0);
        assertThrows(IllegalArgumentException.class, () -> list.put(0, value(1)));
        assertThrows(IllegalArgumentException.class, () -> list.put(1L << 48, value(1)));
        assertThrows(IllegalArgumentException.class, () -> list.put(1, ByteBuffer.allocate(MAX_VALUE + 1)));
    }

    @Test
    void aWalkFindsWhatIsInTheList() {
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        String address = SharedMemoryFolder.freshAddress();
        try (Device clientDevice = Devices.open("shm://any"); OffloadHost host = new OffloadHost(device, address)) {
            host.offer(new Offer("list", LookupKind.LIST_WALK_BREAK, region, 0));
            OffloadClient client = OffloadClient.connect(clientDevice, address, "list", MAX_VALUE + Value.HEADER,
                    clientDevice.createChannel(), TIMEOUT_NS);
            for (long key = 1; key <= 8; key++) {
                list.put(key, value(100 + key));
                for (long k = 1; k <= 8; k++) {
                    Outcome outcome = client.listWalk(k, list.firstNode(), TIMEOUT_NS);
                    assertEquals(k <= key ? Outcome.FOUND : Outcome.MISSED, outcome, k + " of " + key);
                    assertTrue(k > key || Value.isWhole(client.answer(), 0, MAX_VALUE + Value.HEADER, k, crc));
                }
            }
            list.remove(3);
            assertEquals(Outcome.MISSED, client.listWalk(3, list.firstNode(), TIMEOUT_NS));
            assertEquals(Outcome.FOUND, client.listWalk(1, list.firstNode(), TIMEOUT_NS));
            client.close();
        }
    }
}
