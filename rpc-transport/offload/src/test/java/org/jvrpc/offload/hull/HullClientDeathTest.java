package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/** Client processes that are killed wherever their program is just then. */
class HullClientDeathTest {

    private static final int ROUNDS = 8;

    @Test
    @Timeout(120)
    void aClientKilledInItsChainIsTakenAwayAndTheOthersGoOn() {
        String address = SharedMemoryFolder.freshAddress();
        Random random = new Random(seed());
        try (Device hullDevice = Devices.open(address); Device device = Devices.open(address);
                OffloadHost host = new OffloadHost(hullDevice, address)) {
            MemoryRegion data = hullDevice.allocatePd().allocate(1 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
            HullDesk desk = new HullDesk(host, data);
            new HullTable(data).format();
            desk.offer(HullApp.NAME, LookupKind.HASH_GET, 0, Offer.Rearm.RECYCLED,
                    Long.MAX_VALUE, Integer.MAX_VALUE);
            EventChannel channel = device.createChannel();
            try (OffloadClient survivor = OffloadClient.connect(
                    device, address, HullApp.NAME, 256, channel, Waits.limitNs())) {
                HullTable.Reader reader = new HullTable.Reader(survivor);
                for (int round = 0; round < ROUNDS; round++) {
                    killAfter(random.nextInt(20_000), address, reader);
                    Waits.until("the dead client to be taken away", () -> {
                        assertNull(reader.next());
                        return desk.clients().size() == 1;
                    });
                }
            }
        }
    }

    /** Runs a client until the survivor has made so many gets, then kills it. */
    private static void killAfter(int gets, String address, HullTable.Reader reader) {
        try (ChildJvm client = HullApp.command("load", address).start()) {
            client.expect("loading");
            for (int i = 0; i < gets; i++) {
                assertNull(reader.next());
            }
            assertTrue(client.isAlive(), client::toString);
            client.kill();
            assertEquals(137, client.exitStatus());
        }
    }

    private static long seed() {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("client death: jvrpc.test.seed=" + seed);
        return seed;
    }
}
