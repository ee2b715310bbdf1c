package org.jvrpc.router.map;

import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;

/** Takes virtual addresses for this host. Blocks: for threads that serve nobody else. */
public interface Claims {

    /**
     * Takes an address that is gone, moving, or whose host has been away for longer than a bound.
     *
     * @param knownEpoch of the address, as known last
     * @throws RefusedException MOVED: another host has it; STALE_EPOCH: somebody was faster
     */
    Home claim(VirtualAddress address, TenantId tenant, long knownEpoch) throws InterruptedException;

    /** Lets an address go. */
    void release(Home home) throws InterruptedException;
}
