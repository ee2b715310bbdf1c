package org.jvrpc.api.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The layouts of the JDK's small value classes, composed of what {@link WireWriter} and {@link WireReader} know. */
public final class Values {

    private static final int NANOS_PER_SECOND = 1_000_000_000;
    /** What {@link BigInteger} holds at most, 2 to the power of 31 bits. */
    private static final int MAX_INTEGER_BYTES = 1 << 28;

    private Values() {
    }

    /** Writes 12 bytes. */
    public static void writeDuration(WireWriter out, Duration value) {
        out.writeLong(value.getSeconds());
        out.writeInt(value.getNano());
    }

    /** Reads 12 bytes. */
    public static Duration readDuration(WireReader in) {
        long seconds = in.readLong();
        return Duration.ofSeconds(seconds, readNanos(in));
    }

    /** Writes 12 bytes. */
    public static void writeInstant(WireWriter out, Instant value) {
        out.writeLong(value.getEpochSecond());
        out.writeInt(value.getNano());
    }

    /** Reads 12 bytes. */
    public static Instant readInstant(WireReader in) {
        long seconds = in.readLong();
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            throw in.malformed("instant seconds=" + seconds);
        }
        return Instant.ofEpochSecond(seconds, readNanos(in));
    }

    private static int readNanos(WireReader in) {
        int nanos = in.readInt();
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw in.malformed("nanoseconds=" + nanos);
        }
        return nanos;
    }

    /** Writes 16 bytes. */
    public static void writeUuid(WireWriter out, UUID value) {
        out.writeLong(value.getMostSignificantBits());
        out.writeLong(value.getLeastSignificantBits());
    }

    /** Reads 16 bytes. */
    public static UUID readUuid(WireReader in) {
        return new UUID(in.readLong(), in.readLong());
    }

    /** Writes at least 5 bytes. */
    public static void writeBigInteger(WireWriter out, BigInteger value) {
        out.writeBytes(value.toByteArray());
    }

    /** Reads at least 5 bytes. */
    public static BigInteger readBigInteger(WireReader in) {
        byte[] bytes = in.readBytes();
        if (bytes.length == 0 || bytes.length >= MAX_INTEGER_BYTES) {
            throw in.malformed("integer of length=" + bytes.length);
        }
        return new BigInteger(bytes);
    }

    /** Writes at least 9 bytes. */
    public static void writeBigDecimal(WireWriter out, BigDecimal value) {
        out.writeInt(value.scale());
        writeBigInteger(out, value.unscaledValue());
    }

    /** Reads at least 9 bytes. */
    public static BigDecimal readBigDecimal(WireReader in) {
        int scale = in.readInt();
        return new BigDecimal(readBigInteger(in), scale);
    }
}
