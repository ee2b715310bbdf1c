package org.jvrpc.tcp.gzip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Bytes that are packed on their way, however they are cut. */
class GzipWireTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    /** Makes a text of words that come again. */
    private static byte[] text(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("order=").append(random.nextInt(10_000)).append("; ");
        }
        return text.substring(0, length).getBytes(US_ASCII);
    }

    private static byte[] noise(int length, long seed) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] packed(byte[]... sources) throws IOException {
        Pipe pipe = new Pipe(1, 1 << 20);
        GzipWire wire = new GzipWire(pipe);
        for (byte[] source : sources) {
            ByteBuffer bytes = ByteBuffer.wrap(source);
            while (bytes.hasRemaining() || wire.pending() > 0) {
                wire.write(bytes);
            }
        }
        return pipe.all();
    }

    /** Reads to the end, or until it fails. */
    private static String readAll(GzipWire wire, ByteArrayOutputStream out) {
        ByteBuffer some = ByteBuffer.allocate(1000);
        try {
            while (true) {
                int count = wire.read(some.clear());
                if (count < 0) {
                    return null;
                }
                out.write(some.array(), 0, count);
            }
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    @Test
    void whatIsWrittenIsReadHoweverItIsCut() throws IOException {
        System.out.println("whatIsWrittenIsRead: -Djvrpc.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        Pipe pipe = new Pipe(SEED, 50_000);
        GzipWire writes = new GzipWire(pipe);
        GzipWire reads = new GzipWire(pipe);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        ByteBuffer target = ByteBuffer.allocate(70_000);
        for (int round = 0; round < 200; round++) {
            ByteBuffer[] frames = new ByteBuffer[1 + random.nextInt(5)];
            for (int i = 0; i < frames.length; i++) {
                int length = random.nextInt(1 << random.nextInt(4, 18));
                byte[] frame = random.nextBoolean() ? text(length, round) : noise(length, round);
                said.writeBytes(frame);
                frames[i] = ByteBuffer.wrap(frame);
            }
            long total = Arrays.stream(frames).mapToLong(ByteBuffer::remaining).sum();
            while (total > 0 || writes.pending() > 0) {
                total -= writes.write(frames);
                int count = reads.read(target.clear().limit(random.nextInt(1, target.capacity())));
                heard.write(target.array(), 0, count);
            }
        }
        for (int count = 1, silent = 0; silent < 20; silent = count > 0 ? 0 : silent + 1) {
            count = reads.read(target.clear());
            heard.write(target.array(), 0, count);
        }
        assertArrayEquals(said.toByteArray(), heard.toByteArray());
        assertTrue(pipe.all().length < said.size() * 3 / 4, "packed=" + pipe.all().length + " of " + said.size());
        assertEquals(0, writes.held() + reads.held(), "bytes of memory that are not given back");
    }

    @Test
    void whatDoesNotShrinkOrIsShortGoesAsItIs() throws IOException {
        for (byte[] bytes : new byte[][] {noise(5000, 1), text(1023, 1), noise(100_000, 2)}) {
            byte[] all = packed(bytes);
            int blocks = (bytes.length + Block.MOST_BYTES - 1) / Block.MOST_BYTES;
            assertEquals(bytes.length + blocks * Block.HEAD_BYTES, all.length);
            assertEquals(Math.min(bytes.length, Block.MOST_BYTES),
                    ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getInt());
        }
        assertTrue(packed(text(1024, 1)).length < 700);
    }

    @Test
    void eachBlockIsAMemberOfGzip() throws IOException {
        byte[] text = text(20_000, 1);
        byte[] all = packed(text);
        ByteBuffer head = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(all.length - 8, head.getInt() & 0x7fffffff);
        assertEquals(text.length, head.getInt());
        assertArrayEquals(text,
                new GZIPInputStream(new ByteArrayInputStream(all, 8, all.length - 8)).readAllBytes());
    }

    /** What one frame says does not make another shorter: nobody learns of one by the length of the other. */
    @Test
    void framesArePackedEachByItself() throws IOException {
        byte[] secret = text(2000, 1);
        assertEquals(packed(secret).length + packed(text(3000, 2)).length, packed(secret, text(3000, 2)).length);
        assertEquals(2 * packed(secret).length, packed(secret, secret).length);
    }

    @Test
    void aConversationMayBeCutAtEachByte() throws IOException {
        byte[] said = new byte[7000];
        System.arraycopy(text(6000, 3), 0, said, 0, 6000);
        System.arraycopy(text(1000, 4), 0, said, 6000, 1000);
        byte[] all = packed(Arrays.copyOf(said, 6000), Arrays.copyOfRange(said, 6000, 7000));
        for (int length = 0; length <= all.length; length++) {
            ByteArrayOutputStream heard = new ByteArrayOutputStream();
            GzipWire wire = new GzipWire(Pipe.of(Arrays.copyOf(all, length)));
            assertEquals(null, readAll(wire, heard), "cut at " + length);
            assertTrue(heard.size() <= 7000 && (length < all.length || heard.size() == 7000), "cut at " + length);
            assertArrayEquals(Arrays.copyOf(said, heard.size()), heard.toByteArray(), "cut at " + length);
        }
    }

    /**
     * A block that says it is not packed is one for the frames' reader to look at. Some bits of a deflated block mean
     * nothing.
     */
    @Test
    void aBitThatIsFlippedLetsNoOtherByteOutOfAPackedBlock() throws IOException {
        byte[] said = text(4000, 5);
        byte[] all = packed(said);
        int failed = 0;
        for (int bit = 0; bit < all.length * 8; bit++) {
            if (bit == 31) {
                continue;
            }
            byte[] flipped = all.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            ByteArrayOutputStream heard = new ByteArrayOutputStream();
            String failure = readAll(new GzipWire(Pipe.of(flipped)), heard);
            byte[] right = failure == null && heard.size() > 0 ? said : new byte[0];
            assertArrayEquals(right, heard.toByteArray(), "bit " + bit);
            failed += failure == null ? 0 : 1;
        }
        assertTrue(failed >= all.length * 7, "failed=" + failed + " of bytes=" + all.length);
    }

    private static String refusal(byte[] bytes) {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        GzipWire wire = new GzipWire(Pipe.of(bytes));
        String failure = readAll(wire, heard);
        assertEquals(0, heard.size());
        assertTrue(wire.held() <= GzipWire.MOST_BYTES);
        return String.valueOf(failure);
    }

    private static void refused(String why, byte[] bytes) {
        String says = refusal(bytes);
        assertTrue(says.contains(why), () -> "\"" + why + "\" is not in: " + says);
    }

    private static byte[] head(int length, int inflated, int more) {
        return ByteBuffer.allocate(8 + more).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(Block.PACKED | length).putInt(inflated).array();
    }

    /** What is announced is looked at before anything of it has come. */
    @Test
    void blocksThatAreTooLongAreRefusedByTheirHeads() {
        refused("block of inflated bytes=32769, longest=32768", head(100, 32769, 0));
        refused("block of inflated bytes=1073741824, longest=32768", head(100, 1 << 30, 0));
        refused("block of inflated bytes=4294967295, longest=32768", head(100, -1, 0));
        refused("block of inflated bytes=0, longest=32768", head(100, 0, 0));
        refused("block of packed bytes=2147483647 and inflated bytes=32768", head(0x7fffffff, 32768, 0));
        refused("block of packed bytes=3000 and inflated bytes=3000", head(3000, 3000, 0));
        refused("block of packed bytes=18 and inflated bytes=1000", head(18, 1000, 0));
        refused("block of packed bytes=20 and inflated bytes=30000, these inflate to 2064 at most",
                head(20, 30_000, 0));
        refused("block of bytes=0, a compressed stream has 1 to 32768", new byte[4]);
        refused("block of bytes=32769, a compressed stream has 1 to 32768", new byte[] {1, (byte) 0x80, 0, 0});
    }

    /** Changes a whole block by an int in it. */
    private static byte[] changed(byte[] block, int at, int value) {
        byte[] made = block.clone();
        ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return made;
    }

    @Test
    void blocksThatInflateToMoreOrLessThanTheySayAreRefused() throws IOException {
        byte[] block = packed(new byte[30_000]);
        assertTrue(block.length < 200, "a bomb: " + block.length);
        refused("packed block of inflated bytes=1000 inflates to more", changed(block, 4, 1000));
        refused("packed block of inflated bytes=29999 inflates to more", changed(block, 4, 29_999));
        refused("packed block of inflated bytes=30001 inflates to 30000", changed(block, 4, 30_001));
        refused("its sum is", changed(block, block.length - 8, 7));
        refused("packed block of inflated bytes=30000 is damaged", changed(block, block.length - 4, 7));
    }

    @Test
    void blocksThatAreNoPlainMembersOfGzipAreRefused() throws IOException {
        byte[] block = packed(text(4000, 6));
        byte[] garbage = block.clone();
        Arrays.fill(garbage, 18, garbage.length, (byte) 0xff);
        refused("is damaged: invalid block type", garbage);
        byte[] named = block.clone();
        named[11] = 8; // a name follows
        refused("packed block begins with 1f8b080800000000 00ff, not as a plain member of gzip", named);
        byte[] zlib = block.clone();
        zlib[8] = 0x78;
        zlib[9] = (byte) 0xbb; // with a dictionary
        refused("packed block begins with 78bb", zlib);
    }

    @Test
    void blocksWithBytesBehindThemOrWithoutTheirEndAreRefused() throws IOException {
        byte[] block = packed(text(4000, 7));
        int length = block.length - Block.PACKED_HEAD_BYTES;
        byte[] longer = Arrays.copyOf(block, block.length + 5);
        System.arraycopy(block, block.length - 8, longer, longer.length - 8, 8);
        refused("inflates to 4000, bytes behind it=5", changed(longer, 0, Block.PACKED | length + 5));
        byte[] shorter = Arrays.copyOf(block, block.length - 100);
        System.arraycopy(block, block.length - 8, shorter, shorter.length - 8, 8);
        refused("and does not end", changed(shorter, 0, Block.PACKED | length - 100));
    }

    @Test
    void aWireThatIsSilentHasNoMemory() throws IOException {
        Pipe pipe = new Pipe(SEED, 1 << 20);
        GzipWire wire = new GzipWire(pipe);
        ByteBuffer text = ByteBuffer.wrap(text(100_000, 8));
        while (text.hasRemaining() || wire.pending() > 0) {
            wire.write(text);
        }
        assertEquals(0, wire.held());
        ByteBuffer target = ByteBuffer.allocate(1000);
        boolean held = false;
        for (int count = 0; count < 100_000; count += wire.read(target.clear())) {
            assertTrue(wire.held() <= GzipWire.MOST_BYTES);
            held |= wire.held() > 0;
        }
        assertTrue(held);
        while (wire.held() > 0) {
            assertFalse(wire.read(target.clear()) > 0);
        }
    }

    @Test
    void whatItGoesThroughRestsWithIt() {
        Pipe pipe = new Pipe(SEED, 1);
        new GzipWire(pipe).rest();
        assertEquals(1, pipe.rests);
    }
}
