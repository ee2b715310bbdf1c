package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/**
 * The tenants' slabs as the device below knows them, each window once, in a domain of their own that no QP is of: so
 * these keys are of no use to anybody. What is moved is shared with a domain of QPs, for as long. A device that pins
 * memory knows what is moved alone, while it is: a tenant's slabs are more than may be locked, and what it cuts of them
 * meanwhile is memory that nobody charges to it. The worker's thread.
 */
final class Adopted {

    /**
     * Windows that are known at once; one more, and the oldest is forgotten. A software RNIC has room for 4,096
     * regions, and lanes and what is being moved have some, too.
     */
    private static final int MOST = 2048;
    private static final SparseLog LOG = SparseLog.of(Adopted.class);

    private final Device device;
    private final Map<ByteBuffer, MemoryRegion> regions = new IdentityHashMap<>();
    private final Queue<ByteBuffer> oldest = new ArrayDeque<>();
    private final AtomicLong moved = new AtomicLong();
    private ProtectionDomain pd;
    /** The device has nothing of the kind. */
    private boolean unable;

    Adopted(Device device) {
        this.device = device;
    }

    /** Registers a part of one window for a domain's QPs. @return null where the device does not, or not now */
    MemoryRegion share(ProtectionDomain with, Slab slab, long address, int bytes, int access) {
        if (unable) {
            return null;
        }
        ByteBuffer window = slab.window(address);
        boolean pins = with.pinsMemory();
        try {
            if (pins) {
                return with.adopt(window.slice(Slab.index(address), bytes), access);
            }
            MemoryRegion region = regions.get(window);
            return with.share(region == null ? adopt(window) : region, Slab.index(address), bytes, access);
        } catch (VerbsException e) {
            unable = !pins && regions.isEmpty(); // what cannot be pinned may be one tenant's that was cut
            LOG.warn(pins, "what a tenant sends goes by copies: {}", e.toString());
            return null;
        }
    }

    private MemoryRegion adopt(ByteBuffer window) {
        pd = pd == null ? device.allocatePd() : pd;
        if (regions.size() >= MOST) {
            regions.remove(oldest.remove()).close(); // what was shared of it stays
        }
        MemoryRegion region = pd.adopt(window, Access.LOCAL_WRITE | Access.REMOTE_READ);
        regions.put(window, region);
        oldest.add(window);
        return region;
    }

    /** A slab is not used again. */
    void forget(Slab slab) {
        for (long at = 0; at < slab.length(); at += Slab.WINDOW) {
            ByteBuffer window = slab.window(slab.base() + at);
            MemoryRegion region = regions.remove(window);
            if (region != null) {
                oldest.removeIf(one -> one == window);
                region.close();
            }
        }
    }

    /** So many bytes came without a copy. */
    void moved(int bytes) {
        moved.addAndGet(bytes);
    }

    /** Returns how many bytes came so. Any thread. */
    long moved() {
        return moved.get();
    }

    /** Returns how many windows it knows. */
    int size() {
        return regions.size();
    }
}
