package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * The bare limit of a long echo: the client copies its payload into shared memory, the server copies it from there to
 * where answers lie, the client copies it out. Three copies, two of them of bytes that the other process has just
 * written, and a ping-pong around them. Turn by turn another piece of the memory is used: what lies in the other
 * core's cache of level 2 takes several times as long to write.
 */
public final class CopyEcho {

    private static final int AREA_BYTES = 2 << 20;
    private static final int ANSWER = Lines.DATA + AREA_BYTES;

    private CopyEcho() {
    }

    /** Returns where in its area a payload lies. */
    private static int piece(long number, int size) {
        return (int) (number % (AREA_BYTES / size)) * size;
    }

    /** Copies each payload to where answers lie. */
    public static final class Server extends LineServer {

        /** The server. */
        public Server() {
            super(2 * AREA_BYTES);
        }

        @Override
        void work(Lines lines, long number) {
            int size = (int) lines.load(Lines.SIZE);
            int at = piece(number, size);
            lines.buffer().put(ANSWER + at, lines.buffer(), Lines.DATA + at, size);
        }
    }

    /** Sends payloads. */
    public static final class Client implements ClientEnd {

        private Lines lines;
        private long number;

        @Override
        public void connect(String address, int index) throws IOException {
            lines = Lines.map(Path.of(address), 2 * AREA_BYTES);
        }

        @Override
        public Operation operation(Workload workload) {
            return new Echo(workload.size());
        }

        @Override
        public void close() {
        }

        private final class Echo extends Operation {

            private final int size;
            private final ByteBuffer payload;
            private final ByteBuffer answer;

            Echo(int size) {
                this.size = size;
                this.payload = ByteBuffer.allocateDirect(size);
                this.answer = ByteBuffer.allocateDirect(size);
            }

            @Override
            public void before() {
                payload.put(size - 1, (byte) (payload.get(size - 1) + 1));
                lines.publish(Lines.SIZE, size);
            }

            @Override
            public void call() {
                long next = ++number;
                int at = piece(next, size);
                lines.buffer().put(Lines.DATA + at, payload, 0, size);
                lines.publish(Lines.PING, next);
                lines.awaitValue(Lines.PONG, next);
                answer.put(0, lines.buffer(), ANSWER + at, size);
            }

            @Override
            public void after() {
                if (answer.get(size - 1) != payload.get(size - 1)) {
                    throw new IllegalStateException("wrong answer: " + answer.get(size - 1));
                }
            }
        }
    }
}
