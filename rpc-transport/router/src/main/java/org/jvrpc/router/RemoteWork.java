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

    /**
     * Returns an operand of an atomic: 0: what is swapped in or added, 1: what is compared, or where fields end; of a
     * masked compare-and-swap 2: which bits are swapped in, 3: which are compared.
     */
    long operand(int i);

    /** Returns its pieces of memory. */
    GatherList data();

    /** Returns the bytes of all of it. */
    long total();
}
