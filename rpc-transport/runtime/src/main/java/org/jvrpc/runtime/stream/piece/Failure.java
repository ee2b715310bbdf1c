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
 * 0 no handler ran:1, the highest bit | 0 status:7 | 1 number of the declared exception, 0 for none:16
 * 3 the exception, or the text as a string
 * </pre>
 */
public final class Failure {

    /** Bytes before the exception or the text. */
    public static final int HEAD_BYTES = 3;
    private static final int MOST_CHARS = 1000;
    private static final int NOT_RUN = 0x80;

    private Failure() {
    }

    /** Begins one with a declared exception, which is written behind it. */
    public static void begin(WireWriter out, Status status, int thrown) {
        out.writeByte((byte) status.code());
        out.writeShort((short) thrown);
    }

    /** Returns one with a text, in memory of its own. @param notRun no handler ran for the call, and none will */
    public static ByteBuffer of(Status status, String message, boolean notRun) {
        String all = message == null ? "" : message;
        String text = all.length() <= MOST_CHARS ? all : all.substring(0, MOST_CHARS);
        ByteBuffer bytes = ByteBuffer.allocateDirect(HEAD_BYTES + 4 + 2 * text.length());
        WireWriter out = new WireWriter();
        out.reset(bytes, 0, bytes.capacity(), null, null);
        begin(out, status, 0);
        out.writeString(text);
        if (notRun) {
            bytes.put(0, (byte) (bytes.get(0) | NOT_RUN));
        }
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
        int code = in.readByte() & 0xff;
        Status read = Status.ofCode(code & ~NOT_RUN);
        Status status = read == Status.OK ? Status.UNKNOWN : read;
        in.readShort();
        String text = in.readString();
        return (code & NOT_RUN) != 0 ? RpcException.notRun(status, text) : new RpcException(status, text);
    }

    /** Returns the same failure, thrown once more: its trace is that of who waits. */
    public static RpcException again(RpcException cause) {
        RpcException thrown = cause.mayHaveRun() ? new RpcException(cause.status(), cause.getMessage(), cause)
                : RpcException.notRun(cause.status(), cause.getMessage(), cause);
        return cause.details() == null ? thrown : thrown.withDetails(cause.details());
    }

    /** Returns the same failure, of a call of which no handler hears. */
    public static RpcException notRun(RpcException cause) {
        if (!cause.mayHaveRun()) {
            return cause;
        }
        RpcException known = RpcException.notRun(cause.status(), cause.getMessage(), cause);
        return cause.details() == null ? known : known.withDetails(cause.details());
    }
}
