package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.offload.Prefetching;
import org.jvrpc.offload.table.Node;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/** Walks over lists of a host in this process, over two devices. */
class ListWalkTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final int NODES = 10;
    private static final int VALUES = 64 * 64;
    private static final long KEY = 0xfedc_ba98_7600L;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final EventChannel channel = clientDevice.createChannel();
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(2 * VALUES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = data.buffer(0, (int) data.length());
    private final OffloadHost host = new OffloadHost(hostDevice, address);

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    private long node(int i) {
        // Not in the order of the memory: the first ones lie last.
        return data.address() + (63 - 5 * i & 63) * Node.BYTES;
    }

    private OffloadClient connect(LookupKind kind, Offer.Rearm rearm, int nodes) {
        for (int i = 0; i < nodes; i++) {
            int value = VALUES + 64 * i;
            memory.putLong(value, 1).putLong(value + 8, 1000 + i);
            Node.write(memory, (int) (node(i) - data.address()), KEY + i, node(i + 1), data.address() + value, 16 + i);
        }
        Node.writeEnd(memory, (int) (node(nodes) - data.address()), node(nodes));
        host.offer(new Offer("test/walk", kind, data, 0, rearm, Long.MAX_VALUE, Integer.MAX_VALUE));
        return OffloadClient.connect(clientDevice, address, "test/walk", 256, channel, TIMEOUT_NS);
    }

    @ParameterizedTest
    @CsvSource({"LIST_WALK, RECYCLED", "LIST_WALK, PREPOSTED", "LIST_WALK_BREAK, RECYCLED",
        "LIST_WALK_BREAK, PREPOSTED"})
    void keysOfTheFirstEightNodesAreFoundAndNoOthers(LookupKind kind, Offer.Rearm rearm) {
        OffloadClient client = connect(kind, rearm, NODES);
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < NODES; i++) {
                Outcome outcome = client.listWalk(KEY + i, node(0), TIMEOUT_NS);
                assertEquals(i < 8 ? Outcome.FOUND : Outcome.MISSED, outcome, "round " + round + " node " + i);
                if (i < 8) {
                    assertEquals(1000 + i, client.answer().getLong(8), "round " + round + " node " + i);
                }
                assertEquals(Outcome.MISSED, client.listWalk(KEY + 100 + i, node(0), TIMEOUT_NS));
            }
            assertEquals(Outcome.FOUND, client.listWalk(KEY + 9, node(4), TIMEOUT_NS), "from the middle on");
        }
        client.close();
    }

    @ParameterizedTest
    @EnumSource
    void aWalkIsRightOnADeviceThatPrefetches(Offer.Rearm rearm) {
        Prefetching.begin();
        try {
            keysOfTheFirstEightNodesAreFoundAndNoOthers(LookupKind.LIST_WALK, rearm);
        } finally {
            Prefetching.end();
        }
    }

    @ParameterizedTest
    @EnumSource(value = LookupKind.class, names = {"LIST_WALK", "LIST_WALK_BREAK"})
    void aShortListAndAnEmptyOneEnd(LookupKind kind) {
        OffloadClient client = connect(kind, Offer.Rearm.RECYCLED, 2);
        for (int round = 0; round < 3; round++) {
            assertEquals(Outcome.FOUND, client.listWalk(KEY + 1, node(0), TIMEOUT_NS));
            assertEquals(1001, client.answer().getLong(8));
            assertEquals(Outcome.MISSED, client.listWalk(KEY + 2, node(0), TIMEOUT_NS));
            assertEquals(Outcome.MISSED, client.listWalk(KEY, node(2), TIMEOUT_NS), "an empty list");
        }
        assertThrows(IllegalArgumentException.class, () -> client.listWalk(0, node(0), TIMEOUT_NS));
        client.close();
    }

    @Test
    void aBreakSavesMoreThanHalfOfTheWrsInTheMeanOfAllPlaces() {
        double walk = wrs(LookupKind.LIST_WALK);
        double withBreak = wrs(LookupKind.LIST_WALK_BREAK);
        System.out.println("WRs a walk: " + walk + ", with break: " + withBreak);
        assertTrue(withBreak <= walk / 2, "walk=" + walk + " withBreak=" + withBreak);
    }

    private double wrs(LookupKind kind) {
        OffloadClient client = connect(kind, Offer.Rearm.RECYCLED, NODES);
        client.listWalk(KEY, node(0), TIMEOUT_NS);
        HostedClient hosted = hosted(kind);
        long before = hosted.executed();
        int rounds = 100;
        for (int i = 0; i < 8 * rounds; i++) {
            assertEquals(Outcome.FOUND, client.listWalk(KEY + i % 8, node(0), TIMEOUT_NS));
        }
        double each = (hosted.executed() - before) / (8.0 * rounds);
        client.close();
        return each;
    }

    /** Waits for the host to have a client, which connected already. */
    private HostedClient hosted(LookupKind kind) {
        long endNs = System.nanoTime() + TIMEOUT_NS;
        while (System.nanoTime() < endNs) {
            for (HostedClient client : host.clients()) {
                if (client.offer().kind() == kind) {
                    return client;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no client of " + kind);
    }

    @Tag("slow")
    @Test
    void hundredsOfThousandsOfLapsGiveTheRightAnswer() {
        OffloadClient client = connect(LookupKind.LIST_WALK_BREAK, Offer.Rearm.RECYCLED, NODES);
        long startNs = System.nanoTime();
        int laps = 500_000;
        for (int i = 0; i < laps; i++) {
            int place = i * 7 % 9;
            Outcome outcome = client.listWalk(KEY + place, node(0), TIMEOUT_NS);
            if (place == 8 ? outcome != Outcome.MISSED
                    : outcome != Outcome.FOUND || client.answer().getLong(8) != 1000 + place) {
                throw new AssertionError("lap " + i + " node " + place + ": " + outcome);
            }
        }
        System.out.println("ns a walk: " + (System.nanoTime() - startNs) / laps);
        client.close();
    }
}
