package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

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
    public static final class Client implements ClientEnd {

        private Lines lines;
        private long number;

        @Override
        public void connect(String address, int index) throws IOException {
            lines = Lines.map(Path.of(address), 0);
        }

        @Override
        public Operation operation(Workload workload) {
            Lines mapped = lines;
            return new Operation() {
                @Override
                public void call() {
                    long next = ++number;
                    mapped.publish(Lines.PING, next);
                    mapped.awaitValue(Lines.PONG, next);
                }
            };
        }

        @Override
        public void close() {
        }
    }
}
