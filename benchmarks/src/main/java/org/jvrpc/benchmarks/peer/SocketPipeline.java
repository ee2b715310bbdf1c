package org.jvrpc.benchmarks.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Frames of 8 bytes: as many as answers came are sent by the next write. */
final class SocketPipeline implements Pipeline {

    private static final int FRAME_BYTES = Frame.HEADER_BYTES + Long.BYTES;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(Frame.BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(Frame.BUFFER_BYTES);
    private long sent;
    private long answered;

    SocketPipeline(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public long run(int window, long endNs) throws IOException {
        long before = answered;
        send(window);
        while (answered < sent) {
            int answers = receive();
            if (answers > 0 && System.nanoTime() < endNs) {
                send(answers);
            }
        }
        return answered - before;
    }

    private void send(int count) throws IOException {
        out.clear();
        for (int i = 0; i < count; i++) {
            out.putInt(Long.BYTES).putLong(sent++);
        }
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    private int receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("server closed the connection");
        }
        in.flip();
        int count = 0;
        while (in.remaining() >= FRAME_BYTES) {
            if (in.getInt() != Long.BYTES || in.getLong() != answered) {
                throw new IOException("wrong answer to call=" + answered);
            }
            answered++;
            count++;
        }
        in.compact();
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
