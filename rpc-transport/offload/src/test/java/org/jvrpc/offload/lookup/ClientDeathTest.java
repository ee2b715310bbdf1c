package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/** Clients that are killed while they run their programs: the host gets everything back and serves the next one. */
class ClientDeathTest {

    private static final int ROUNDS = 12;
    private static final int BUCKETS = 64;
    private static final int BYTES = 16384;
    private static final int VALUES = 8192;
    private static final long TIMEOUT_NS = Waits.limitNs();
    private static final String NAME = "test/get";

    /** What the client does: gets keys without end, and says so once. */
    static final class Client {

        private Client() {
        }

        public static void main(String[] args) {
            Device device = Devices.open("shm://any");
            EventChannel channel = device.createChannel();
            OffloadClient client = OffloadClient.connect(device, args[0], NAME, 64, channel, TIMEOUT_NS);
            for (long n = 0; ; n++) {
                if (!getAll(client)) {
                    Parent.say("WRONG");
                    return;
                }
                if (n == 100) {
                    Parent.say("RUNNING");
                }
            }
        }
    }

    private static boolean getAll(OffloadClient client) {
        for (int key = 1; key < BUCKETS; key++) {
            long bucket = client.header() + (long) key * Bucket.BYTES;
            Outcome outcome = client.hashGet(Bucket.image(key), bucket, bucket, TIMEOUT_NS);
            if (outcome != Outcome.FOUND || client.answer().getLong(8) != key * 7L) {
                return false;
            }
        }
        return true;
    }

    @Test
    void theNextClientIsServedAfterOneWasKilledInTheMiddleOfAChain() throws Exception {
        long seed = System.nanoTime();
        System.out.println("theNextClientIsServedAfterOneWasKilledInTheMiddleOfAChain: seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        String address = SharedMemoryFolder.freshAddress();
        try (Device device = Devices.open("shm://any")) {
            MemoryRegion data = device.allocatePd().allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
            ByteBuffer table = data.buffer(0, BYTES);
            for (int key = 1; key < BUCKETS; key++) {
                int value = VALUES + key * 64;
                table.putLong(value, 1).putLong(value + 8, key * 7L);
                Bucket.publish(table, key * Bucket.BYTES, key, data.address() + value, 16);
            }
            try (OffloadHost host = new OffloadHost(device, address)) {
                host.offer(new Offer(NAME, LookupKind.HASH_GET, data, 0));
                for (int round = 0; round < ROUNDS; round++) {
                    try (ChildJvm process = JavaCommand.of(Client.class).option("-Xmx64m").arguments(address).start()) {
                        process.expect("RUNNING");
                        long until = System.nanoTime() + random.nextInt(2_000_000);
                        while (System.nanoTime() - until < 0) {
                            Thread.onSpinWait();
                        }
                    }
                    Waits.until("the dead client to be taken away", () -> host.clients().isEmpty(), host::clients);
                }
                try (Device own = Devices.open("shm://any");
                     OffloadClient client = OffloadClient.connect(
                             own, address, NAME, 64, own.createChannel(), TIMEOUT_NS)) {
                    assertTrue(getAll(client));
                    assertEquals(1, host.clients().size());
                }
            }
        }
    }
}
