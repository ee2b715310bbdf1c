package org.jvrpc.benchmarks.peer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.rdma.Link;

/**
 * Calls over {@link Socket} and its streams, as they are commonly written by hand: a method number and a length there,
 * a status and a length back, payloads behind; buffered, flushed once a message, without delay of small segments. A
 * thread for each connection. Over the veth pair of the RDMA devices.
 */
public final class StreamServer implements ServerEnd {

    static final int NOTHING = 1;
    static final int OK = 0;
    static final int UNKNOWN_METHOD = 1;

    private ServerSocket listener;

    @Override
    public String start(Path directory, int clients) throws IOException {
        listener = new ServerSocket(0, 16, InetAddress.getByName(Link.SERVER.address()));
        run("acceptor", this::accept);
        return Integer.toString(listener.getLocalPort());
    }

    private static void run(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                run("connection", () -> serve(socket));
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                e.printStackTrace();
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            while (true) {
                int method = in.readInt();
                in.skipNBytes(in.readInt());
                out.writeInt(method == NOTHING ? OK : UNKNOWN_METHOD);
                out.writeInt(0);
                out.flush();
            }
        } catch (EOFException e) {
            // The client has ended.
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
