package org.jvrpc.benchmarks.roce;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** Sends each small datagram back; of large ones it says how many came. Reads in a spin. For one client. */
public final class DatagramServer implements ServerEnd {

    private volatile boolean running = true;
    private DatagramChannel channel;

    @Override
    public String start(Path directory, int clients) throws IOException {
        channel = Datagrams.open();
        Thread thread = new Thread(this::serve, "datagrams");
        thread.setDaemon(true);
        thread.start();
        return Integer.toString(Datagrams.port(channel));
    }

    private void serve() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Datagrams.LARGE);
        try {
            InetSocketAddress client;
            while ((client = (InetSocketAddress) channel.receive(buffer)) == null) {
                if (!running) {
                    return;
                }
                Thread.onSpinWait();
            }
            channel.connect(client);
            answer(buffer, buffer.position());
        } catch (IOException e) {
            if (running) {
                e.printStackTrace();
            }
        }
    }

    private void answer(ByteBuffer buffer, int first) throws IOException {
        int large = 0;
        int bytes = first;
        while (running) {
            if (bytes > 0 && bytes <= Datagrams.SMALL) {
                Datagrams.write(channel, buffer, bytes);
            } else if (bytes > 0 && ++large % Datagrams.BATCH == 0) {
                buffer.putInt(0, large);
                Datagrams.write(channel, buffer, Integer.BYTES);
            }
            buffer.clear();
            bytes = channel.read(buffer);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        running = false;
        channel.close();
    }
}
