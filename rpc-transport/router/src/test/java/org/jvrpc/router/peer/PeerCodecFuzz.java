package org.jvrpc.router.peer;

import java.nio.ByteBuffer;
import org.jvrpc.router.peer.PeerCodec.BadMessageException;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes as what another router says behind a frame's length. They are refused by a message that can be shown, or
 * mean what comes out again when it is written and read once more. Nothing of a text can move a terminal.
 */
final class PeerCodecFuzz {

    private static final int LONGEST = 200;

    private PeerCodecFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        ByteBuffer once;
        try {
            once = written(ByteBuffer.wrap(input));
        } catch (BadMessageException e) {
            FuzzCheck.that(e.getMessage().length() < LONGEST && e.getMessage().chars()
                    .noneMatch(Character::isISOControl), e.getMessage());
            return;
        }
        try { // what a text or a flag cannot be is as it comes out
            FuzzCheck.that(once == null || written(once.duplicate()).equals(once), "another message comes out");
        } catch (BadMessageException e) {
            throw new AssertionError("what was written is none", e);
        }
    }

    /** Returns what is read as it is written, without its length; null: it is not of this class to read. */
    private static ByteBuffer written(ByteBuffer frame) throws BadMessageException {
        ByteBuffer written = encoded(PeerCodec.kind(frame), frame);
        if (written != null) {
            FuzzCheck.that(!frame.hasRemaining(), "bytes left=" + frame.remaining());
            FuzzCheck.that(written.getInt() == written.remaining() && written.remaining() <= PeerCodec.MAX_FRAME,
                    "length of what is written");
        }
        return written;
    }

    private static ByteBuffer encoded(int kind, ByteBuffer frame) throws BadMessageException {
        return switch (kind) {
            case PeerCodec.HELLO -> PeerCodec.hello(PeerCodec.decodeHello(frame));
            case PeerCodec.BYE -> PeerCodec.bye(PeerCodec.decodeBye(frame));
            case PeerCodec.PING, PeerCodec.LANES -> null;
            default -> PeerCodec.encode(PeerCodec.decode(kind, frame));
        };
    }
}
