package org.jvrpc.router.ctl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** What both sides of a socket do; each wait has an end. One thread. */
final class Talk implements AutoCloseable {

    private static final long MS = 1_000_000;

    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer chunk = ByteBuffer.allocate(4096);

    /** @param socket is closed with this */
    Talk(SocketChannel socket) throws IOException {
        this.socket = socket;
        socket.configureBlocking(false);
        this.selector = Selector.open();
        this.key = socket.register(selector, 0);
    }

    /** Reads to the end of a line, or to the end. @throws IOException when that is too long, or comes too late */
    String read(boolean line, int most, long patienceMs) throws IOException {
        long endNs = System.nanoTime() + patienceMs * MS;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            chunk.clear();
            int count = receive(line || all.size() == 0);
            if (count > 0) {
                all.write(chunk.array(), 0, count);
            }
            String text = all.toString(StandardCharsets.UTF_8);
            int end = line ? text.indexOf('\n') : -1;
            if (end >= 0 || count < 0) {
                return end >= 0 ? text.substring(0, end) : text;
            }
            if (all.size() > most) {
                throw new IOException("more than bytes=" + most + " came");
            }
            if (count == 0) {
                await(SelectionKey.OP_READ, endNs, patienceMs);
            }
        }
    }

    /** Who ends without having read all resets the connection: what it said before counts. */
    private int receive(boolean strict) throws IOException {
        try {
            return socket.read(chunk);
        } catch (IOException e) {
            if (strict) {
                throw e;
            }
            return -1;
        }
    }

    /** Returns false when the other side has gone. */
    boolean isThere() {
        try {
            chunk.clear();
            return socket.read(chunk) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    void write(String text, long patienceMs) throws IOException {
        long endNs = System.nanoTime() + patienceMs * MS;
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            if (socket.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, endNs, patienceMs);
            }
        }
    }

    private void await(int what, long endNs, long patienceMs) throws IOException {
        long leftMs = (endNs - System.nanoTime()) / MS;
        if (leftMs <= 0 || Thread.currentThread().isInterrupted()) {
            throw new SocketTimeoutException("the other side said nothing for ms=" + patienceMs);
        }
        key.interestOps(what);
        selector.selectedKeys().clear();
        selector.select(leftMs);
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            socket.close();
        }
    }
}
