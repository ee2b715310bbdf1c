package org.jvrpc.benchmarks.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * Calls a {@link SocketServer}. Blocking: in {@code read}. Spinning: reads without blocking until the answer is there.
 */
public final class SocketClient implements ClientEnd {

    private final SocketKind kind;
    private final boolean spinning;
    private String address;
    private SocketChannel channel;

    /** A client of one kind. */
    public SocketClient(SocketKind kind, boolean spinning) {
        this.kind = kind;
        this.spinning = spinning;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        this.address = address;
        this.channel = open(address);
    }

    private SocketChannel open(String address) throws IOException {
        SocketChannel opened = kind.connect(address);
        opened.configureBlocking(!spinning);
        return opened;
    }

    @Override
    public Operation operation(Workload workload) {
        if (workload.kind() == Workload.Kind.RECORD) {
            throw workload.unsupported();
        }
        return new Echo(channel, workload.size());
    }

    @Override
    public Pipeline pipeline() throws IOException {
        return new SocketPipeline(open(address));
    }

    @Override
    public Operation connecting(String address) {
        return new Operation() {
            private SocketChannel opened;

            @Override
            public void call() throws IOException {
                opened = open(address);
                new Echo(opened, 0).call();
            }

            @Override
            public void after() throws IOException {
                opened.close();
            }
        };
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** One frame there and back. */
    private static final class Echo extends Operation {

        private final SocketChannel channel;
        private final ByteBuffer out;
        private final ByteBuffer in;
        private final int frameBytes;

        Echo(SocketChannel channel, int size) {
            this.channel = channel;
            this.frameBytes = Frame.HEADER_BYTES + size;
            this.out = ByteBuffer.allocateDirect(frameBytes);
            this.in = ByteBuffer.allocateDirect(frameBytes);
            out.putInt(0, size);
        }

        @Override
        public void call() throws IOException {
            out.clear();
            do {
                channel.write(out);
            } while (out.hasRemaining());
            in.clear();
            do {
                if (channel.read(in) < 0) {
                    throw new EOFException("server closed the connection");
                }
            } while (in.hasRemaining());
            if (in.getInt(0) != frameBytes - Frame.HEADER_BYTES) {
                throw new IOException("wrong answer length=" + in.getInt(0));
            }
        }
    }
}
