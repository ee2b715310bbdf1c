package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class CommandsTest {

    private static final class End implements ClientEnd {

        @Override
        public void connect(String address, int index) {
        }

        @Override
        public Operation operation(Workload workload) {
            if (workload.size() == 13) {
                throw new IllegalStateException("two\nlines", new ArithmeticException("below"));
            }
            return new Operation() {
                @Override
                public void call() {
                }
            };
        }

        @Override
        public Pipeline pipeline() {
            return (window, endNs) -> window;
        }

        @Override
        public void close() {
        }
    }

    private final Commands commands = new Commands(new End(), "address",
            new PrintStream(OutputStream.nullOutputStream()));

    @Test
    void shouldAnswerALatencyCommandByAHistogram() throws DataFormatException {
        String answer = commands.execute("latency null 0 3600000000000 50");
        assertTrue(answer.startsWith("OK "), answer);
        byte[] bytes = Base64.getDecoder().decode(answer.substring(3));
        assertEquals(50, Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 1).getTotalCount());
    }

    @Test
    void shouldCountWhatCallsAllocate() {
        String answer = commands.execute("allocated null 20000");
        assertTrue(answer.startsWith("OK "), answer);
        assertTrue(Long.parseLong(answer.substring(3)) < 20_000, answer);
    }

    @Test
    void shouldAddUpTheRatesOfThreads() {
        String answer = commands.execute("pipeline 3 1000 0");
        assertTrue(answer.startsWith("OK "), answer);
        assertTrue(Double.parseDouble(answer.substring(3)) > 0, answer);
    }

    @Test
    void shouldReportAFailureWithItsCausesInOneLine() {
        assertEquals("FAIL java.lang.IllegalStateException: two lines, caused by java.lang.ArithmeticException: below",
                commands.execute("latency echo:13 0 0 1"));
    }

    @Test
    void shouldReportAnUnknownCommand() {
        assertEquals("FAIL java.lang.IllegalArgumentException: unknown command=dance", commands.execute("dance"));
    }
}
