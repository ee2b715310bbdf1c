package org.jvrpc.softrnic.router.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;

/** Reads frames from a non-blocking channel, piece by piece; takes no byte past a frame. One thread. */
public final class FrameReader {

    /** As most frames need; a router has one of these for each device. */
    private static final int FIRST_BYTES = 512;

    private ByteBuffer bytes = allocate(FIRST_BYTES);
    private int body = -1;

    private static ByteBuffer allocate(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes one that waits for a header. */
    public FrameReader() {
        bytes.limit(ControlFrame.HEADER);
    }

    /**
     * Returns the next frame, or null when more must come.
     *
     * @throws EOFException when the other side has closed
     * @throws FrameException when what came is no frame
     */
    public ControlFrame read(ReadableByteChannel from) throws IOException {
        while (true) {
            if (bytes.hasRemaining()) {
                int count = from.read(bytes);
                if (count < 0) {
                    throw new EOFException("the other side closed, bytes of a frame that is not whole="
                            + bytes.position());
                }
                if (bytes.hasRemaining()) {
                    return null;
                }
            }
            if (body < 0) {
                body = ControlFrame.length(bytes);
                if (body > bytes.capacity() - ControlFrame.HEADER) {
                    bytes = allocate(ControlFrame.HEADER + ControlFrame.MAX_BODY).put(bytes.flip());
                }
                bytes.limit(ControlFrame.HEADER + body);
            } else {
                ControlFrame frame = ControlFrame.decode(bytes, body);
                body = -1;
                bytes.clear().limit(ControlFrame.HEADER);
                return frame;
            }
        }
    }
}
