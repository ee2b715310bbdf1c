package org.jvrpc.softrnic.router.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes on the socket between a tenant's device and its router, in pieces whose length the first byte says. They
 * are refused by a {@link FrameException} that can be shown, or are frames that come out again when they are written;
 * what a frame says by the layout of its command comes out again, too, and is refused otherwise. Nothing that is not
 * sent is made up.
 */
final class RouterFrameFuzz {

    private static final int LONGEST_MESSAGE = 600;

    private RouterFrameFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        Pieces pieces = new Pieces(bytes, 1 + (input[0] & 63));
        FrameReader reader = new FrameReader();
        int taken = 0;
        try {
            while (true) {
                ControlFrame frame = reader.read(pieces);
                if (frame == null) {
                    continue;
                }
                ByteBuffer again = frame.encode();
                FuzzCheck.that(again.equals(ByteBuffer.wrap(bytes, taken, again.remaining())), frame);
                taken += again.remaining();
                FuzzCheck.that(taken == pieces.taken, "bytes behind the frame are gone: " + pieces.taken);
                said(frame);
            }
        } catch (FrameException e) {
            shown(e);
        } catch (IOException e) {
            FuzzCheck.that(pieces.taken == bytes.length, "ended early: " + e.getMessage());
        }
    }

    private static void shown(FrameException e) {
        FuzzCheck.that(e.getMessage().length() < LONGEST_MESSAGE
                && e.getMessage().chars().noneMatch(Character::isISOControl), e.getMessage());
    }

    private static void said(ControlFrame frame) {
        ControlFrame again;
        try {
            again = byLayout(frame);
        } catch (FrameException e) {
            shown(e);
            return;
        }
        boolean same = again == null || again.object() == frame.object() || frame.command() == Command.HELLO;
        FuzzCheck.that(same && (again == null || again.command() == frame.command() && again.id() == frame.id()
                && Arrays.equals(again.body(), frame.body())), frame + " is " + again);
    }

    private static ControlFrame byLayout(ControlFrame frame) throws FrameException {
        int id = frame.id();
        return switch (frame.command()) {
            case HELLO -> Hello.decode(frame).frame(id);
            case WELCOME -> Welcome.decode(frame).frame(id);
            case REFUSED -> Refused.decode(frame).frame(id, frame.object());
            case SLAB -> SlabNote.decode(frame).frame(id);
            case REGISTER -> RegionNote.decode(frame).frame(id);
            case CREATE_CQ -> CqNote.decode(frame).frame(id);
            case CREATE_SRQ -> SrqNote.decode(frame).frame(id);
            case CREATE_QP -> QpNote.decode(frame).frame(id);
            case LISTEN -> ListenNote.decode(frame).frame(id);
            case CONNECT -> ConnectNote.decode(frame).frame(id, frame.object(), frame.flags());
            case OFFER, ACCEPT, REJECT, CONNECTED -> Offer.decode(frame, frame.command())
                    .frame(frame.command(), id, frame.object());
            default -> null;
        };
    }

    /** A channel from which bytes come in pieces, each behind a read that finds nothing. */
    private static final class Pieces implements ReadableByteChannel {

        private final ReadableByteChannel all;
        private final int most;
        private boolean nothing;
        private int taken;

        Pieces(byte[] bytes, int most) {
            this.all = Channels.newChannel(new ByteArrayInputStream(bytes));
            this.most = most;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            nothing ^= true;
            if (nothing) {
                return 0;
            }
            int limit = to.limit();
            to.limit(Math.min(limit, to.position() + most));
            int count = all.read(to);
            to.limit(limit);
            taken += Math.max(0, count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return all.isOpen();
        }

        @Override
        public void close() {
            try {
                all.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
