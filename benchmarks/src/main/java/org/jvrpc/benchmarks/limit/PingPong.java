package org.jvrpc.benchmarks.limit;

/**
 * The bare limit of a call: one cache line goes to the other process and another comes back. Release stores, acquire
 * loads in a spin with {@link Thread#onSpinWait()}, two lines of one mapped file.
 */
public final class PingPong {

    private PingPong() {
    }

    /** Answers each ping by a pong of the same number. */
    public static final class Server extends LineServer {

        /** The server. */
        public Server() {
            super(0);
        }

        @Override
        void work(Lines lines, long number) {
            // nothing: this is the limit
        }
    }

    /** Sends pings. */
    public static final class Client extends LineClient {

        @Override
        void await(Lines mapped, long value) {
            mapped.awaitValue(Lines.PONG, value);
        }
    }
}
