package org.jvrpc.router;

import org.jvrpc.softrnic.queue.GatherList;

/** A WQE that was copied and checked, for another host. Valid until {@link RemotePath#send} returns. */
public interface RemoteWork {

    /** Returns an opcode of {@code org.jvrpc.mlx5.Wqe}. */
    int opcode();

    /** Returns its counter, for the completion. */
    int wqe();

    int immediate();

    long remoteAddress();

    /** Returns the key as the tenant knows it, a virtual one. */
    int rkey();

    /** Returns what is swapped in or added. */
    long first();

    /** Returns what is compared. */
    long second();

    /** Returns its pieces; null for atomics. */
    GatherList data();

    long bytes();
}
