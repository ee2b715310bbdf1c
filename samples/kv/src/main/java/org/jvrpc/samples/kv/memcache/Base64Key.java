package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;

/** Keys in base64, in buffers. */
final class Base64Key {

    private static final byte[] LETTERS =
            Ascii.bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    private static final byte[] VALUES = new byte[128];

    static {
        java.util.Arrays.fill(VALUES, (byte) -1);
        for (int i = 0; i < LETTERS.length; i++) {
            VALUES[LETTERS[i]] = (byte) i;
        }
    }

    private Base64Key() {
    }

    /** Decodes. @return the length, 0 when it is no base64 */
    static int decode(ByteBuffer from, int offset, int length, ByteBuffer to) {
        if (length == 0 || length % 4 != 0) {
            return 0;
        }
        int out = 0;
        for (int i = 0; i < length; i += 4) {
            int padding = 0;
            int bits = 0;
            for (int j = 0; j < 4; j++) {
                byte letter = from.get(offset + i + j);
                boolean mayPad = i + 4 == length && j >= 2;
                if (letter == '=' && mayPad) {
                    padding++;
                    bits <<= 6;
                } else if (letter >= 0 && VALUES[letter] >= 0 && padding == 0) {
                    bits = bits << 6 | VALUES[letter];
                } else {
                    return 0;
                }
            }
            for (int j = 0; j < 3 - padding; j++) {
                to.put(out++, (byte) (bits >>> 16 - 8 * j));
            }
        }
        return out;
    }

    static void encode(ByteBuffer from, int offset, int length, Output to) {
        for (int i = 0; i < length; i += 3) {
            int bytes = Math.min(3, length - i);
            int bits = 0;
            for (int j = 0; j < 3; j++) {
                bits = bits << 8 | (j < bytes ? from.get(offset + i + j) & 0xff : 0);
            }
            for (int j = 0; j < 4; j++) {
                to.put(j <= bytes ? LETTERS[bits >>> 18 - 6 * j & 63] : '=');
            }
        }
    }
}
