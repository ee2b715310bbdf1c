package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/** Zeros behind a payload, up to a multiple of four bytes. */
public final class Pad {

    private Pad() {
    }

    /** Writes them as far as the buffer goes, which may have room for headers alone; returns how many there are. */
    public static int write(ByteBuffer packet, int end, int length) {
        int pad = -length & 3;
        for (int i = 0; i < pad && end + i < packet.limit(); i++) {
            packet.put(end + i, (byte) 0);
        }
        return pad;
    }
}
