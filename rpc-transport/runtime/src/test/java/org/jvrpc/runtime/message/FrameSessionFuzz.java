package org.jvrpc.runtime.message;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any messages at one side of a message session, which sends each frame back and pauses now and then. What its handler
 * gets are the bytes of the pieces in their order, in frames within the limit; it sends no more than the peer grants;
 * the session ends once, by an {@link IllegalStateException} or an
 * {@link org.jvrpc.api.RpcException RpcException RESOURCE_EXHAUSTED} at most, and keeps nothing then.
 */
final class FrameSessionFuzz {

    private static final int WINDOW = 8;
    private static final int PIECE_BYTES = 256;
    private static final int MAX_FRAME = 2048;
    private static final int MOST_POLLS = 20_000;
    private static final Hello AGREED = Hello.request(Protocol.MESSAGES, WINDOW, PIECE_BYTES, MAX_FRAME);
    private static final ByteBuffer[] BODIES = ScriptedLink.bodies(WINDOW + Protocol.CONTROLS, PIECE_BYTES);

    private FrameSessionFuzz() {
    }

    /** The first byte says after how many frames the handler pauses, 0 for never. */
    public static void fuzzerTestOneInput(byte[] input) {
        Side side = new Side(input.length == 0 ? 0 : input[0] & 15, input);
        int polls = 0;
        while (side.session.poll(WINDOW) > 0 || side.paused) {
            side.resume();
            FuzzCheck.that(++polls < MOST_POLLS, "it never ends");
        }
        if (!side.session.isOver()) {
            side.session.end(null);
        }
        side.check();
    }

    private static final class Side implements MessageHandler, Bodies {
        private final QueueBudget budget = new QueueBudget(1 << 14, 1 << 15);
        private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        private final ByteArrayOutputStream frames = new ByteArrayOutputStream();
        private final FrameSession session;
        private final int pauseAfter;
        private int pausesIn;
        private boolean paused;
        private long granted = WINDOW;
        private long sent;
        private int ends;
        private boolean freed;
        private Throwable cause;
        private final ScriptedLink link;

        Side(int pauseAfter, byte[] input) {
            this.pauseAfter = pauseAfter;
            this.pausesIn = pauseAfter;
            this.link = new ScriptedLink(BODIES, input, 1) {
                @Override
                protected void polled() {
                    Side.this.polled();
                }

                @Override
                protected void sent(int slot, long first, long second, int bodyLength) {
                    sent += MessageHeader.kind(first) == MessageHeader.DATA ? 1 : 0;
                    FuzzCheck.that(sent <= granted, "pieces sent=" + sent + " granted=" + granted);
                    FuzzCheck.that(bodyLength <= PIECE_BYTES, bodyLength);
                }
            };
            session = new FrameSession(() -> 0, link, this, AGREED, MAX_FRAME, this, budget, 1, () -> { });
        }

        private void polled() {
            granted += MessageHeader.credits(link.first());
            int length = MessageHeader.length(link.second());
            if (MessageHeader.kind(link.first()) == MessageHeader.DATA && length >= 0
                    && length <= link.payloadLength() - RpcHeader.BYTES) {
                for (int i = 0; i < length; i++) {
                    pieces.write(link.payload().get(link.payloadOffset() + RpcHeader.BYTES + i));
                }
            }
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            FuzzCheck.that(ends == 0, "a frame after the end");
            FuzzCheck.that(frame.remaining() <= MAX_FRAME, "a frame beyond the limit: " + frame.remaining());
            byte[] bytes = new byte[frame.remaining()];
            frame.get(frame.position(), bytes);
            frames.write(bytes, 0, bytes.length);
            from.send(frame);
            if (pauseAfter != 0 && --pausesIn == 0) {
                pausesIn = pauseAfter;
                paused = true;
                from.pause();
            }
        }

        void resume() {
            if (paused) {
                paused = false;
                session.resume();
            }
        }

        @Override
        public void closed(MessageSession ended, Throwable why) {
            ends++;
            cause = why;
        }

        void check() {
            byte[] came = pieces.toByteArray();
            byte[] delivered = frames.toByteArray();
            FuzzCheck.that(delivered.length <= came.length
                    && Arrays.equals(delivered, 0, delivered.length, came, 0, delivered.length), "other bytes");
            FuzzCheck.that(ends == 1 && session.isOver() && !session.isOpen(), "ends=" + ends);
            FuzzCheck.that(cause == null || cause instanceof IllegalStateException
                    || cause instanceof org.jvrpc.api.RpcException, cause);
            FuzzCheck.that(session.queuedBytes() == 0, "queued after the end: " + session.queuedBytes());
            FuzzCheck.that(!session.send(ByteBuffer.allocate(1)), "sends after the end");
            session.bury();
            FuzzCheck.that(freed && link.isClosed(), "not freed");
        }

        @Override
        public Body take(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public Body takeForFetch(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public Body reuseForFetch(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public void give(Body body) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public void close() {
            freed = true;
        }
    }
}
