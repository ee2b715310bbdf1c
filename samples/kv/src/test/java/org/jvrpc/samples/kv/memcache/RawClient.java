package org.jvrpc.samples.kv.memcache;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A socket whose bytes are looked at one by one. Waits 10 seconds at most. */
final class RawClient implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends a command, with the next "mn" behind it, and returns what came before the "MN". */
    String ask(String command) throws IOException {
        send(command + "mn\r\n");
        StringBuilder answer = new StringBuilder();
        for (String line = line(); !line.equals("MN\r\n"); line = line()) {
            answer.append(line);
        }
        return answer.toString();
    }

    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int b;
        do {
            b = in.read();
            if (b < 0) {
                throw new EOFException("closed after " + line);
            }
            line.append((char) b);
        } while (b != '\n');
        return line.toString();
    }

    byte[] read(int bytes) throws IOException {
        byte[] read = new byte[bytes];
        in.readFully(read);
        return read;
    }

    /** Returns a whole message of the binary protocol. */
    byte[] message() throws IOException {
        byte[] header = read(24);
        int body = java.nio.ByteBuffer.wrap(header).getInt(8);
        byte[] message = java.util.Arrays.copyOf(header, 24 + body);
        in.readFully(message, 24, body);
        return message;
    }

    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
