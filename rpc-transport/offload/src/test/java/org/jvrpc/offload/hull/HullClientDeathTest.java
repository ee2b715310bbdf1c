package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
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
    void aClientKilledInItsChainIsTakenAwayAndTheOthersGoOn() throws IOException, InterruptedException {
        String address = HullProcess.freshAddress();
        HullProcess.folder();
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
                    device, address, HullApp.NAME, 256, channel, HullProcess.BOUND_NS)) {
                HullTable.Reader reader = new HullTable.Reader(survivor);
                for (int round = 0; round < ROUNDS; round++) {
                    killAfter(random.nextInt(20_000), address, reader);
                    HullProcess.until("the dead client to be taken away", () -> {
                        assertNull(reader.next());
                        return desk.clients().size() == 1;
                    });
                }
            }
        }
    }

    /** Runs a client until the survivor has made so many gets, then kills it. */
    private static void killAfter(int gets, String address, HullTable.Reader reader)
            throws IOException, InterruptedException {
        Process client = HullProcess.start("load", address);
        try (BufferedReader lines = client.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.equals("loading")) {
                line = lines.readLine();
            }
            assertEquals("loading", line);
            for (int i = 0; i < gets; i++) {
                assertNull(reader.next());
            }
            assertTrue(client.isAlive());
        } finally {
            client.toHandle().destroyForcibly();
            assertEquals(137, client.waitFor());
        }
    }

    private static long seed() {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("client death: jvrpc.test.seed=" + seed);
        return seed;
    }
}
