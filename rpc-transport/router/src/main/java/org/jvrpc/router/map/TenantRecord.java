package org.jvrpc.router.map;

import java.util.List;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;

/**
 * A tenant as the control plane knows it.
 *
 * @param user number of the host's user that its folder must belong to
 * @param epoch of its last change
 */
public record TenantRecord(TenantId id, int user, List<VirtualAddress> addresses, Quota quota, List<TokenHash> tokens,
        boolean revoked, long epoch) { }
