package org.jvrpc.samples.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that are told theirs: below those that the kernel gives to whoever wants any. */
public final class Ports {

    private static final int LOW = 12_000;
    private static final int HIGH = 30_000;
    private static final int TRIES = 1000;

    /** No port is given out twice: those of a server are free until it has started. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {
    }

    /** Returns a port at which nobody listens, not one of a row of some that were free before. */
    public static int free() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOW, HIGH);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress((InetAddress) null, port));
                if (GIVEN.add(port)) {
                    return port;
                }
            } catch (IOException e) {
                continue; // in use
            }
        }
        throw new IOException("no free port from " + LOW + " to " + HIGH);
    }
}
