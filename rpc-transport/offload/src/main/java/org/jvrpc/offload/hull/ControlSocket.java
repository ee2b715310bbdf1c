package org.jvrpc.offload.hull;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Lines over a Unix-domain socket; blocking. One thread reads, one thread writes, any thread closes. */
final class ControlSocket implements AutoCloseable {

    private final SocketChannel socket;
    private final int maxLine;
    private ByteBuffer read = ByteBuffer.allocate(1024).limit(0);

    /** @param maxLine the longest line that is read, in bytes */
    ControlSocket(SocketChannel socket, int maxLine) {
        this.socket = socket;
        this.maxLine = maxLine;
    }

    static ControlSocket connect(Path path, int maxLine) throws IOException {
        return new ControlSocket(SocketChannel.open(UnixDomainSocketAddress.of(path)), maxLine);
    }

    /** Waits for a line; null when the other side has closed. @throws IOException also for one that is too long */
    String readLine() throws IOException {
        int scanned = 0;
        while (true) {
            for (; scanned < read.remaining(); scanned++) {
                if (read.get(read.position() + scanned) == '\n') {
                    byte[] line = new byte[scanned];
                    read.get(line).get();
                    return new String(line, StandardCharsets.UTF_8);
                }
            }
            if (scanned > maxLine) {
                throw new IOException("line is longer than bytes=" + maxLine);
            }
            if (!readMore()) {
                return null;
            }
        }
    }

    private boolean readMore() throws IOException {
        read.compact();
        if (!read.hasRemaining()) {
            read = ByteBuffer.allocate(read.capacity() * 2).put(read.flip());
        }
        int count = socket.read(read);
        read.flip();
        return count >= 0;
    }

    void writeLine(String line) throws IOException {
        ByteBuffer out = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (out.hasRemaining()) {
            socket.write(out);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(ControlSocket.class.getName()).log(System.Logger.Level.DEBUG, "closing: " + e);
        }
    }
}
