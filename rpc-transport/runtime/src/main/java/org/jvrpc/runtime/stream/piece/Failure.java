package org.jvrpc.runtime.stream.piece;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * What an ERROR says.
 *
 * <pre>
 * 0 status:8 | 1 number of the declared exception, 0 for none:16 | 3 the exception, or the text as a string
 * </pre>
 */
public final class Failure {

    /** Bytes before the exception or the text. */
    public static final int HEAD_BYTES = 3;
    private static final int MOST_CHARS = 1000;

    private Failure() {
    }

    /** Begins one with a declared exception, which is written behind it. */
    public static void begin(WireWriter out, Status status, int thrown) {
        out.writeByte((byte) status.code());
        out.writeShort((short) thrown);
    }

    /** Returns one with a text, in memory of its own. */
    public static ByteBuffer of(Status status, String message) {
        String all = message == null ? "" : message;
        String text = all.length() <= MOST_CHARS ? all : all.substring(0, MOST_CHARS);
        ByteBuffer bytes = ByteBuffer.allocateDirect(HEAD_BYTES + 4 + 2 * text.length());
        WireWriter out = new WireWriter();
        out.reset(bytes, 0, bytes.capacity(), null, null);
        begin(out, status, 0);
        out.writeString(text);
        return bytes.limit(out.length());
    }

    /** Reads the number of the declared exception, which follows, and is 0 for none. */
    public static int thrown(ByteBuffer bytes) {
        return bytes.limit() < HEAD_BYTES ? 0 : (bytes.get(1) & 0xff | (bytes.get(2) & 0xff) << 8);
    }

    /** Reads one with a text. */
    public static RpcException read(ByteBuffer bytes) {
        WireReader in = new WireReader();
        in.reset(bytes, 0, bytes.limit(), null);
        Status status = Status.ofCode(in.readByte());
        in.readShort();
        return new RpcException(status == Status.OK ? Status.UNKNOWN : status, in.readString());
    }
}
