package org.jvrpc.router;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.softrnic.memory.Slab;

/** What is known of the memory behind tenants' slabs; asked when some is not there. Any thread. */
@FunctionalInterface
public interface Backing {

    /** What there is of a device's memory. */
    enum Memory {
        /** All of it, as far as files tell. */
        THERE,
        /** Its file system is full, or does not say: nobody knows whether all of it is there. */
        FULL,
        /** Less than is mapped: its tenant has cut a file. */
        CUT
    }

    /**
     * Tells whether a slab's file is as long as what is mapped: not when its tenant has cut it. Waits for the tenant's
     * file system.
     */
    boolean isWhole(Slab slab);

    /**
     * Tells whether a slab's file may have more memory: not when its tenant has a file system of its own, which is
     * full. Who gives memory of a file back without cutting it and fills the file system is found by that. Waits for
     * the tenant's file system.
     */
    default boolean hasRoom(Slab slab) {
        return true;
    }

    /** Looks at slabs of one device. Waits for its tenant's file system. */
    default Memory memory(List<Slab> slabs) {
        if (!slabs.stream().allMatch(this::isWhole)) {
            return Memory.CUT;
        }
        return slabs.stream().allMatch(this::hasRoom) ? Memory.THERE : Memory.FULL;
    }

    /** Has slabs of one device looked at by whoever may wait for its tenant's file system: here, whoever asks. */
    default CompletableFuture<Memory> look(List<Slab> slabs) {
        return CompletableFuture.completedFuture(memory(slabs));
    }
}
