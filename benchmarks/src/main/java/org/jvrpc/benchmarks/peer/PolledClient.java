package org.jvrpc.benchmarks.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.net.ssl.SSLEngine;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** Calls a {@link PolledServer}. */
public final class PolledClient implements ClientEnd {

    private final SocketKind kind;
    private final boolean spinning;
    private PolledChannel channel;

    /** @param spinning never sleeps */
    public PolledClient(SocketKind kind, boolean spinning) {
        this.kind = kind;
        this.spinning = spinning;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        int comma = address.indexOf(',');
        SSLEngine engine = null;
        if (comma > 0) {
            engine = TlsStore.in(Path.of(address.substring(comma + 1))).context().createSSLEngine("localhost", 0);
            engine.setUseClientMode(true);
        }
        channel = new PolledChannel(kind.connect(comma > 0 ? address.substring(0, comma) : address), engine, spinning);
    }

    @Override
    public Operation operation(Workload workload) {
        if (workload.kind() == Workload.Kind.RECORD) {
            throw workload.unsupported();
        }
        int size = workload.size();
        ByteBuffer out = ByteBuffer.allocateDirect(Frame.HEADER_BYTES + size).putInt(0, size);
        ByteBuffer in = ByteBuffer.allocateDirect(Frame.HEADER_BYTES + size);
        return new Operation() {
            @Override
            public void call() throws IOException {
                channel.write(out.clear());
                in.clear();
                while (in.hasRemaining()) {
                    if (channel.read(in) < 0) {
                        throw new EOFException("server closed the connection");
                    }
                }
                if (in.getInt(0) != size) {
                    throw new IOException("wrong answer length=" + in.getInt(0));
                }
            }
        };
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
