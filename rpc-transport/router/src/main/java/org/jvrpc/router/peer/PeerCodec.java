package org.jvrpc.router.peer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.router.Refusal;

/**
 * How messages travel: length:32 of what follows, kind:8, fields, all big-endian; a text or bytes have their length:16
 * in front. Stateless.
 */
final class PeerCodec {

    static final int HEADER = 4;
    /** The most bytes behind the length. */
    static final int MAX_FRAME = 8 << 10;
    static final int HELLO = 1;
    static final int BYE = 2;
    static final int PING = 3;
    static final int LANES = 4;
    private static final int CONNECT = 5;
    private static final int ACCEPT = 6;
    private static final int REJECT = 7;
    private static final int REFUSE = 8;
    private static final int BOUND = 9;
    private static final int CUT = 10;
    private static final int ROUTE = 11;
    /** "jvRP": whoever speaks something else is told from a router of another version. */
    private static final int MAGIC = 0x6a765250;
    private static final int MAX_NAME = 255;
    private static final int MAX_TEXT = 1024;
    private static final Refusal[] REFUSALS = Refusal.values();

    private PeerCodec() {
    }

    /** The first message of each side; its layout is that of all versions. */
    record Hello(int leastVersion, int mostVersion, String host, long incarnation) { }

    /** The last one. */
    record Bye(Refusal refusal, String text) { }

    /** What came is no message. */
    static final class BadMessageException extends Exception {

        private static final long serialVersionUID = 1L;

        BadMessageException(String message) {
            super(message);
        }
    }

    private static ByteBuffer begin(int kind, int room) {
        return ByteBuffer.allocate(HEADER + 1 + room).putInt(0).put((byte) kind);
    }

    private static ByteBuffer end(ByteBuffer frame) {
        return frame.putInt(0, frame.position() - HEADER).flip();
    }

    private static byte[] cut(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
    }

    private static ByteBuffer put(ByteBuffer frame, byte[] bytes) {
        return frame.putShort((short) bytes.length).put(bytes);
    }

    static ByteBuffer hello(Hello hello) {
        ByteBuffer frame = begin(HELLO, 24 + MAX_NAME).putInt(MAGIC).putShort((short) hello.leastVersion())
                .putShort((short) hello.mostVersion()).putLong(hello.incarnation());
        return end(put(frame, cut(hello.host(), MAX_NAME)));
    }

    static ByteBuffer bye(Bye bye) {
        return end(put(begin(BYE, 3 + MAX_TEXT).put((byte) bye.refusal().ordinal()), cut(bye.text(), MAX_TEXT)));
    }

    static ByteBuffer ping() {
        return end(begin(PING, 0));
    }

    static ByteBuffer lanes(byte[] body) {
        return end(begin(LANES, body.length).put(body));
    }

    static ByteBuffer encode(PeerMessage message) {
        ByteBuffer frame;
        if (message instanceof PeerMessage.Connect one) {
            frame = begin(CONNECT, 64 + 3 * MAX_NAME + PeerMessage.MAX_PRIVATE).putLong(one.epoch())
                    .putInt(one.number());
            put(frame, cut(one.tenant(), MAX_NAME));
            put(frame, cut(one.address(), MAX_NAME));
            put(frame, cut(one.to(), MAX_NAME)).putShort((short) one.port()).putLong(one.homeEpoch())
                    .put((byte) (one.waited() ? 1 : 0));
            put(frame, one.privateData());
        } else if (message instanceof PeerMessage.Accept one) {
            frame = put(begin(ACCEPT, 16 + one.privateData().length).putLong(one.epoch()).putInt(one.number()),
                    one.privateData());
        } else if (message instanceof PeerMessage.Reject one) {
            frame = put(begin(REJECT, 16 + one.privateData().length).putLong(one.epoch()), one.privateData());
        } else if (message instanceof PeerMessage.Refuse one) {
            frame = put(begin(REFUSE, 16 + MAX_TEXT).putLong(one.epoch()).put((byte) one.refusal().ordinal()),
                    cut(one.text(), MAX_TEXT));
        } else if (message instanceof PeerMessage.Bound one) {
            frame = begin(BOUND, 8).putLong(one.epoch());
        } else if (message instanceof PeerMessage.Route one) {
            frame = begin(ROUTE, 32 + 2 * MAX_NAME).putLong(one.epoch()).putInt(one.number());
            put(frame, cut(one.tenant(), MAX_NAME));
            put(frame, cut(one.address(), MAX_NAME)).putInt(one.device()).putLong(one.incarnation());
        } else {
            PeerMessage.Cut one = (PeerMessage.Cut) message;
            frame = put(begin(CUT, 16 + MAX_TEXT).putLong(one.epoch()).put((byte) (one.byConnector() ? 1 : 0)),
                    cut(one.why(), MAX_TEXT));
        }
        return end(frame);
    }

