package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/** Copies data that came in a CQE to where its receive WQE says. */
final class Scatter {

    private Scatter() {
    }

    /** Copies over the data segments from {@code at} to {@code end}; false when they do not hold it all. */
    static boolean bytes(
            LocalMemory memory, ByteBuffer ring, int at, int end, ByteBuffer source, int offset, int length) {
        int done = 0;
        for (; at < end && done < length; at += Wqe.SEGMENT) {
            int piece = Math.min(length - done, Wqe.dataLength(ring, at));
            if (piece > 0) {
                boolean written = memory.write(
                        Wqe.dataAddress(ring, at), Wqe.dataLkey(ring, at), source, offset + done, piece);
                if (!written) {
                    return false;
                }
                done += piece;
            }
        }
        return done == length;
    }

    /** Copies data that the device wrote over the data segments from {@code at} to {@code end} from its side. */
    static void landed(ShadowMemory shadow, ByteBuffer ring, int at, int end, long length) {
        long left = length;
        for (; at < end && left > 0; at += Wqe.SEGMENT) {
            int piece = (int) Math.min(left, Wqe.dataLength(ring, at));
            if (piece > 0) {
                shadow.fromDevice(Wqe.dataAddress(ring, at), Wqe.dataLkey(ring, at), piece);
                left -= piece;
            }
        }
    }
}
