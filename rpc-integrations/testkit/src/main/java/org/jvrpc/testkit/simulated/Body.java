package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireWriter;

/** Memory that grows with what is written. One thread. */
final class Body {

    private static final int FIRST_BYTES = 256;
    private static final int MOST_BYTES = 1 << 24;

    private final WireWriter writer = new WireWriter();

    Body() {
        writer.reset(ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN), 0, FIRST_BYTES, Body::grow,
                NoGraphs.INSTANCE);
    }

    private static void grow(WireWriter writer, int needed) {
        long bytes = (long) writer.length() + needed;
        if (bytes > MOST_BYTES) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "a simulated message has up to " + MOST_BYTES
                    + " bytes, bytes=" + bytes);
        }
        int room = Integer.highestOneBit((int) bytes) << 1;
        writer.moveTo(ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN), 0, room);
    }

    WireWriter writer() {
        return writer;
    }

    /** Writes what another has. */
    void append(Body other) {
        writer.writeRaw(other.writer.buffer(), other.writer.start(), other.writer.length());
    }

    /** Returns what was written. */
    ByteBuffer bytes() {
        ByteBuffer copy = ByteBuffer.allocate(writer.length()).order(ByteOrder.LITTLE_ENDIAN);
        return copy.put(0, writer.buffer(), writer.start(), writer.length());
    }
}
