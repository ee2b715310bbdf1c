package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
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

    /** Fills the data with the number of the ping. Idle in the plain variant. */
    public static final class Server extends LineServer {

        private final boolean cross;

        /** The server of the plain or the cross variant. */
        public Server(boolean cross) {
            super(MAX_BYTES);
            this.cross = cross;
        }

        @Override
        public String start(Path directory, int clients) throws IOException {
            return cross ? super.start(directory, clients) : directory.resolve("lines").toString();
        }

        @Override
        void work(Lines lines, long number) {
            int size = (int) lines.load(Lines.SIZE);
            for (int i = 0; i < size; i += Long.BYTES) {
                lines.buffer().putLong(Lines.DATA + i, number);
            }
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
