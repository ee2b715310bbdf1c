package org.jvrpc.runtime.stream.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.RpcHeader;

/** What a client sends, as an input of {@link StreamSessionFuzz}. One thread. */
final class Script {

    static final int BIND = 1;
    static final int OPEN = 2;
    static final int DATA = 3;
    static final int END = 4;
    static final int RESULT = 5;
    static final int ERROR = 6;
    static final int CANCEL = 7;
    static final int WINDOW = 8;
    static final int CREDIT = 9;
    static final int GO_AWAY = 10;
    static final int TRAILERS = 11;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** @param how the first byte of the input */
    Script(int how) {
        bytes.write(how);
    }

    /** Adds a piece whose length is that of its body. */
    Script piece(int kind, int credits, int stream, int more, byte... body) {
        return lies(kind, credits, stream, body.length, more, body);
    }

    /** Adds a piece that may say another length. */
    Script lies(int kind, int credits, int stream, int length, int more, byte... body) {
        bytes.write(RpcHeader.BYTES + body.length);
        bytes.writeBytes(ByteBuffer.allocate(RpcHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                .putLong(StreamSessionFuzz.head(kind, credits, stream))
                .putLong(StreamSessionFuzz.lengths(length, more)).array());
        bytes.writeBytes(body);
        return this;
    }

    /** Opens a call of a method without arguments beside its stream. */
    Script open(int stream, int method) {
        byte[] open = StreamSessionFuzz.open(method);
        return piece(OPEN, 0, stream, open.length, open);
    }

    /** Has the handlers run of what came before. */
    Script turn() {
        for (int i = 0; i < StreamSessionFuzz.WINDOW; i++) {
            piece(CREDIT, 0, 0, 0);
        }
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
