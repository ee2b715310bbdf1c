package org.jvrpc.router;

import org.jvrpc.softrnic.queue.GatherList;

/** A WQE that was copied and checked, for another host. Valid until {@link RemotePath.Way#send} returns. */
public interface RemoteWork {

    /** Returns an opcode of {@code org.jvrpc.mlx5.Wqe}. */
    int opcode();

    /** Returns true when its owner waits for its completion. */
    boolean isSignalled();

    int immediate();

    long remoteAddress();

    /** Returns the key as the tenant knows it, a virtual one. */
    int rkey();

    /** Returns what is swapped in or added. */
    long first();

    /** Returns what is compared. */
    long second();

    /** Returns its pieces of memory. */
    GatherList data();

    /** Returns the bytes of all of it. */
    long total();
}
