package org.jvrpc.tools.host;

import java.util.Locale;

/** What a finding matters to. */
public enum Area {
    /** {@code shm://}. */
    SHM,
    /** {@code rdma://}. */
    RDMA,
    /** {@code roce://}. */
    ROCE;

    /** Returns the area of a scheme of addresses. */
    static Area of(String scheme) {
        return switch (scheme) {
            case "rdma" -> RDMA;
            case "roce" -> ROCE;
            default -> SHM;
        };
    }

    /** Returns the scheme of its addresses, with what follows it. */
    public String scheme() {
        return name().toLowerCase(Locale.ROOT) + "://";
    }
}
