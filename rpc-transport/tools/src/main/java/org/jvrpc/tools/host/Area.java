package org.jvrpc.tools.host;

/** What a finding matters to. */
public enum Area {
    /** {@code shm://}. */
    SHM,
    /** {@code rdma://}. */
    RDMA
}
