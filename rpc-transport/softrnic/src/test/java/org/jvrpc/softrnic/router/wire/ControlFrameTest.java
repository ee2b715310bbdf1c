package org.jvrpc.softrnic.router.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ControlFrameTest {

    private static final byte[] DATA = {1, 2, 3};
    private static final QpNote QP = new QpNote(0x123, 2, 5L << 40, 16, 64, 32, 1280, 3, 4, 0, QpNote.LAZY, 0, 7,
            10_000, 5L << 40 | 4096);

    /** One of each command that has a body. */
    private static List<ControlFrame> all() {
        return List.of(
                new Hello(1, 3, Hello.SLOW, "d-17-ab", DATA).frame(1),
                new Welcome(1, Welcome.PRIVATE, 0x1234567890L, 9, "alpha", "10.77.0.5").frame(1),
                new Refused(Refused.QUOTA, "QUOTA: has=1").frame(2, 3),
                new SlabNote(4, 1 << 20, "d-17-ab", 4).frame(3),
                new RegionNote(0x102, 2, 7, 5L << 40, 4096).frame(4),
                new CqNote(3, 5L << 40, 64, 64, 0).frame(5),
                new SrqNote(6, 2, 5L << 40, 64, 64).frame(6),
                QP.frame(7),
                new ConnectNote("10.77.0.5", 7000, 0, 0, 0, DATA).frame(8, 0x123, 0),
                new Offer(5, "beta", "10.77.0.6", DATA).frame(Command.OFFER, 0, 2),
                new ListenNote(2, "10.77.0.5", 7000).frame(9));
    }

    private static ControlFrame decodeAndEncode(ControlFrame frame) throws FrameException {
        return switch (frame.command()) {
            case HELLO -> Hello.decode(frame).frame(frame.id());
            case WELCOME -> Welcome.decode(frame).frame(frame.id());
            case REFUSED -> Refused.decode(frame).frame(frame.id(), frame.object());
            case SLAB -> SlabNote.decode(frame).frame(frame.id());
            case REGISTER -> RegionNote.decode(frame).frame(frame.id());
            case CREATE_CQ -> CqNote.decode(frame).frame(frame.id());
            case CREATE_SRQ -> SrqNote.decode(frame).frame(frame.id());
            case CREATE_QP -> QpNote.decode(frame).frame(frame.id());
            case CONNECT -> ConnectNote.decode(frame).frame(frame.id(), frame.object(), frame.flags());
            case OFFER -> Offer.decode(frame, Command.OFFER).frame(Command.OFFER, frame.id(), frame.object());
            case LISTEN -> ListenNote.decode(frame).frame(frame.id());
            default -> throw new AssertionError(frame);
        };
    }

    @Test
    void whatIsEncodedIsDecodedTheSame() throws IOException {
        for (ControlFrame frame : all()) {
            assertEquals(frame.encode(), decodeAndEncode(frame).encode(), frame.toString());
        }
    }

    @Test
    void framesAreReadWhereverTheStreamIsCut() throws IOException {
        Random random = new Random(18);
        ByteBuffer stream = ByteBuffer.allocate(1 << 16);
        all().forEach(frame -> stream.put(frame.encode()));
        stream.flip();
        FrameReader reader = new FrameReader();
        int found = 0;
        while (stream.hasRemaining()) {
            byte[] piece = new byte[Math.min(stream.remaining(), 1 + random.nextInt(40))];
            stream.get(piece);
            ReadableByteChannel channel = onceThenEmpty(piece);
            for (ControlFrame frame = reader.read(channel); frame != null; frame = reader.read(channel)) {
                assertEquals(all().get(found++).encode(), frame.encode());
            }
        }
        assertEquals(all().size(), found);
    }

    /** Returns a channel that has these bytes, and then none for now. */
    private static ReadableByteChannel onceThenEmpty(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer to) {
                int count = Math.min(to.remaining(), left.remaining());
                to.put(left.slice(left.position(), count));
                left.position(left.position() + count);
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {
                left.position(left.limit());
            }
        };
    }

    @Test
    void aBodyThatIsShortOrLongIsRefused() {
        for (ControlFrame frame : all()) {
            byte[] body = frame.body();
            for (int length = 0; length <= body.length + 1; length++) {
                if (length != body.length) {
                    byte[] other = Arrays.copyOf(body, length);
                    ControlFrame cut = new ControlFrame(frame.command(), frame.flags(), frame.id(), frame.object(),
                            other);
                    assertThrows(FrameException.class, () -> decodeAndEncode(cut), cut + " bytes=" + length);
                }
            }
        }
    }

    @Test
    void aLengthBeyondTheLimitIsRefusedBeforeItIsRead() {
        for (int length : new int[] {-1, ControlFrame.MAX_BODY + 1, Integer.MAX_VALUE}) {
            ByteBuffer header = ControlFrame.of(Command.RING, 1, 2).encode().order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(0, length);
            FrameException e = assertThrows(FrameException.class, () -> new FrameReader().read(
                    Channels.newChannel(new ByteArrayInputStream(header.array()))));
            assertTrue(e.getMessage().contains("length=" + length), e.getMessage());
        }
    }

    @Test
    void aCommandThatIsNoneIsRefused() {
        ByteBuffer header = ControlFrame.of(Command.RING, 1, 2).encode().put(4, (byte) Command.values().length);
        assertThrows(FrameException.class, () -> new FrameReader().read(
                Channels.newChannel(new ByteArrayInputStream(header.array()))));
    }

    @Test
    void anEndInTheMiddleOfAFrameIsSaid() throws IOException {
        byte[] half = Arrays.copyOf(ControlFrame.of(Command.RING, 1, 2).encode().array(), 7);
        ReadableByteChannel channel = Channels.newChannel(new ByteArrayInputStream(half));
        FrameReader reader = new FrameReader();
        assertNull(reader.read(channel));
        EOFException e = assertThrows(EOFException.class, () -> reader.read(channel));
        assertTrue(e.getMessage().contains("7"), e.getMessage());
    }

    @Test
    void ringsThatAreNoPowerOfTwoAreRefused() {
        ControlFrame bad = new QpNote(0x123, 2, 5L << 40, 17, 64, 32, 0, 3, 4, 0, 0, 0, 7, 0, 0).frame(1);
        FrameException e = assertThrows(FrameException.class, () -> QpNote.decode(bad));
        assertTrue(e.getMessage().contains("receives=17"), e.getMessage());
    }

    @Test
    void aTokenIsNotPrinted() {
        String text = new Hello(1, 1, 0, "d-1-a", "secret".getBytes(StandardCharsets.US_ASCII))
                .toString();
        assertFalse(text.contains("secret") || text.contains("115"), text);
    }

    @Test
    void aMessageIsMadePrintableAndCut() throws FrameException {
        String message = Refused.decode(new Refused(1, "a\u001b[31m" + "x".repeat(2000)).frame(1, 0)).message();
        assertEquals(Refused.MAX_MESSAGE, message.length());
        assertTrue(message.startsWith("a?[31m"), message.substring(0, 10));
    }

    @Test
    void aFrameWithoutBodyIsPutIntoABufferThatIsKept() throws IOException {
        ByteBuffer kept = ByteBuffer.allocateDirect(ControlFrame.HEADER);
        ControlFrame.put(kept, 0, Command.RING, 77, 0x123);
        byte[] bytes = new byte[ControlFrame.HEADER];
        kept.get(0, bytes);
        assertArrayEquals(ControlFrame.of(Command.RING, 77, 0x123).encode().array(), bytes);
        assertNull(new FrameReader().read(onceThenEmpty(new byte[3])));
    }

    @Test
    void memoryOfZerosHoldsNoEntryAndALapOlderIsNone() {
        ByteBuffer memory = ByteBuffer.allocateDirect(SubmitRing.BYTES);
        for (int index = 0; index < SubmitRing.ENTRIES; index++) {
            assertFalse(SubmitRing.isOf(SubmitRing.read(memory, 0, index), index));
        }
        SubmitRing.publish(memory, 0, 3, SubmitRing.word(3, SubmitRing.PUSH, 56, -2));
        long word = SubmitRing.read(memory, 0, 3);
        assertTrue(SubmitRing.isOf(word, 3));
        assertFalse(SubmitRing.isOf(word, 3 + SubmitRing.ENTRIES));
        assertEquals(SubmitRing.PUSH, SubmitRing.kind(word));
        assertEquals(56, SubmitRing.length(word));
        assertEquals(-2, SubmitRing.producer(word));
    }

    @Test
    void aReaderTakesFramesOfAllLengthsInTurn() throws IOException {
        byte[] longest = new byte[ControlFrame.MAX_BODY];
        longest[ControlFrame.MAX_BODY - 1] = 7;
        List<ControlFrame> frames = List.of(ControlFrame.of(Command.DONE, 1, 2),
                new ControlFrame(Command.DONE, 0, 3, 4, new byte[497]),
                new ControlFrame(Command.DONE, 0, 5, 6, longest), ControlFrame.of(Command.DONE, 7, 8));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        for (ControlFrame frame : frames) {
            ByteBuffer bytes = frame.encode();
            while (bytes.hasRemaining()) {
                written.write(bytes.get());
            }
        }
        FrameReader reader = new FrameReader();
        ReadableByteChannel from = Channels.newChannel(new ByteArrayInputStream(written.toByteArray()));
        for (ControlFrame frame : frames) {
            ControlFrame read = reader.read(from);
            assertEquals(frame.id(), read.id());
            assertArrayEquals(frame.body(), read.body());
        }
    }
}
