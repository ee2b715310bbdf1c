package org.jvrpc.roce.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapTest {

    /** A frame of 3 bytes at 5.000006 s in a file of big-endian words with microseconds. */
    private static final String BIG_ENDIAN = "a1b2c3d4" + "00020004" + "0000000000000000" + "00040000" + "00000001"
            + "00000005" + "00000006" + "00000003" + "00000003" + "0a0b0c";

    private static PcapReader reader(String hex) {
        return new PcapReader(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PcapWriter writer = new PcapWriter(bytes);
        ByteBuffer frame = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}).position(1).limit(4);
        writer.write(3_000_000_007L, frame);
        assertEquals(3, frame.remaining());
        writer.write(4_294_967_295_999_999_999L, ByteBuffer.allocate(0));
        PcapReader reader = new PcapReader(ByteBuffer.wrap(bytes.toByteArray()));
        assertTrue(reader.next());
        assertEquals(3_000_000_007L, reader.timeNs());
        assertEquals(ByteBuffer.wrap(new byte[] {2, 3, 4}), reader.frame());
        assertTrue(reader.next());
        assertEquals(4_294_967_295_999_999_999L, reader.timeNs());
        assertEquals(0, reader.frame().limit());
        assertFalse(reader.next());
    }

    @Test
    void theOtherByteOrderAndMicrosecondsAreRead() {
        PcapReader reader = reader(BIG_ENDIAN);
        assertTrue(reader.next());
        assertEquals(5_000_006_000L, reader.timeNs());
        assertEquals(0x0a0b, reader.frame().getShort(0));
        assertEquals(ByteOrder.BIG_ENDIAN, reader.frame().order());
        assertFalse(reader.next());
    }

    @ParameterizedTest
    @ValueSource(ints = {41, 40, 39, 28, 25})
    void aFileThatIsCutOffSaysWhere(int length) {
        PcapReader reader = reader(BIG_ENDIAN.substring(0, 2 * length));
        String message = assertThrows(IllegalArgumentException.class, reader::next).getMessage();
        assertTrue(message.startsWith("capture ends within a frame: offset=24 "), message);
    }

    @ParameterizedTest
    @CsvSource({"'', no capture: bytes=0", "0a0d0d0a00000000000000000000000000000000000000, no capture: bytes=23",
        "0a0d0d0a0000000000000000000000000000000000000000, no capture (pcap): magic=0xa0d0d0a",
        "a1b2c3d40002000400000000000000000004000000000069, no capture of Ethernet frames (1): link type=105"})
    void whatIsNoCaptureIsRefused(String hex, String why) {
        String message = assertThrows(IllegalArgumentException.class, () -> reader(hex)).getMessage();
        assertTrue(message.startsWith(why), message);
    }

    @Test
    void aFrameThatNobodyReadsIsRefused() throws IOException {
        PcapWriter writer = new PcapWriter(new ByteArrayOutputStream());
        assertThrows(IllegalArgumentException.class, () -> writer.write(-1, ByteBuffer.allocate(1)));
        assertThrows(IllegalArgumentException.class, () -> writer.write(1, ByteBuffer.allocate(2), 1));
        assertThrows(IllegalArgumentException.class, () -> writer.write(0, ByteBuffer.allocate((1 << 18) + 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 12, 41, 57, 60})
    void aFrameThatIsCutOffIsNone(int length) {
        ByteBuffer whole = ByteBuffer.allocate(62).putShort(12, (short) 0x0800).put(14, (byte) 0x45)
                .putShort(16, (short) 48).put(23, (byte) 17).putShort(36, (short) 4791).putShort(38, (short) 28);
        assertTrue(new Frame().parse(whole));
        assertFalse(new Frame().parse(whole.limit(length)));
    }
}
