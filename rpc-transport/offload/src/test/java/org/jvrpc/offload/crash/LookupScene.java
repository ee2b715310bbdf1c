package org.jvrpc.offload.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.crash.CrashScene;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** The child runs a program of this host's, on its own processor: another client's go on, and the host is told. */
final class LookupScene implements CrashScene {

    static final String NAME = "test/get";
    private static final int VALUES = 4096;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device device = Devices.open("shm://any");
    private final Device another = Devices.open("shm://any");
    private final OffloadHost host = new OffloadHost(device, address);
    private final OffloadClient theirs;

    LookupScene() {
        MemoryRegion data = device.allocatePd().allocate(2 * VALUES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        ByteBuffer table = data.buffer(0, 2 * VALUES);
        for (int key = 1; key <= Victim.KEYS; key++) {
            int value = VALUES + key * 64;
            table.putLong(value, 1).putLong(value + 8, key * 7L);
            Bucket.publish(table, key * Bucket.BYTES, key, data.address() + value, 16);
        }
        host.offer(new Offer(NAME, LookupKind.HASH_GET, data, 0));
        theirs = OffloadClient.connect(another, address, NAME, 64, another.createChannel(), Waits.limitNs());
    }

    static Outcome get(OffloadClient client, int key) {
        long bucket = client.header() + (long) key * Bucket.BYTES;
        return client.hashGet(Bucket.image(key), bucket, bucket, Waits.limitNs());
    }

    @Override
    public List<String> begin() {
        return List.of(address);
    }

    @Override
    public void step() {
        // The host has threads of its own.
    }

    @Override
    public void others() {
        for (int key = 1; key <= Victim.KEYS; key++) {
            assertEquals(Outcome.FOUND, get(theirs, key), "another's key " + key);
            assertEquals(key * 7L, theirs.answer().getLong(8));
        }
    }

    @Override
    public void end(boolean whole) {
        stepUntil("the dead client to be taken away", () -> host.clients().size() == 1);
        others();
    }

    @Override
    public void close() {
        theirs.close();
        host.close();
        another.close();
        device.close();
    }

    @Override
    public String toString() {
        return "clients=" + host.clients();
    }
}
