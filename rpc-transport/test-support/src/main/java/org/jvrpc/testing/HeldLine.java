package org.jvrpc.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A line to a port of this host, which holds back what comes while it is held: neither side sees its end, as where a
 * network is parted. Any thread.
 */
public final class HeldLine implements AutoCloseable {

    private static final int BYTES = 8192;

    private final ServerSocket front;
    private final int behind;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean held;
    private boolean closed;

    /** Begins to take users. @param behind port of this host that they reach */
    public HeldLine(int behind) throws IOException {
        this.behind = behind;
        this.front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Returns where its users connect to. */
    public String address() {
        return "127.0.0.1:" + front.getLocalPort();
    }

    /** Passes nothing on from now on. */
    public synchronized void hold() {
        held = true;
    }

    /** Passes on what came meanwhile, and what comes. */
    public synchronized void release() {
        held = false;
        notifyAll();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "test-line");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = front.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), behind);
                sockets.add(near);
                sockets.add(far);
                start(() -> pass(near, far));
                start(() -> pass(far, near));
            }
        } catch (IOException e) {
            close(); // closed, or nobody is there: users see the end
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[BYTES];
        try (from; to) {
            for (int count = from.getInputStream().read(bytes); count >= 0;
                    count = from.getInputStream().read(bytes)) {
                awaitRelease();
                to.getOutputStream().write(bytes, 0, count);
            }
        } catch (IOException | InterruptedException e) {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized void awaitRelease() throws InterruptedException {
        while (held && !closed) {
            wait();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            front.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
