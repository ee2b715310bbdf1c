package org.jvrpc.softrnic.shm.folder;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;

/** A device's memory as one connection sees it. Any thread. */
public final class RemoteArena implements AddressSpace {

    private final DeviceFolder folder;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Found last, or null; any thread may see an older one. */
    private Slab last;

    /** @param folder in use, released by {@link #close} */
    public RemoteArena(DeviceFolder folder) {
        this.folder = folder;
    }

    @Override
    public Slab find(long address, long bytes) {
        Slab slab = last;
        if (slab != null && slab.contains(address, bytes)) {
            return slab;
        }
        slab = folder.find(address, bytes);
        last = slab; // null where it finds nothing, which is rare
        return slab;
    }

    @Override
    public String place() {
        return folder.path().toString();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            last = null;
            folder.release();
        }
    }
}
