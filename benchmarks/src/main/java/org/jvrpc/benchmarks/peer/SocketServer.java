package org.jvrpc.benchmarks.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.ServerEnd;

/**
 * Sends every frame back. Blocking: a thread for each connection, in {@code read}. Spinning: one thread that reads all
 * connections in turn without ever blocking.
 */
public final class SocketServer implements ServerEnd {

    private final SocketKind kind;
    private final boolean spinning;
    private volatile boolean running = true;

    /** A server of one kind. */
    public SocketServer(SocketKind kind, boolean spinning) {
        this.kind = kind;
        this.spinning = spinning;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        ServerSocketChannel listener = kind.bind(directory);
        String address = kind.text(listener.getLocalAddress());
        if (spinning) {
            listener.configureBlocking(false);
            start("spinner", () -> spin(listener));
        } else {
            start("acceptor", () -> accept(listener));
        }
        return address;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocketChannel listener) {
        try {
            while (running) {
                SocketChannel channel = listener.accept();
                kind.tune(channel);
                start("connection", () -> serve(new Connection(channel)));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void serve(Connection connection) {
        while (connection.serve() >= 0) {
            Thread.onSpinWait();
        }
    }

    private void spin(ServerSocketChannel listener) {
        List<Connection> connections = new ArrayList<>();
        int idle = 0;
        while (running) {
            int served = 0;
            for (int i = 0; i < connections.size(); i++) {
                int bytes = connections.get(i).serve();
                if (bytes < 0) {
                    connections.remove(i);
                }
                served += Math.max(0, bytes);
            }
            idle = served > 0 ? 0 : idle + 1;
            // Accepting is a system call of its own: only while nothing is to be read, and not each time.
            if (connections.isEmpty() || (idle & 0x3ff) == 0x3ff) {
                acceptOne(listener, connections);
            }
            Thread.onSpinWait();
        }
    }

    private void acceptOne(ServerSocketChannel listener, List<Connection> connections) {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                kind.tune(channel);
                channel.configureBlocking(false);
                connections.add(new Connection(channel));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void close() {
        running = false;
    }

    /** One connection and what was read from it. */
    private static final class Connection {

        private final SocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(Frame.BUFFER_BYTES);

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        /** Reads once and sends back the whole frames; returns the bytes read, -1 at the end. */
        int serve() {
            try {
                int read = channel.read(buffer);
                if (read > 0) {
                    sendBack();
                } else if (read < 0) {
                    channel.close();
                }
                return read;
            } catch (IOException e) {
                return -1;
            }
        }

        private void sendBack() throws IOException {
            int end = buffer.position();
            buffer.flip();
            int whole = Frame.wholeBytes(buffer);
            if (whole > 0) {
                buffer.limit(whole);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                buffer.limit(end);
                buffer.compact();
            } else {
                buffer.limit(buffer.capacity()).position(end);
            }
        }
    }
}
