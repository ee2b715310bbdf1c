package org.jvrpc.watch.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * What is sent, shared by all who ask and never changed: the bytes, the same compressed once if that saves anything,
 * and a tag by which browsers ask whether it is still the same.
 *
 * @param tag without quotation marks; null: it cannot be asked for
 */
record Body(int status, String type, byte[] bytes, byte[] gzip, String tag, Map<String, String> headers) {

    static final String JSON = "application/json";
    static final String TEXT = "text/plain; charset=utf-8";
    static final String HTML = "text/html; charset=utf-8";
    static final String BYTES = "application/octet-stream";

    private static final int WORTH_COMPRESSING = 1024;

    /** Returns a body with a tag of its content: who has it already is told so in a few bytes. */
    static Body of(String type, byte[] bytes, Map<String, String> headers) {
        return new Body(200, type, bytes, compress(bytes), tag(bytes), headers);
    }

    static Body json(String text) {
        return of(JSON, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** Returns what says why there is nothing else. */
    static Body refusal(int status, String why) {
        byte[] bytes = (why + "\n").getBytes(StandardCharsets.UTF_8);
        return new Body(status, TEXT, bytes, null, null, Map.of());
    }

    long length() {
        return bytes.length + (gzip == null ? 0L : gzip.length);
    }

    private static byte[] compress(byte[] bytes) {
        if (bytes.length < WORTH_COMPRESSING) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(Deflater.BEST_SPEED); // the first one who asks waits for it
            }
        }) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory refuses nothing
        }
        return out.size() < bytes.length ? out.toByteArray() : null;
    }

    private static String tag(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int otherWay = 1;
        for (int i = 0; i < bytes.length; i++) {
            otherWay = 31 * otherWay + bytes[i];
        }
        return Long.toHexString(crc.getValue() << 32 | otherWay & 0xffffffffL) + "-"
                + Integer.toHexString(bytes.length);
    }
}
