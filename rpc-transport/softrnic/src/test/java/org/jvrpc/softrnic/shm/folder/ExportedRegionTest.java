package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;

/** What tells another process where a region lies, and all that is none. */
class ExportedRegionTest {

    private static final String NAME = "d-17-ab";
    private static final long BASE = Slab.baseOf(3);
    private static final long SEGMENT = 1L << Slab.SEGMENT_SHIFT;

    private static byte[] good() {
        return new ExportedRegion(NAME, BASE + 4096, 100, Access.REMOTE_READ).encode();
    }

    private static String refusal(byte[] bytes) {
        return assertThrows(VerbsException.class, () -> ExportedRegion.decode(bytes)).getMessage();
    }

    private static void refused(byte[] bytes, String why) {
        String refusal = refusal(bytes);
        assertTrue(refusal.contains(why), refusal);
    }

    @Test
    void aRegionComesOutAsItWasExported() {
        ExportedRegion region = new ExportedRegion("d-4194304-fedcba9876543210", BASE, SEGMENT, 15);
        assertEquals(region, ExportedRegion.decode(region.encode()));
        ExportedRegion first = new ExportedRegion(NAME, Slab.baseOf(0), 1, 0);
        assertEquals(first, ExportedRegion.decode(first.encode()));
        ExportedRegion last = new ExportedRegion(NAME, BASE + SEGMENT - 1, 1, 0);
        assertEquals(last, ExportedRegion.decode(last.encode()));
        assertArrayEquals(last.encode(), ExportedRegion.decode(last.encode()).encode());
    }

    @Test
    void bytesOfALengthThatNoRegionHasAreRefused() {
        refused(Arrays.copyOf(good(), 31), "bytes=31");
        refused(Arrays.copyOf(good(), 32), "names no device");
        refused(Arrays.copyOf(good(), 96), "names no device");
        refused(Arrays.copyOf(good(), 97), "bytes=97");
    }

    @Test
    void anotherMagicAndAnotherVersionAreSaid() {
        byte[] bytes = good();
        bytes[0] ^= 1;
        refused(bytes, "magic=0x4b4d5258");
        bytes = good();
        bytes[7]++;
        refused(bytes, "exported by version=2, this side knows version=1");
    }

    @Test
    void aNameThatIsNoDevicesOrOfAnotherLengthIsRefused() {
        byte[] bytes = good();
        ByteBuffer.wrap(bytes).putInt(28, NAME.length() - 1);
        refused(bytes, "its bytes=6");
        bytes = good();
        bytes[33] = '/';
        refused(bytes, "names no device: name=d?17-ab its bytes=7");
    }

    @Test
    void rightsThatCannotBeAreRefused() {
        byte[] bytes = good();
        ByteBuffer.wrap(bytes).putInt(24, 16);
        refused(bytes, "no such rights");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 4096, (1L << Slab.SEGMENT_SHIFT) - 1})
    void anAddressBelowAllSlabsIsRefused(long address) {
        byte[] bytes = good();
        ByteBuffer.wrap(bytes).putLong(8, address);
        refused(bytes, "cannot lie at address=0x" + Long.toHexString(address));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,-1", "1,1099511627776", "4096,9223372036854775807", "1099511627775,2"})
    void aLengthThatIsNoneOrLeavesItsSlabIsRefused(long offset, long length) {
        byte[] bytes = good();
        ByteBuffer.wrap(bytes).putLong(8, BASE + offset).putLong(16, length);
        refused(bytes, "length=" + length);
    }
}
