package org.jvrpc.samples.kv.store;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;

/** A region of a device of its own. */
public final class TestRegion implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Device device;
    private final MemoryRegion region;

    /** Takes so many bytes. */
    public TestRegion(long bytes) {
        device = Devices.open("shm://kv-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        ProtectionDomain pd = device.allocatePd();
        region = pd.allocate(bytes, Access.LOCAL_WRITE | Access.REMOTE_READ);
    }

    /** Returns it. */
    public MemoryRegion region() {
        return region;
    }

    @Override
    public void close() {
        device.close();
    }
}
