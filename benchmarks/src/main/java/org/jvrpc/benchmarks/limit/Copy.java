package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * One core's copy bandwidth, as the time of {@code ByteBuffer.put} between two mapped buffers. The plain variant copies
 * what lies in the core's own caches; the cross variant copies what the other process wrote just before, as a receiver
 * must. Only the copy is timed.
 */
public final class Copy {

    private static final int MAX_BYTES = 1 << 20;

    private Copy() {
    }

    /** Fills the data with the number of the ping, then answers. Idle in the plain variant. */
    public static final class Server implements ServerEnd {

        private final boolean cross;
        private volatile boolean running = true;

        /** The server of the plain or the cross variant. */
        public Server(boolean cross) {
            this.cross = cross;
        }

        @Override
        public String start(Path directory, int clients) throws IOException {
            Path file = directory.resolve("lines");
            Lines lines = Lines.map(file, MAX_BYTES);
            if (cross) {
                Thread thread = new Thread(() -> serve(lines), "copy");
                thread.setDaemon(true);
                thread.start();
            }
            return file.toString();
        }

        private void serve(Lines lines) {
            long number = 1;
            while (running) {
                if (lines.load(Lines.PING) == number) {
                    int size = (int) lines.load(Lines.SIZE);
                    for (int i = 0; i < size; i += Long.BYTES) {
                        lines.buffer().putLong(Lines.DATA + i, number);
                    }
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

    /** Copies. */
    public static final class Client implements ClientEnd {

        private final boolean cross;
        private Lines lines;
        private ByteBuffer target;
        private long number;

        /** The client of the plain or the cross variant. */
        public Client(boolean cross) {
            this.cross = cross;
        }

        @Override
        public void connect(String address, int index) throws IOException {
            lines = Lines.map(Path.of(address), MAX_BYTES);
            target = Lines.map(Path.of(address + ".copy"), MAX_BYTES).buffer();
        }

        @Override
        public Operation operation(Workload workload) {
            int size = workload.size();
            return new Operation() {
                @Override
                public void before() {
                    if (cross) {
                        long next = ++number;
                        lines.publish(Lines.SIZE, size);
                        lines.publish(Lines.PING, next);
                        lines.awaitValue(Lines.PONG, next);
                    }
                }

                @Override
                public void call() {
                    target.put(Lines.DATA, lines.buffer(), Lines.DATA, size);
                }
            };
        }

        @Override
        public void close() {
        }
    }
}
