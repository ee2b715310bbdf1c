package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * The bare limit of a call: one cache line goes to the other process and another comes back. Release stores, acquire
 * loads in a spin with {@link Thread#onSpinWait()}, two lines of one mapped file.
 */
public final class PingPong {

    private PingPong() {
    }

    /** Answers each ping by a pong of the same number. */
    public static final class Server implements ServerEnd {

        private volatile boolean running = true;
        private Thread thread;

        @Override
        public String start(Path directory, int clients) throws IOException {
            Path file = directory.resolve("lines");
            Lines lines = Lines.map(file, 0);
            thread = new Thread(() -> serve(lines), "ping-pong");
            thread.setDaemon(true);
            thread.start();
            return file.toString();
        }

        private void serve(Lines lines) {
            long number = 1;
            while (running) {
                if (lines.load(Lines.PING) == number) {
                    lines.publish(Lines.PONG, number);
                    number++;
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void close() {
            running = false;
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
