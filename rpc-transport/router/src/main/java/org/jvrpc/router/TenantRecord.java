package org.jvrpc.router;

import java.util.List;

/**
 * A tenant as the control plane knows it.
 *
 * @param user number of the host's user that its folder must belong to
 * @param epoch of its last change
 */
public record TenantRecord(TenantId id, int user, List<VirtualAddress> addresses, Quota quota, List<TokenHash> tokens,
        boolean revoked, long epoch) { }
