package org.jvrpc.router;

/** What a {@link Quota} limits. */
public enum QuotaKind {
    DEVICES, QPS, CQS, REGIONS, BYTES, CONNECTIONS, LISTENERS, HALF_OPEN, SLABS
}
