package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.crash.CrashScene;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The child is the application of this hull: it attaches, writes its memory and offers lookups. Clients of what was
 * offered go on when it ends, and the next application finds the seat free and the memory as it was left.
 */
public final class HullScene implements CrashScene {

    private static final String SHORT_LIVED = "test/short-lived";

    private final String address = SharedMemoryFolder.freshAddress();
    private final Path path = HullProcess.controlOf(address);
    private final Device device = Devices.open("shm://any");
    private final Device another = Devices.open("shm://any");
    private final EventChannel channel = another.createChannel();
    private final OffloadHost host = new OffloadHost(device, address);
    private final MemoryRegion data =
            device.allocatePd().allocate(HullTable.BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final HullDesk desk = new HullDesk(host, data);
    private final ControlPort port;
    private final OffloadClient client;
    private final HullTable.Reader reader;
    private final HullTable table = new HullTable(data);
    private long version = 1;

    /** Makes a hull whose table is there already. */
    public HullScene() {
        try {
            port = ControlPort.open(path, desk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.format();
        try (HullClient first = attach()) {
            first.formatted(true);
            assertEquals(Offered.NEW, first.offer(HullApp.NAME, LookupKind.HASH_GET, 0));
        }
        client = OffloadClient.connect(another, address, HullApp.NAME, 256, channel, Waits.limitNs());
        reader = new HullTable.Reader(client);
    }

    private HullClient attach() {
        desk.nextGeneration();
        return HullClient.attach(another, path, () -> { });
    }

    /** What the child does. */
    public static Runnable application(Device device, List<String> arguments) {
        long version = Long.parseLong(arguments.get(1));
        return () -> {
            try (HullClient hull = HullClient.attach(device, Path.of(arguments.get(0)), () -> { })) {
                HullTable table = new HullTable(hull.region());
                if (!hull.isFormatted()) {
                    throw new IllegalStateException("the memory is not as it was left");
                }
                for (int key = 1; key <= 4; key++) {
                    table.put(key, version);
                }
                hull.offer(HullApp.NAME, LookupKind.HASH_GET, 0);
                hull.offer(SHORT_LIVED, LookupKind.HASH_GET, 0);
                hull.withdraw(SHORT_LIVED);
            }
        };
    }

    @Override
    public List<String> begin() {
        desk.nextGeneration();
        version++;
        return List.of(path.toString(), Long.toString(version));
    }

    @Override
    public void step() {
        // The hull has threads of its own.
    }

    @Override
    public void others() {
        for (int key = 1; key < HullTable.KEYS; key++) {
            assertNull(reader.next());
        }
    }

    @Override
    public void end(boolean whole) {
        others();
        for (int key = 1; key <= 4; key++) {
            long found = table.version(key);
            assertTrue(whole ? found == version : found <= version, "key " + key + " version=" + found);
        }
        try (HullClient next = attach()) { // waits for the seat of one who is just dead
            assertTrue(next.isFormatted());
            assertEquals(Offered.SAME, next.offer(HullApp.NAME, LookupKind.HASH_GET, 0));
            boolean left = next.withdraw(SHORT_LIVED);
            assertTrue(!whole || !left, "was withdrawn already");
        }
        others();
    }

    @Override
    public void close() {
        client.close();
        port.close();
        host.close();
        another.close();
        device.close();
    }

    @Override
    public String toString() {
        return "attached=" + desk.attached();
    }
}
