package org.jvrpc.samples.kv.memcache;

import java.nio.file.Path;

/**
 * How the server listens.
 *
 * @param host the address, such as 127.0.0.1
 * @param port of TCP; 0 takes a free one, -1 none
 * @param unixSocket where to listen on a Unix-domain socket, or null
 * @param threads event loops
 * @param maxConnections of all kinds together; more are told so and closed
 * @param bufferBytes memory for long values on their way in or out, of all connections together
 */
public record ServerSettings(
        String host, int port, Path unixSocket, int threads, int maxConnections, long bufferBytes) {

    /** Checks. @throws IllegalArgumentException which names the value that is wrong */
    public ServerSettings {
        require(port >= -1 && port <= 65_535, "port=" + port + ": 0 to 65535, or -1 for none");
        require(port >= 0 || unixSocket != null, "port=-1 and no Unix-domain socket: nowhere to listen");
        require(threads >= 1 && threads <= 256, "threads=" + threads + ": 1 to 256");
        require(maxConnections >= 1, "maxConnections=" + maxConnections + ": at least 1");
        require(bufferBytes >= 2L * BufferPool.LARGEST,
                "bufferBytes=" + bufferBytes + ": at least " + 2L * BufferPool.LARGEST);
    }

    /** Returns settings for a port of the loopback address, everything else by default. */
    public static ServerSettings ofPort(int port) {
        return new ServerSettings("127.0.0.1", port, null, defaultThreads(), 1024, 128L << 20);
    }

    /** Returns as many event loops as there are cores, up to four. */
    public static int defaultThreads() {
        return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
