package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;

/**
 * Decimal numbers in bytes, read as memcached reads them: space before, a sign, digits, then the end or space. The
 * result is in {@link #value()}. Reused; one thread.
 */
public final class Numbers {

    private static final long TENTH = Long.divideUnsigned(-1L, 10);
    private static final int LAST_DIGIT = 5;

    private long value;
    private boolean negative;

    /** Returns the number that was read last. */
    public long value() {
        return value;
    }

    /** Reads an unsigned number of 64 bits. @return false when there is none */
    public boolean readUnsigned(ByteBuffer bytes, int from, int to) {
        return read(bytes, from, to) && (value >= 0 || !negative);
    }

    /** Reads an unsigned number of 32 bits, the lower half of a longer one. @return false when there is none */
    public boolean readUnsigned32(ByteBuffer bytes, int from, int to) {
        if (!readUnsigned(bytes, from, to)) {
            return false;
        }
        value &= 0xffff_ffffL;
        return true;
    }

    /** Reads a number of 32 bits with sign, the lower half of a longer one. @return false when there is none */
    public boolean readSigned32(ByteBuffer bytes, int from, int to) {
        if (!read(bytes, from, to) || value != 0 && value < 0 != negative) {
            return false;
        }
        value = (int) value;
        return true;
    }

    private boolean read(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to && isSpace(bytes.get(at))) {
            at++;
        }
        negative = at < to && bytes.get(at) == '-';
        if (negative || at < to && bytes.get(at) == '+') {
            at++;
        }
        int first = at;
        long number = 0;
        for (; at < to; at++) {
            int digit = bytes.get(at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            if (Long.compareUnsigned(number, TENTH) > 0 || number == TENTH && digit > LAST_DIGIT) {
                return false;
            }
            number = number * 10 + digit;
        }
        if (at == first || at < to && !isSpace(bytes.get(at))) {
            return false;
        }
        value = negative ? -number : number;
        return true;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b >= 9 && b <= 13;
    }

    /** Writes an unsigned number of 64 bits, by absolute index. @return how many digits it has */
    public static int write(long number, ByteBuffer to, int at) {
        int digits = digits(number);
        long rest = number;
        for (int i = digits - 1; i >= 0; i--) {
            long tenth = rest >= 0 ? rest / 10 : Long.divideUnsigned(rest, 10);
            to.put(at + i, (byte) ('0' + (int) (rest - tenth * 10)));
            rest = tenth;
        }
        return digits;
    }

    /** Returns how many digits an unsigned number of 64 bits has. */
    public static int digits(long number) {
        if (number < 0) {
            return Long.compareUnsigned(number, -8446744073709551616L) >= 0 ? 20 : 19;
        }
        int digits = 1;
        for (long bound = 10; digits < 19 && number >= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }
}
