package org.jvrpc.watch.rperf.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;

/**
 * What comes over rperf's control connections: {@code how:8 | more:8 | bytes}. With how 0 the bytes are what an agent
 * reads: without the key, none of it is a line. With 1 they are a text that a driver says, of which the byte at
 * {@code more} is then changed on its way: the agent reads that text or none. With 2 they are an order, with 3 a
 * result, without a seal: what is taken is the same when it is written and read again.
 */
final class ControlLinesFuzz {

    private static final ProbeKeys KEYS = ProbeKeys.of(7, new byte[ProbeKeys.LEAST_BYTES]);
    private static final LoadPattern PATTERN = LoadPattern.ofBytes(64);

    private ControlLinesFuzz() {
    }

    /** A connection from an array to another. */
    private static final class Pipe extends Socket {

        private final InputStream in;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Pipe(byte[] in) {
            this.in = new ByteArrayInputStream(in);
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }

        @Override
        public void setSoTimeout(int ms) {
            // an array has all its bytes
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length < 2) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 2, input.length);
        String text = new String(bytes, StandardCharsets.US_ASCII);
        switch (input[0] & 3) {
            case 0 -> FuzzCheck.that(read(bytes) == null, "nobody sealed it");
            case 1 -> said(text, input[1] & 0xff);
            case 2 -> order(text);
            default -> result(text);
        }
    }

    private static SealedLines lines(Pipe pipe, boolean agent) throws IOException {
        SealedLines lines = new SealedLines(pipe, KEYS, agent, () -> 0);
        lines.nonces("00 11");
        lines.within(1);
        return lines;
    }

    /** Returns what an agent reads, or null. */
    private static String read(byte[] bytes) {
        try (Pipe pipe = new Pipe(bytes)) {
            return lines(pipe, true).read();
        } catch (IOException e) {
            return null;
        }
    }

    private static void said(String text, int at) throws IOException {
        if (text.indexOf('\n') >= 0 || !text.chars().allMatch(c -> c < 0x80)) {
            return; // no driver says so
        }
        byte[] line;
        try (Pipe pipe = new Pipe(new byte[0])) {
            lines(pipe, false).write(text);
            line = pipe.out.toByteArray();
        }
        String read = read(line);
        boolean fits = line.length - 1 <= SealedLines.COMMAND_BYTES;
        FuzzCheck.that(fits ? text.equals(read) : read == null, "said " + text + ", read " + read);
        line[(line.length - 2) * at / 255] ^= 1;
        read = read(line);
        FuzzCheck.that(read == null || text.equals(read), "said " + text + ", read " + read);
    }

    private static void order(String text) {
        Order order;
        try {
            order = Order.of(same(Fields.parse(text)));
        } catch (IllegalArgumentException e) {
            return;
        }
        FuzzCheck.that(order.equals(Order.of(Fields.parse(order.fields().toString()))), order);
    }

    private static Fields same(Fields fields) {
        String written = fields.toString();
        FuzzCheck.that(written.equals(Fields.parse(written).toString()), written);
        return fields;
    }

    private static void result(String text) {
        RperfResult result;
        try {
            result = ResultFields.read(same(Fields.parse(text)), "a", PATTERN);
        } catch (IllegalArgumentException | ArithmeticException e) { // as a driver expects
            return;
        }
        FuzzCheck.that(result.seconds() >= 0 && result.pairs() >= 0 && result.distribution().total() >= 0, result);
        String written = ResultFields.write(result).toString();
        RperfResult again = ResultFields.read(Fields.parse(written), "a", PATTERN);
        FuzzCheck.that(written.equals(ResultFields.write(again).toString()), written);
    }
}
