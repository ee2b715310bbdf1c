package org.jvrpc.router;

import java.util.List;
import java.util.Map;

/**
 * What a router is and has at a moment.
 *
 * @param awake its worker is not asleep
 * @param epoch of the newest thing that it knows of the control plane
 * @param confirmedMs milliseconds since the control plane last answered
 * @param trouble why what it knows may be old, or null
 * @param connecting connectors that wait for an answer
 */
public record RouterStatus(String host, long pid, Spin spin, boolean awake, boolean draining, long epoch,
        long confirmedMs, String trouble, int devices, int connections, int connecting, int listeners,
        List<OfTenant> tenants) {

    /**
     * A tenant of this host.
     *
     * @param unserved why nobody is let in as this tenant, or null
     * @param has what it has, of each kind of which it has something
     * @param bytes that it sent, wrote and read, since the router began
     * @param bytesPerSecond within the last second or so; as are the WQEs
     * @param refused how often it was refused something, since the router began
     */
    public record OfTenant(TenantId id, int user, List<VirtualAddress> addresses, boolean revoked, String unserved,
            Map<QuotaKind, Long> has, Quota quota, long bytes, long wqes, long bytesPerSecond, long wqesPerSecond,
            long refused) {

        /** Returns how much of a kind it has. */
        public long has(QuotaKind kind) {
            return has.getOrDefault(kind, 0L);
        }
    }
}
