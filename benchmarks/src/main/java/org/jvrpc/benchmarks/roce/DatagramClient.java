package org.jvrpc.benchmarks.roce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** A ping-pong of small datagrams, or transfers by large ones. */
public final class DatagramClient implements ClientEnd {

    private final boolean stream;
    private DatagramChannel channel;
    private Transfer transfer;

    /** A client. @param stream true for transfers */
    public DatagramClient(boolean stream) {
        this.stream = stream;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        channel = Datagrams.open();
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)));
        transfer = new Transfer(channel);
        new Ping(channel).call(); // the server connects to who comes first, and forgets what came meanwhile
    }

    @Override
    public Operation operation(Workload workload) {
        return stream ? transfer : new Ping(channel); // the server counts on
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static final class Ping extends Operation {

        private final DatagramChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(Datagrams.SMALL);
        private long number;

        Ping(DatagramChannel channel) {
            this.channel = channel;
        }

        @Override
        public void call() throws IOException {
            buffer.putLong(0, ++number);
            Datagrams.write(channel, buffer, Datagrams.SMALL);
            int bytes = Datagrams.await(channel, buffer);
            if (bytes != Datagrams.SMALL || buffer.getLong(0) != number) {
                throw new IOException("answer bytes=" + bytes + " number=" + buffer.getLong(0) + " of " + number);
            }
        }
    }

    /** Sends a transfer; waits only for room in the window, so that transfers follow each other. */
    private static final class Transfer extends Operation {

        private final DatagramChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(Datagrams.LARGE);
        private final ByteBuffer in = ByteBuffer.allocateDirect(Datagrams.SMALL);
        private int sent;
        private int came;

        Transfer(DatagramChannel channel) {
            this.channel = channel;
        }

        @Override
        public void call() throws IOException {
            for (int i = 0; i < Datagrams.COUNT; i++) {
                while (sent - came >= Datagrams.WINDOW) {
                    Datagrams.await(channel, in);
                    came = in.getInt(0);
                }
                sent++;
                Datagrams.write(channel, out, Datagrams.LARGE);
            }
        }
    }
}
