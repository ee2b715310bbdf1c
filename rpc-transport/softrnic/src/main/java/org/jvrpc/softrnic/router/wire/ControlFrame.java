package org.jvrpc.softrnic.router.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A frame on a tenant's socket, in either direction. Little-endian.
 *
 * <pre>
 * 0 length of the body:32 | 4 command:8 | 5 flags:8 | 6 zero:16 | 8 id:32 | 12 object:32 | 16 body
 * </pre>
 *
 * @param command what it is about
 * @param flags of the command; 0 to 255
 * @param id of the sender's choice, which an answer bears again; of {@link Command#RING} the producer
 * @param object number of the QP, CQ, SRQ, key, segment, listener or offer that it is about; 0 for none
 * @param body see the command's record in this package; never null
 */
public record ControlFrame(Command command, int flags, int id, int object, byte[] body) {

    /** Of the protocol between a tenant's device and its router. */
    public static final int VERSION = 2;
    /** Bytes of what stands before a body. */
    public static final int HEADER = 16;
    /** The most bytes of a body. */
    public static final int MAX_BODY = 4096;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final Command[] COMMANDS = Command.values();
    private static final byte[] NONE = {};

    /** @throws IllegalArgumentException when the body or the flags are out of their range */
    public ControlFrame {
        if (body.length > MAX_BODY || (flags & ~0xff) != 0) {
            throw new IllegalArgumentException("command=" + command + " flags=" + flags + " body=" + body.length
                    + " limit=" + MAX_BODY);
        }
    }

    /** Makes a frame without flags and body. */
    public static ControlFrame of(Command command, int id, int object) {
        return new ControlFrame(command, 0, id, object, NONE);
    }

    /** Makes a frame without flags. */
    public static ControlFrame of(Command command, int id, int object, byte[] body) {
        return new ControlFrame(command, 0, id, object, body);
    }

    /** Returns the bytes that travel. */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + body.length);
        putHeader(bytes, 0, command, flags, id, object, body.length);
        return bytes.put(HEADER, body);
    }

    /** Writes a frame without body, for callers that keep a buffer: {@link #HEADER} bytes from an offset on. */
    public static void put(ByteBuffer to, int at, Command command, int id, int object) {
        putHeader(to, at, command, 0, id, object, 0);
    }

    private static void putHeader(ByteBuffer to, int at, Command command, int flags, int id, int object, int length) {
        INT.set(to, at, length);
        INT.set(to, at + 4, command.ordinal() | flags << 8);
        INT.set(to, at + 8, id);
        INT.set(to, at + 12, object);
    }

    /** Returns the length of the body that follows a header at offset 0. @throws FrameException when it is no header */
    static int length(ByteBuffer header) throws FrameException {
        int length = header.getInt(0);
        int command = header.get(4) & 0xff;
        int zero = header.getShort(6);
        if (length < 0 || length > MAX_BODY || command >= COMMANDS.length || zero != 0) {
            throw new FrameException("no frame: length=" + length + " limit=" + MAX_BODY + " command=" + command
                    + " zero=" + zero);
        }
        return length;
    }

    /** Returns the frame whose header and body stand in a buffer that nobody else writes to. */
    static ControlFrame decode(ByteBuffer bytes, int length) {
        byte[] body = length == 0 ? NONE : new byte[length];
        bytes.get(HEADER, body);
        return new ControlFrame(COMMANDS[bytes.get(4) & 0xff], bytes.get(5) & 0xff, bytes.getInt(8), bytes.getInt(12),
                body);
    }
}
