package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Layout of DREP. Offsets from the MAD's body:
 *
 * <pre>
 * 0 local id:32 | 4 remote id:32 | 8 private data:224 bytes
 * </pre>
 */
public final class Drep {

    private Drep() {
    }

    public static ByteBuffer create(long tid, int localId, int remoteId) {
        return Mad.create(Mad.DREP, tid, localId, remoteId);
    }
}
