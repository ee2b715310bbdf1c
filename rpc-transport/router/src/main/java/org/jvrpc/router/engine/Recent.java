package org.jvrpc.router.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jvrpc.softrnic.memory.Slab;

/**
 * The devices whose memory was touched of late: compiled code tells of memory that is gone some time after it was
 * touched. The worker's thread.
 */
final class Recent {

    private static final int SIZE = 64;

    private final TenantDevice[] devices = new TenantDevice[SIZE];
    private int next;

    void add(TenantDevice device) {
        if (devices[next - 1 & SIZE - 1] == device || devices[next - 2 & SIZE - 1] == device) {
            return;
        }
        devices[next++ & SIZE - 1] = device;
        next &= SIZE - 1;
    }

    void forget(TenantDevice device) {
        for (int i = 0; i < SIZE; i++) {
            if (devices[i] == device) {
                devices[i] = null;
            }
        }
    }

    /** Returns the living ones that have a slab which is not whole. */
    List<TenantDevice> cut(Predicate<Slab> whole) {
        List<TenantDevice> cut = new ArrayList<>();
        for (TenantDevice device : devices) {
            if (device != null && !device.hasEnded() && !cut.contains(device) && !device.isWhole(whole)) {
                cut.add(device);
            }
        }
        return cut;
    }
}
