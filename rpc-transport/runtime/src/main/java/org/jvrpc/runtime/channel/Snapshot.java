package org.jvrpc.runtime.channel;

import java.util.Arrays;
import org.jvrpc.runtime.balance.ServerPicker;

/**
 * What calls look at: replaced whole, never changed.
 *
 * @param ready may get calls
 * @param picker picks one of them
 * @param probes are ejected; one call at a time goes there when their time has come
 * @param pending true while a connection is being made that was not seen to fail
 */
record Snapshot(SubChannel[] ready, ServerPicker picker, SubChannel[] probes, boolean pending) {

    private static final SubChannel[] NONE = {};

    /** Before anything is known. */
    static final Snapshot BEFORE = new Snapshot(NONE, hash -> 0, NONE, true);

    boolean isLike(Snapshot other) {
        return picker == other.picker && pending == other.pending && Arrays.equals(ready, other.ready)
                && Arrays.equals(probes, other.probes);
    }

    /** Picks a server, or returns null when there is none. */
    SubChannel pick(long hash) {
        return ready.length == 0 ? null : ready[Math.min(Math.max(0, picker.pick(hash)), ready.length - 1)];
    }

    /** Returns a probe that this caller alone is to make, or null. */
    SubChannel tryProbe(long nowNs) {
        for (SubChannel server : probes) {
            if (server.outlier().tryProbe(nowNs)) {
                return server;
            }
        }
        return null;
    }
}
