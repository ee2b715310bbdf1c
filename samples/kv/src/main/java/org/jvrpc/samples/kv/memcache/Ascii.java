package org.jvrpc.samples.kv.memcache;

import java.nio.charset.StandardCharsets;

/** Words of the protocols as bytes and numbers. */
final class Ascii {

    static final byte[] CRLF = bytes("\r\n");

    private Ascii() {
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] line(String text) {
        return bytes(text + "\r\n");
    }

    static String string(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns a word of up to 8 letters as {@link Tokens#word} does. */
    static long word(String text) {
        long word = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            word = word << 8 | text.charAt(i);
        }
        return word;
    }
}
