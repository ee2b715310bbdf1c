package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.Bucket;
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
    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final String NAME = "test/get";

    /** What the client does: gets keys without end, and says so once. */
    static final class Client {

        private Client() {
        }

        public static void main(String[] args) {
            Thread watch = new Thread(() -> {
                try {
                    while (System.in.read() >= 0) {
                        Thread.onSpinWait();
                    }
                } catch (IOException e) {
                    System.out.println("standard input: " + e);
                }
                Runtime.getRuntime().halt(3);
            });
            watch.setDaemon(true);
            watch.start();
            Device device = Devices.open("shm://any");
            EventChannel channel = device.createChannel();
            OffloadClient client = OffloadClient.connect(device, args[0], NAME, 64, channel, TIMEOUT_NS);
            for (long n = 0; ; n++) {
                if (!getAll(client)) {
                    System.out.println("WRONG");
                    return;
                }
                if (n == 100) {
                    System.out.println("RUNNING");
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

    private static Process start(String address) throws IOException {
        String folder = System.getProperty("jvrpc.shm.dir");
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
                folder == null ? "-Djvrpc.unused=1" : "-Djvrpc.shm.dir=" + folder, Client.class.getName(), address)
                .redirectErrorStream(true).start();
    }

    private static void expect(BufferedReader lines, String word) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals(word)) {
                return;
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("the client did not say " + word + " but: " + seen);
    }

    private static void awaitClients(OffloadHost host, int count) {
        long startNs = System.nanoTime();
        while (host.clients().size() != count) {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "clients=" + host.clients().size() + " of " + count);
            Thread.onSpinWait();
        }
    }

    @Test
    void theNextClientIsServedAfterOneWasKilledInTheMiddleOfAChain() throws Exception {
        long seed = System.nanoTime();
        System.out.println("theNextClientIsServedAfterOneWasKilledInTheMiddleOfAChain: seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        String address = "shm://death-" + ProcessHandle.current().pid();
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
                    Process process = start(address);
                    try (BufferedReader lines = process.inputReader()) {
                        expect(lines, "RUNNING");
                        long until = System.nanoTime() + random.nextInt(2_000_000);
                        while (System.nanoTime() - until < 0) {
                            Thread.onSpinWait();
                        }
                    } finally {
                        process.destroyForcibly();
                        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "the client cannot be killed");
                    }
                    awaitClients(host, 0);
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
