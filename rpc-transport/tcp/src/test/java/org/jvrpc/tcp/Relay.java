package org.jvrpc.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Stands between clients and a server, and keeps what the last client says and is told. */
final class Relay implements AutoCloseable {

    private final ServerSocket listener;
    private final String server;
    private final List<Socket> sockets = new ArrayList<>();
    private ByteArrayOutputStream said = new ByteArrayOutputStream();
    private ByteArrayOutputStream told = new ByteArrayOutputStream();

    /** @param server whose address has a port of this host */
    Relay(String server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the server's address, by way of this. */
    String address() {
        return server.replaceFirst("127.0.0.1:\\d+", "127.0.0.1:" + listener.getLocalPort());
    }

    /** Returns what the last client has said so far. */
    synchronized byte[] said() {
        return said.toByteArray();
    }

    /** Returns what the last client was told so far. */
    synchronized byte[] told() {
        return told.toByteArray();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket behind = new Socket("127.0.0.1", Integer.parseInt(server.replaceFirst(
                        ".*127.0.0.1:(\\d+).*", "$1")));
                synchronized (this) {
                    sockets.add(client);
                    sockets.add(behind);
                    said = new ByteArrayOutputStream();
                    told = new ByteArrayOutputStream();
                    ByteArrayOutputStream there = said;
                    ByteArrayOutputStream back = told;
                    start(() -> carry(client, behind, there));
                    start(() -> carry(behind, client, back));
                }
            }
        } catch (IOException e) {
            return; // the end of the test
        }
    }

    private void carry(Socket from, Socket to, ByteArrayOutputStream kept) {
        byte[] some = new byte[1 << 14];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                synchronized (this) {
                    kept.write(some, 0, count);
                }
                out.write(some, 0, count);
            }
        } catch (IOException e) {
            return; // one of the two went
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            synchronized (this) {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
