package org.jvrpc.router.map;

import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;

/**
 * Where a virtual address lives.
 *
 * @param epoch grows with each claim and never goes back
 */
public record Home(VirtualAddress address, TenantId tenant, String host, long epoch, State state) {

    /** What may be done with it. */
    public enum State { SERVING, DRAINING, MOVING, GONE }
}
