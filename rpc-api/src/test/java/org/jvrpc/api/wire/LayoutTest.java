package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The bytes of every layout, as the package describes them. */
class LayoutTest {

    private static <T> T check(String hex, Consumer<WireWriter> write, Function<WireReader, T> read) {
        String digits = hex.replace(" ", "");
        Memory memory = new Memory(digits.length() / 2);
        write.accept(memory.out);
        assertEquals(digits, memory.hex());
        assertTrue(memory.isIntactAround());
        WireReader in = memory.written();
        T value = read.apply(in);
        assertEquals(0, in.remaining());
        return value;
    }

    private static <T> void check(String hex, T value, Consumer<WireWriter> write, Function<WireReader, T> read) {
        assertEquals(value, check(hex, write, read));
    }

    @Test
    void primitivesAreLittleEndianAndPacked() {
        check("01", true, out -> out.writeBoolean(true), WireReader::readBoolean);
        check("00", false, out -> out.writeBoolean(false), WireReader::readBoolean);
        check("fe", (byte) -2, out -> out.writeByte((byte) -2), WireReader::readByte);
        check("0201", (short) 0x0102, out -> out.writeShort((short) 0x0102), WireReader::readShort);
        check("ac20", '€', out -> out.writeChar('€'), WireReader::readChar);
        check("04030201", 0x01020304, out -> out.writeInt(0x01020304), WireReader::readInt);
        check("0807060504030201", 0x0102030405060708L, out -> out.writeLong(0x0102030405060708L),
                WireReader::readLong);
        check("0000803f", 1.0f, out -> out.writeFloat(1.0f), WireReader::readFloat);
        check("000000000000f03f", 1.0, out -> out.writeDouble(1.0), WireReader::readDouble);
        check("01 0a000000 02", 13, out -> {
            out.writeBoolean(true);
            out.writeInt(10);
            out.writeByte((byte) 2);
        }, in -> (in.readBoolean() ? 1 : 0) + in.readInt() + in.readByte());
    }

    @Test
    void enumsAreOrdinalsOfTwoBytes() {
        check("0300", TimeUnit.SECONDS, out -> out.writeEnum(TimeUnit.SECONDS),
                in -> in.readEnum(TimeUnit.values()));
    }

    @Test
    void presenceIsOneByteAndCountsAreFour() {
        check("01", true, out -> assertTrue(out.writePresence(true)), WireReader::readPresence);
        check("00", false, out -> out.writePresence(false), WireReader::readPresence);
        check("02000000 0101", 2, out -> {
            out.writeCount(2);
            out.writeByte((byte) 1);
            out.writeByte((byte) 1);
        }, in -> {
            int count = in.readCount(1);
            return count * in.readByte() * in.readByte();
        });
    }

    @Test
    void stringsOfLatin1TakeOneByteAChar() {
        check("00000000", "", out -> out.writeString(""), WireReader::readString);
        check("06000000 61c3ff", "aÃÿ", out -> out.writeString("aÃÿ"), WireReader::readString);
        check("02000000 00", "\0", out -> out.writeString("\0"), WireReader::readString);
    }

    @Test
    void otherStringsTakeTwoBytesAChar() {
        check("05000000 6100ac20", "a€", out -> out.writeString("a€"), WireReader::readString);
        check("05000000 3dd800de", "😀", out -> out.writeString("😀"), WireReader::readString);
    }

    @Test
    void loneSurrogatesSurvive() {
        for (String text : new String[] {"\ud83d", "x\ude00", "\ude00\ud83d", "\uffff\u0000\ufffe"}) {
            Memory memory = new Memory(64);
            memory.out.writeString(text);
            assertEquals(text, memory.written().readString());
        }
    }

    @Test
    void arraysAreACountAndPackedElements() {
        assertArrayEquals(new boolean[] {true, false}, check("02000000 0100",
                out -> out.writeBooleans(new boolean[] {true, false}), WireReader::readBooleans));
        assertArrayEquals(new byte[] {1, -1}, check("02000000 01ff",
                out -> out.writeBytes(new byte[] {1, -1}), WireReader::readBytes));
        assertArrayEquals(new short[] {1, -2}, check("02000000 0100feff",
                out -> out.writeShorts(new short[] {1, -2}), WireReader::readShorts));
        assertArrayEquals(new char[] {'a', '€'}, check("02000000 6100ac20",
                out -> out.writeChars(new char[] {'a', '€'}), WireReader::readChars));
        assertArrayEquals(new int[] {1, -2}, check("02000000 01000000feffffff",
                out -> out.writeInts(new int[] {1, -2}), WireReader::readInts));
        assertArrayEquals(new long[] {1}, check("01000000 0100000000000000",
                out -> out.writeLongs(new long[] {1}), WireReader::readLongs));
        assertArrayEquals(new float[] {1, 2}, check("02000000 0000803f00000040",
                out -> out.writeFloats(new float[] {1, 2}), WireReader::readFloats));
        assertArrayEquals(new double[] {1}, check("01000000 000000000000f03f",
                out -> out.writeDoubles(new double[] {1}), WireReader::readDoubles));
        assertArrayEquals(new byte[] {2, 3}, check("02000000 0203",
                out -> out.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2), WireReader::readBytes));
    }

    @Test
    void buffersAreTheirRemainingBytesAndKeepTheirPosition() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}).position(1).limit(4);
        check("03000000 010203", ByteBuffer.wrap(new byte[] {1, 2, 3}), out -> out.writeBuffer(buffer),
                WireReader::readBuffer);
        assertEquals(1, buffer.position());
        check("03000000 010203", buffer, out -> out.writeBuffer(buffer), WireReader::readView);
    }

    @Test
    void valuesOfTheJdkAreComposedOfTheOthers() {
        check("feffffffffffffff ffc99a3b", Duration.ofSeconds(-2, 999_999_999),
                out -> Values.writeDuration(out, Duration.ofSeconds(-2, 999_999_999)), Values::readDuration);
        check("0100000000000000 02000000", Instant.ofEpochSecond(1, 2),
                out -> Values.writeInstant(out, Instant.ofEpochSecond(1, 2)), Values::readInstant);
        check("0100000000000000 0200000000000000", new UUID(1, 2),
                out -> Values.writeUuid(out, new UUID(1, 2)), Values::readUuid);
        check("02000000 ff00", BigInteger.valueOf(-256),
                out -> Values.writeBigInteger(out, BigInteger.valueOf(-256)), Values::readBigInteger);
        check("02000000 01000000 7b", new BigDecimal("1.23"),
                out -> Values.writeBigDecimal(out, new BigDecimal("1.23")), Values::readBigDecimal);
        check("ffffffff 01000000 01", new BigDecimal("1e1"),
                out -> Values.writeBigDecimal(out, new BigDecimal("1e1")), Values::readBigDecimal);
    }

    @Test
    void extremesOfTheJdkValuesSurvive() {
        for (Instant value : new Instant[] {Instant.MIN, Instant.MAX, Instant.EPOCH}) {
            Memory memory = new Memory(12);
            Values.writeInstant(memory.out, value);
            assertEquals(value, Values.readInstant(memory.written()));
        }
        for (Duration value : new Duration[] {Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(Long.MAX_VALUE,
                999_999_999), Duration.ZERO}) {
            Memory memory = new Memory(12);
            Values.writeDuration(memory.out, value);
            assertEquals(value, Values.readDuration(memory.written()));
        }
    }
}
