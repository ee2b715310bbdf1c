package org.jvrpc.runtime.stream.piece;

import java.nio.ByteBuffer;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.service.Trailers;
import org.jvrpc.runtime.session.RpcHeader;

/** Bytes of what travels beside the end of a call. */
public final class Beside {

    private static final int FIRST_BYTES = 1 << 9;

    private Beside() {
    }

    /**
     * Returns both, one of which may be null, in memory of their own, up to the limit.
     *
     * @throws org.jvrpc.api.RpcException INVALID_ARGUMENT when that is more than may travel
     */
    public static ByteBuffer of(Metadata metadata, ErrorDetails details) {
        ByteBuffer[] bytes = {ByteBuffer.allocateDirect(FIRST_BYTES)};
        WireWriter out = new WireWriter();
        out.reset(bytes[0], 0, FIRST_BYTES, (full, needed) -> {
            bytes[0] = ByteBuffer.allocateDirect(Math.max(full.length() + needed, 2 * full.length()));
            full.moveTo(bytes[0], 0, bytes[0].capacity());
        }, null);
        Trailers.write(out, metadata, details);
        return bytes[0].limit(out.length());
    }

    /**
     * Reads both, which a peer wrote.
     *
     * @throws IllegalStateException when they are longer than may be
     * @throws org.jvrpc.api.RpcException INTERNAL when the bytes are none
     */
    public static Trailers read(ByteBuffer bytes, int offset, int length) {
        if (length > RpcHeader.MAX_EXTENSION) {
            throw new IllegalStateException("trailers are longer than the limit: bytes=" + length + " limit="
                    + RpcHeader.MAX_EXTENSION);
        }
        WireReader in = new WireReader();
        in.reset(bytes, offset, length, null);
        return Trailers.read(in);
    }
}