    /** Returns the kind of a frame, whose position is behind it then. */
    static int kind(ByteBuffer frame) throws BadMessageException {
        if (!frame.hasRemaining()) {
            throw new BadMessageException("a message without a kind");
        }
        return frame.get();
    }

    private interface Fields<T> {
        T read(ByteBuffer frame) throws BadMessageException;
    }

    private static <T> T whole(ByteBuffer frame, Fields<T> fields) throws BadMessageException {
        try {
            T read = fields.read(frame);
            if (frame.hasRemaining()) {
                throw new BadMessageException("bytes behind a message=" + frame.remaining());
            }
            return read;
        } catch (BufferUnderflowException e) {
            throw new BadMessageException("a message that is cut off");
        }
    }

    private static byte[] bytes(ByteBuffer frame, int most) throws BadMessageException {
        int length = frame.getShort() & 0xffff;
        if (length > most || length > frame.remaining()) {
            throw new BadMessageException("bytes=" + length + " limit=" + Math.min(most, frame.remaining()));
        }
        byte[] bytes = new byte[length];
        frame.get(bytes);
        return bytes;
    }

    /** Returns a text without what a terminal or a log would act on. */
    private static String text(ByteBuffer frame, int most) throws BadMessageException {
        byte[] bytes = bytes(frame, most);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] < ' ' || bytes[i] > '~' ? (byte) '?' : bytes[i];
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static Refusal refusal(ByteBuffer frame) throws BadMessageException {
        int number = frame.get();
        if (number < 0 || number >= REFUSALS.length) {
            throw new BadMessageException("refusal=" + number);
        }
        return REFUSALS[number];
    }

    private static int number(ByteBuffer frame) throws BadMessageException {
        int number = frame.getInt();
        if (number < 1 || number > 0xffff) {
            throw new BadMessageException("number of a connection=" + number);
        }
        return number;
    }

    /** Reads what is behind the kind. */
    static Hello decodeHello(ByteBuffer frame) throws BadMessageException {
        if (frame.remaining() < 4 || frame.getInt() != MAGIC) {
            throw new BadMessageException("it is no router that speaks");
        }
        return whole(frame, fields -> {
            int least = fields.getShort() & 0xffff;
            int most = fields.getShort() & 0xffff;
            long incarnation = fields.getLong();
            return new Hello(least, most, text(fields, MAX_NAME), incarnation);
        });
    }

    static Bye decodeBye(ByteBuffer frame) throws BadMessageException {
        return whole(frame, fields -> new Bye(refusal(fields), text(fields, MAX_TEXT)));
    }

    static PeerMessage decode(int kind, ByteBuffer frame) throws BadMessageException {
        return switch (kind) {
            case CONNECT -> whole(frame, fields -> new PeerMessage.Connect(fields.getLong(), number(fields),
                    text(fields, MAX_NAME), text(fields, MAX_NAME), text(fields, MAX_NAME),
                    fields.getShort() & 0xffff, fields.getLong(), fields.get() != 0,
                    bytes(fields, PeerMessage.MAX_PRIVATE)));
            case ACCEPT -> whole(frame, fields -> new PeerMessage.Accept(fields.getLong(), number(fields),
                    bytes(fields, PeerMessage.MAX_PRIVATE)));
            case REJECT -> whole(frame, fields -> new PeerMessage.Reject(fields.getLong(),
                    bytes(fields, PeerMessage.MAX_PRIVATE)));
            case REFUSE -> whole(frame, fields -> new PeerMessage.Refuse(fields.getLong(), refusal(fields),
                    text(fields, MAX_TEXT)));
            case ROUTE -> whole(frame, fields -> new PeerMessage.Route(fields.getLong(), number(fields),
                    text(fields, MAX_NAME), text(fields, MAX_NAME), fields.getInt(), fields.getLong()));
            case BOUND -> whole(frame, fields -> new PeerMessage.Bound(fields.getLong()));
            case CUT -> whole(frame, fields -> new PeerMessage.Cut(fields.getLong(), fields.get() != 0,
                    text(fields, MAX_TEXT)));
            default -> throw new BadMessageException("kind=" + kind);
        };
    }
}
