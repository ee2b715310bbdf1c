package org.jvrpc.watch.report;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ReportBytes} writes; what is out of bounds is refused by name. One thread. */
final class ReportReader {

    private static final int MOST_GROUPS = 10;

    private final byte[] bytes;
    private final int end;
    private int at;

    ReportReader(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    private static IllegalArgumentException bad(String name, String why) {
        return new IllegalArgumentException(name + " " + why);
    }

    private long bits(String name) {
        long value = 0;
        for (int i = 0; i < MOST_GROUPS; i++) {
            if (at == end) {
                throw bad(name, "is cut off");
            }
            byte group = bytes[at++];
            value |= (group & 0x7fL) << 7 * i;
            if (group >= 0) {
                if (i == MOST_GROUPS - 1 && group > 1 || i > 0 && group == 0) {
                    break; // past 64 bits, or longer than need be
                }
                return value;
            }
        }
        throw bad(name, "is no number");
    }

    long number(String name) {
        long value = bits(name);
        if (value < 0) {
            throw bad(name, "is past 63 bits");
        }
        return value;
    }

    int number32(String name) {
        return number32(name, Integer.MAX_VALUE);
    }

    int number32(String name, int most) {
        long value = number(name);
        if (value > most) {
            throw bad(name, "is " + value + ", limit=" + most);
        }
        return (int) value;
    }

    long signed(String name) {
        long value = bits(name);
        return value >>> 1 ^ -(value & 1);
    }

    int signed32(String name) {
        long value = signed(name);
        if (value != (int) value) {
            throw bad(name, "is past 32 bits: " + value);
        }
        return (int) value;
    }

    byte[] block(String name, int most) {
        int length = number32(name, most);
        if (length > end - at) {
            throw bad(name, "is cut off: length=" + length + " left=" + (end - at));
        }
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    String text(String name, int most) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(block(name, most))).toString();
        } catch (CharacterCodingException e) {
            throw bad(name, "is no UTF-8");
        }
    }

    void end() {
        if (at != end) {
            throw bad("report", "has " + (end - at) + " bytes too many");
        }
    }
}
