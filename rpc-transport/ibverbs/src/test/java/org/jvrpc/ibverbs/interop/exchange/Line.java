package org.jvrpc.ibverbs.interop.exchange;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jvrpc.verbs.contract.Deadline;

/** The TCP connection by which two programs tell each other where their QPs are. Every wait is bounded. */
public final class Line implements Talk, AutoCloseable {

    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    private Line(Socket socket) throws IOException {
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Listens; a port of 0 takes a free one. */
    public static ServerSocket listen(String host) {
        try {
            ServerSocket server = new ServerSocket(0, 8, InetAddress.getByName(host));
            server.setSoTimeout(TIMEOUT_MS);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Line accept(ServerSocket server) {
        try {
            return new Line(server.accept());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects from one address to another, once the tool listens there. */
    public static Line connect(String from, String to, int port, Tool tool) {
        Deadline deadline = Deadline.usual();
        while (true) {
            Socket socket = new Socket();
            try {
                socket.bind(new InetSocketAddress(from, 0));
                socket.connect(new InetSocketAddress(to, port), TIMEOUT_MS);
                return new Line(socket);
            } catch (ConnectException e) {
                if (!tool.runsOn()) {
                    throw new AssertionError("nobody listens: " + tool);
                }
                deadline.turn(tool::toString);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns a port that is free now. */
    public static int freePort() {
        try (ServerSocket server = listen("0.0.0.0")) {
            return server.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public byte[] read(int bytes) {
        byte[] read = new byte[bytes];
        try {
            in.readFully(read);
        } catch (IOException e) {
            throw new UncheckedIOException("expected bytes=" + bytes, e);
        }
        return read;
    }

    @Override
    public void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
