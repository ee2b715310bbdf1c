package org.jvrpc.benchmarks.router;

import java.io.IOException;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Pinning;

/**
 * Who has which processor where there are fewer than threads that poll: left to the system, it is chance which of them
 * share one, and a call takes up to three times as long in one case as in another.
 */
public final class Placement {

    private static final int CLIENT_HOST = 0;
    private static final int SERVER_HOST = 1;

    private final Pinning pinning = new Pinning();
    private final boolean sharing;

    private Placement(int threads) {
        sharing = pinning.isPossible() && Runtime.getRuntime().availableProcessors() < threads;
    }

    /** Client, router and server of one host. */
    public static Placement ofOneHost() {
        return new Placement(3);
    }

    /** Client and server with a router each. */
    public static Placement ofTwoHosts() {
        return new Placement(4);
    }

    /** Returns true where threads are kept on processors. */
    public boolean isSharing() {
        return sharing;
    }

    /** Keeps both ends on the first processor, and what is between them on the second; a pair without that has both. */
    public void aroundTheThird(Pair pair) throws ContenderException {
        if (sharing && pair.third() != null) {
            pair.shareProcessors(pinning);
        }
    }

    /** Keeps each end on the processor of its host. */
    public void byHost(Pair pair) throws ContenderException {
        if (sharing) {
            pair.pin(pinning, CLIENT_HOST, SERVER_HOST);
        }
    }

    /** Keeps the calling thread, and those that it starts from now on, on the processor of a host. */
    void threadsOf(boolean server) throws IOException {
        if (sharing) {
            pinning.pinThread(server ? SERVER_HOST : CLIENT_HOST);
        }
    }
}
