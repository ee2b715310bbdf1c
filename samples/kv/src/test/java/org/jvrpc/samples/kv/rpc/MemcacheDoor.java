package org.jvrpc.samples.kv.rpc;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jvrpc.testing.history.Register;

/** By memcached's text protocol. */
final class MemcacheDoor extends Door {

    private static final int LIMIT_MS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    MemcacheDoor(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(LIMIT_MS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(String command, byte[] value) {
        try {
            byte[] line = bytes(command + "\r\n");
            socket.getOutputStream().write(value == null ? line : ByteBuffer.allocate(line.length + value.length + 2)
                    .put(line).put(value).put(bytes("\r\n")).array());
            return line();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed after " + line);
            }
            line.append((char) b);
        }
        return line.toString().trim();
    }

    @Override
    Object get(String key) {
        String[] words = ask("gets " + key, null).split(" ");
        if (words[0].equals("END")) {
            return Register.ABSENT;
        }
        try {
            byte[] value = new byte[Integer.parseInt(words[3])];
            in.readFully(value);
            if (!line().isEmpty() || !line().equals("END")) {
                throw new AssertionError("no END");
            }
            return found(key, value, Long.parseLong(words[4]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object store(String how, String key, long number, String version) {
        byte[] value = value(number);
        return answer(ask(how + " " + key + " 0 0 " + value.length + version, value));
    }

    @Override
    Object set(String key, long number) {
        return store("set", key, number, "");
    }

    @Override
    Object add(String key, long number) {
        return store("add", key, number, "");
    }

    @Override
    Object swap(String key, long version, long number) {
        return store("cas", key, number, " " + version);
    }

    @Override
    Object delete(String key) {
        return answer(ask("delete " + key, null));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
