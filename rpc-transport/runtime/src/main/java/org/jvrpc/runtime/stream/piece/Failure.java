package org.jvrpc.runtime.stream.piece;

import java.nio.ByteBuffer;
import org.jvrpc.api.ErrorDetails;
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
 * behind a text, where there are any: length of the details:16 | the details, see {@link Beside}
 * </pre>
 * Who knows of no details does not read on behind the text.
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

    /**
     * Returns one with a cause's text and details, in memory of its own.
     *
     * @param notRun no handler ran for the call, and none will
     */
    public static ByteBuffer of(Status status, RpcException cause, boolean notRun) {
        String all = cause.getMessage() == null ? "" : cause.getMessage();
        String text = all.length() <= MOST_CHARS ? all : all.substring(0, MOST_CHARS);
        ByteBuffer details = details(cause);
        int more = details == null ? 0 : Short.BYTES + details.limit();
        ByteBuffer bytes = ByteBuffer.allocateDirect(HEAD_BYTES + 4 + 2 * text.length() + more);
        WireWriter out = new WireWriter();
        out.reset(bytes, 0, bytes.capacity(), null, null);
        begin(out, status, 0);
        out.writeString(text);
        if (details != null) {
            out.writeShort((short) details.limit());
            out.writeRaw(details, 0, details.limit());
        }
        if (notRun) {
            bytes.put(0, (byte) (bytes.get(0) | NOT_RUN));
        }
        return bytes.limit(out.length());
    }

    /** Returns null for none; also where they are too much: what it says to people arrives all the same. */
    private static ByteBuffer details(RpcException cause) {
        try {
            return cause.details() == null ? null : Beside.of(null, cause.details());
        } catch (RpcException e) {
            return null;
        }
    }

    /** Reads the number of the declared exception, which follows, and is 0 for none. */
    public static int thrown(ByteBuffer bytes) {
        return bytes.limit() < HEAD_BYTES ? 0 : (bytes.get(1) & 0xff | (bytes.get(2) & 0xff) << 8);
    }

    /** Reads its status, of one that {@link #of} made or {@link #begin} began. */
    public static Status status(ByteBuffer bytes) {
        return Status.ofCode(bytes.get(0) & 0xff & ~NOT_RUN);
    }

    /**
     * Reads one with a text.
     *
     * @throws IllegalStateException when its details are cut off
     * @throws RpcException INTERNAL when the bytes are none
     */
    public static RpcException read(ByteBuffer bytes) {
        WireReader in = new WireReader();
        in.reset(bytes, 0, bytes.limit(), null);
        int code = in.readByte() & 0xff;
        Status known = Status.ofCode(code & ~NOT_RUN);
        Status status = known == Status.OK ? Status.UNKNOWN : known;
        in.readShort();
        String text = in.readString();
        RpcException read = (code & NOT_RUN) != 0 ? RpcException.notRun(status, text)
                : new RpcException(status, text);
        ErrorDetails details = in.remaining() == 0 ? null : details(in, bytes);
        return details == null ? read : read.withDetails(details);
    }

    private static ErrorDetails details(WireReader in, ByteBuffer bytes) {
        int length = in.readShort() & 0xffff;
        if (length > in.remaining()) {
            throw new IllegalStateException("details of a failure are cut off: bytes=" + length + " there="
                    + in.remaining());
        }
        return Beside.read(bytes, bytes.limit() - in.remaining(), length).details();
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
