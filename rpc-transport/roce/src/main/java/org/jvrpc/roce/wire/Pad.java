package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/** Zeros behind a payload, up to a multiple of four bytes. */
public final class Pad {

    private Pad() {
    }

    /** Writes them; returns how many. */
    public static int write(ByteBuffer packet, int end, int length) {
        int pad = -length & 3;
        for (int i = 0; i < pad; i++) {
            packet.put(end + i, (byte) 0);
        }
        return pad;
    }
}
