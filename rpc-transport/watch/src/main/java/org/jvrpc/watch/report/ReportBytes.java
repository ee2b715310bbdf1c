package org.jvrpc.watch.report;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes what {@link ReportReader} reads. One thread. */
final class ReportBytes {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns all, and room behind it. */
    byte[] bytes(int room) {
        byte[] all = out.toByteArray();
        return Arrays.copyOf(all, all.length + room);
    }

    ReportBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** A number that is not negative. */
    ReportBytes number(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("not to be negative: " + value);
        }
        return bits(value);
    }

    private ReportBytes bits(long value) {
        long rest = value;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            out.write((int) rest & 0x7f | 0x80);
        }
        out.write((int) rest);
        return this;
    }

    ReportBytes signed(long value) {
        return bits(value << 1 ^ value >> 63);
    }

    ReportBytes text(String text) {
        return block(utf8(text));
    }

    ReportBytes block(byte[] bytes) {
        return number(bytes.length).raw(bytes);
    }
}
