package org.jvrpc.benchmarks.peer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.rdma.Link;

/** Calls a {@link StreamServer}. */
public final class StreamClient implements ClientEnd {

    private Socket socket;

    @Override
    public void connect(String address, int index) throws IOException {
        socket = new Socket(Link.SERVER.address(), Integer.parseInt(address),
                InetAddress.getByName(Link.CLIENT.address()), 0);
        socket.setTcpNoDelay(true);
    }

    @Override
    public Operation operation(Workload workload) throws IOException {
        if (workload.kind() != Workload.Kind.NULL) {
            throw workload.unsupported();
        }
        return new Nothing(socket);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static final class Nothing extends Operation {

        private final DataInputStream in;
        private final DataOutputStream out;

        Nothing(Socket socket) throws IOException {
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        }

        @Override
        public void call() throws IOException {
            out.writeInt(StreamServer.NOTHING);
            out.writeInt(0);
            out.flush();
            int status = in.readInt();
            in.skipNBytes(in.readInt());
            if (status != StreamServer.OK) {
                throw new IOException("wrong answer status=" + status);
            }
        }
    }
}
