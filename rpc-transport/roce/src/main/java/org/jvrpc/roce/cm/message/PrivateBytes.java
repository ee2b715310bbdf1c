package org.jvrpc.roce.cm.message;

import java.util.Arrays;

/**
 * Private data as it travels, the same for devices of {@code rdma://}. MADs pad it with zeros to a fixed length, so a
 * byte in front tells how much there is: one more than the length, so that a message without any is told from an empty
 * one.
 *
 * <pre>
 * 0 length + 1:8 | 1 data
 * </pre>
 */
public final class PrivateBytes {

    /** Of a request: 56 behind the CMA header of a REQ. */
    public static final int MAX_REQUEST = 55;
    /** Of an answer: the 148 of a REJ. A REP has more, but yes and no are alike to the caller. */
    public static final int MAX_ANSWER = 147;

    private PrivateBytes() {
    }

    /** Returns the bytes that travel. @throws IllegalArgumentException when there are too many */
    public static byte[] wrap(byte[] data, int most) {
        if (data.length > most) {
            throw new IllegalArgumentException("private data is too long: bytes=" + data.length + " most=" + most);
        }
        byte[] framed = new byte[data.length + 1];
        framed[0] = (byte) (data.length + 1);
        System.arraycopy(data, 0, framed, 1, data.length);
        return framed;
    }

    /** Returns the data; null when nobody wrote any; all bytes when they are a stranger's. */
    public static byte[] unwrap(byte[] framed) {
        int first = framed.length == 0 ? 0 : framed[0] & 0xff;
        if (first == 0) {
            return isZero(framed) ? null : framed;
        }
        return first <= framed.length ? Arrays.copyOfRange(framed, 1, first) : framed;
    }

    /** As {@link #unwrap}; empty for null. */
    public static byte[] unwrapOrEmpty(byte[] framed) {
        byte[] data = unwrap(framed);
        return data == null ? new byte[0] : data;
    }

    private static boolean isZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
