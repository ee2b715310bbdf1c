package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;

/**
 * Bytes a second of long WRITEs from one device to another, both in this process with a polling thread each, while
 * packets are lost. Settings are system properties that devices read when they are opened.
 */
public final class Goodput {

    private static final int UNDER_WAY = 2;

    private final int bytes;
    private volatile boolean running = true;

    /** @param bytes of each WRITE */
    public Goodput(int bytes) {
        this.bytes = bytes;
    }

    /**
     * Measures.
     *
     * @param settings properties for the time of it
     * @return bytes a second of the WRITEs that were completed; those of the first third of the time do not count
     */
    public double measure(String device, Map<String, String> settings, long limitNs) throws IOException {
        settings.forEach(System::setProperty);
        try (VerbsEnd left = new VerbsEnd(device, bytes); VerbsEnd right = new VerbsEnd(device, bytes)) {
            link(left, right);
            Thread receiver = new Thread(() -> look(right), "receiver");
            receiver.start();
            try {
                return write(left, limitNs);
            } finally {
                running = false;
                join(receiver);
            }
        } finally {
            settings.keySet().forEach(System::clearProperty);
        }
    }

    private static void link(VerbsEnd left, VerbsEnd right) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket one = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket other = listener.accept()) {
            CompletableFuture<Void> peer = CompletableFuture.runAsync(() -> {
                try {
                    right.connect(other);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            left.connect(one);
            peer.join();
        }
    }

    private void look(VerbsEnd end) {
        while (running) {
            end.look();
        }
    }

    private double write(VerbsEnd end, long limitNs) {
        PostSend write = end.qp.prepareSend(
                SendRequest.write(0, end.remoteAddress, end.rkey, end.out(bytes)).signalled());
        for (int i = 0; i < UNDER_WAY; i++) {
            VerbsEnd.accepted(write.execute());
        }
        long startNs = System.nanoTime();
        long countedNs = startNs + limitNs / 3;
        long count = 0;
        long nowNs;
        while ((nowNs = System.nanoTime()) - startNs < limitNs) {
            if (end.isReaped()) {
                count += nowNs - countedNs >= 0 ? 1 : 0;
                VerbsEnd.accepted(write.execute());
            }
        }
        return (double) count * bytes * 1e9 / (nowNs - countedNs);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
