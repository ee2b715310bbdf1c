package org.jvrpc.watch.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.TreeMap;

/** A connection of bytes as they are typed: clients that a library does not let one be. */
final class Wire implements AutoCloseable {

    private static final int LIMIT_MS = 60_000;

    /** What came back; names of headers in small letters. */
    record Answer(int status, TreeMap<String, String> headers, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String header(String name) {
            return headers.get(name);
        }
    }

    private final Socket socket = new Socket();

    Wire(InetSocketAddress to) throws IOException {
        socket.connect(to, LIMIT_MS);
        socket.setSoTimeout(LIMIT_MS);
    }

    /** Asks with a right Host header, and others as given: lines that end with \r\n. */
    static Answer get(WatchServer server, String target, String headers) throws IOException {
        try (Wire wire = new Wire(server.address())) {
            return wire.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n").receive();
        }
    }

    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Answer receive() throws IOException {
        InputStream in = socket.getInputStream();
        String line = line(in);
        int status = Integer.parseInt(line.split(" ")[1]);
        TreeMap<String, String> headers = new TreeMap<>();
        while (!(line = line(in)).isEmpty()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Answer(status, headers, in.readNBytes(length));
    }

    /** Returns a byte, or -1 when the peer has closed, whether or not it had read all. */
    int read() throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("closed behind " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
