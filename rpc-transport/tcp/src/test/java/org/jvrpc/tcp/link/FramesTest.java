package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames on their way, however the bytes are cut. */
class FramesTest {

    private static final int SLOT_BYTES = 256;

    /** Gives so many bytes at a time at most. */
    private static final class Source implements ReadableByteChannel {

        private final ByteBuffer bytes;
        private final int[] pieces;
        private int next;

        Source(ByteBuffer bytes, int... pieces) {
            this.bytes = bytes;
            this.pieces = pieces;
        }

        @Override
        public int read(ByteBuffer target) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            if (next == pieces.length) {
                return 0;
            }
            int count = Math.min(Math.min(pieces[next++], target.remaining()), bytes.remaining());
            target.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    /** Takes so many bytes at a time at most. */
    private static final class Sink implements Wire {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final SplittableRandom random;

        Sink(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        public SocketChannel channel() {
            throw new AssertionError("there is none");
        }

        @Override
        public int read(ByteBuffer target) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public void drain() {
            // nothing is kept
        }

        @Override
        public int pending() {
            return 0;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = Math.min(source.remaining(), random.nextInt(40));
            for (int i = 0; i < count; i++) {
                taken.write(source.get());
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            int count = 0;
            for (int i = offset; i < offset + length; i++) {
                int part = write(sources[i]);
                count += part;
                if (sources[i].hasRemaining()) {
                    break;
                }
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    private static ByteBuffer messages(int count, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(count * (FrameHead.BYTES + length)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putInt(FrameHead.of(FrameHead.MESSAGE, length)).putLong(i).put(new byte[length - Long.BYTES]);
        }
        return bytes.flip();
    }

    private static int take(Inbound in, int expected) {
        int next = expected;
        while (in.length() >= FrameHead.BYTES && in.length() >= FrameHead.BYTES + FrameHead.length(in.head())) {
            assertNull(in.refusal());
            assertEquals(next++, in.buffer().getLong(in.from() + FrameHead.BYTES));
            in.take(FrameHead.BYTES + FrameHead.length(in.head()));
        }
        return next;
    }

    @Test
    void messagesComeWholeHoweverTheyAreCut() throws IOException {
        for (int piece = 1; piece < 300; piece++) {
            int[] pieces = new int[1000];
            Arrays.fill(pieces, piece);
            ByteBuffer bytes = messages(400, 33);
            Inbound in = new Inbound(new Source(bytes, pieces), SLOT_BYTES);
            int next = 0;
            while (in.fill()) {
                next = take(in, next);
            }
            assertEquals(Math.min(400, 1000 * piece / 37), next, "piece=" + piece);
            assertEquals(!bytes.hasRemaining(), in.isEnded());
        }
    }

    @Test
    void aFrameFindsRoomBehindOthersThatWereTaken() throws IOException {
        int length = 16 + SLOT_BYTES;
        int[] pieces = new int[200];
        Arrays.fill(pieces, 1000);
        Inbound in = new Inbound(new Source(messages(500, length), pieces), SLOT_BYTES);
        int next = 0;
        while (in.fill()) {
            next = take(in, next);
        }
        assertEquals(500, next);
    }

    @Test
    void aPieceIsPutTogetherOfWhatWasReadAndWhatComes() throws IOException {
        byte[] all = new byte[10_000];
        new SplittableRandom(1).nextBytes(all);
        Inbound in = new Inbound(new Source(ByteBuffer.wrap(all), 100, 5000, 0, 4900), SLOT_BYTES);
        assertTrue(in.fill());
        ByteBuffer target = ByteBuffer.allocate(10_000);
        assertFalse(in.moveTo(target));
        assertEquals(5100, target.position());
        assertTrue(in.moveTo(target));
        assertEquals(ByteBuffer.wrap(all), target.flip());
        assertEquals(0, in.length());
    }

    @Test
    void headsThatMakeNoSenseAreRefused() throws IOException {
        int[] good = {FrameHead.of(FrameHead.MESSAGE, 16), FrameHead.of(FrameHead.MESSAGE, 16 + SLOT_BYTES),
            FrameHead.of(FrameHead.FETCH, 24), FrameHead.of(FrameHead.DATA, 8), FrameHead.of(FrameHead.PING, 8)};
        int[] bad = {0, FrameHead.of(FrameHead.MESSAGE, 15), FrameHead.of(FrameHead.MESSAGE, 17 + SLOT_BYTES),
            FrameHead.of(FrameHead.FETCH, 25), FrameHead.of(FrameHead.DATA, 7), FrameHead.of(FrameHead.PONG, 0),
            FrameHead.of(6, 8), -1};
        for (int head : good) {
            assertNull(refusal(head), Integer.toHexString(head));
        }
        for (int head : bad) {
            assertNotNull(refusal(head), Integer.toHexString(head));
        }
    }

    private static String refusal(int head) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, head);
        Inbound in = new Inbound(new Source(bytes, 4), SLOT_BYTES);
        assertTrue(in.fill());
        return in.refusal();
    }

    @Test
    void anAnswerIsSeenAmongWhatWasNotTaken() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(FrameHead.of(FrameHead.MESSAGE, 20)).put(new byte[20])
                .putInt(FrameHead.of(FrameHead.PONG, 8)).putLong(4).flip();
        Inbound in = new Inbound(new Source(bytes, 35, 1), SLOT_BYTES);
        assertTrue(in.fill());
        assertFalse(in.hasPong(0, 4), "a byte is missing");
        assertTrue(in.fill());
        assertTrue(in.hasPong(0, 4));
        assertTrue(in.hasPong(24, 3), "behind the message");
        assertFalse(in.hasPong(0, 5), "an earlier one");
    }

    @Test
    void framesLeaveInOrderHoweverMuchIsTaken() throws IOException {
        long seed = System.nanoTime();
        System.out.println("framesLeaveInOrder: seed=" + seed);
        Sink sink = new Sink(seed);
        Outbound out = new Outbound(sink);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        SplittableRandom random = new SplittableRandom(seed);
        long last = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] frame = new byte[1 + random.nextInt(60)];
            random.nextBytes(frame);
            expected.writeBytes(frame);
            last = out.add(ByteBuffer.wrap(frame));
            assertTrue(out.completed() < last);
            if (random.nextInt(3) == 0) {
                out.flush();
            }
        }
        while (!out.isEmpty()) {
            out.flush();
            assertEquals(!out.isEmpty(), out.isFull());
        }
        assertEquals(last, out.completed());
        assertEquals(ByteBuffer.wrap(expected.toByteArray()), ByteBuffer.wrap(sink.taken.toByteArray()));
    }

    @Test
    void aFrameWhoseEndLiesElsewhereIsTakenBeforeItHasLeft() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Sink sink = new Sink(seed);
        Outbound out = new Outbound(sink);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteBuffer elsewhere = ByteBuffer.allocate(200);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[2 + random.nextInt(100)];
            random.nextBytes(bytes);
            expected.writeBytes(bytes);
            ByteBuffer frame = ByteBuffer.allocate(bytes.length);
            if (out.isEmpty()) {
                int end = 1 + random.nextInt(bytes.length - 1);
                int at = random.nextInt(100);
                elsewhere.put(at, bytes, end, bytes.length - end);
                assertTrue(out.addInTwo(frame.put(0, bytes, 0, end), end, elsewhere, at));
                out.flush();
                random.nextBytes(elsewhere.array());
            } else {
                out.add(frame.put(0, bytes));
            }
            if (random.nextBoolean()) {
                out.flush();
            }
        }
        while (!out.isEmpty()) {
            out.flush();
        }
        assertEquals(out.posted(), out.completed());
        assertEquals(ByteBuffer.wrap(expected.toByteArray()), ByteBuffer.wrap(sink.taken.toByteArray()));
    }
}
