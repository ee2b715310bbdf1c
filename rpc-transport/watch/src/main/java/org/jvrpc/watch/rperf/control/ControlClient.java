package org.jvrpc.watch.rperf.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;

/** Drives one agent. One thread. Each call waits for the agent's answer for {@value #ANSWER_MS} ms at most. */
public final class ControlClient implements AutoCloseable {

    private static final int CONNECT_MS = 5_000;
    /** It may connect dozens of QPs before it answers. */
    private static final int ANSWER_MS = 30_000;
    private static final int MOST_TEXT = 1000;

    private final Socket socket;
    private final SealedLines lines;
    private final String name;
    private LoadPattern pattern;
    private boolean answered;

    private ControlClient(Socket socket, SealedLines lines, String name) {
        this.socket = socket;
        this.lines = lines;
        this.name = name;
    }

    /** Connects. @throws IOException when nobody answers, or somebody else */
    public static ControlClient connect(String host, int port, ProbeKeys keys) throws IOException {
        String name = host + ":" + port;
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
            socket.setTcpNoDelay(true);
            SealedLines lines = new SealedLines(socket, keys, false, System::nanoTime);
            lines.within(ANSWER_MS);
            lines.greet();
            return new ControlClient(socket, lines, name);
        } catch (IOException e) {
            socket.close();
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /** Returns host and port. */
    public String name() {
        return name;
    }

    /** Returns the address of the device that others measure to; null for none. */
    public String device() throws IOException {
        return Fields.parse(ask("info", "ok")).text("device", MOST_TEXT);
    }

    /** Has it connect. @throws IOException when it cannot, with its words */
    public void prepare(Order order) throws IOException {
        pattern = order.pattern();
        expectLevels(name, order, ask("prepare " + order.fields(), "ok"));
    }

    /** An agent repeats the service levels; one that knows none would measure without a word. */
    static void expectLevels(String name, Order order, String answer) throws IOException {
        String levels = order.levelWords();
        if (levels != null && !answer.equals(new Fields().put("sl", levels).toString())) {
            throw new IOException(name + ": its version of jvrpc rperf knows no service levels, sl=" + levels);
        }
    }

    public void start() throws IOException {
        ask("start", "ok");
    }

    /** Has it post nothing more. */
    public void stop() throws IOException {
        ask("stop", "ok");
    }

    /** Returns the result, or null while it measures. */
    public RperfResult result() throws IOException {
        String answer = ask("result", null);
        if (answer.startsWith("running ")) {
            return null;
        }
        if (!answer.startsWith("done ")) {
            throw new IOException(name + ": not an answer: " + cut(answer));
        }
        try {
            return ResultFields.read(Fields.parse(answer.substring("done ".length())), name, pattern);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException(name + ": its result makes no sense: " + e.getMessage(), e);
        }
    }

    private String ask(String command, String expected) throws IOException {
        String answer;
        try {
            lines.write(command);
            lines.within(ANSWER_MS);
            answer = lines.read();
        } catch (IOException e) {
            throw new IOException(name + ": " + e.getMessage()
                    + (answered ? "" : ": have both sides the same --key-file?"), e);
        }
        answered = true;
        try {
            if (answer.startsWith("error ")) {
                throw new IOException(name + ": "
                        + Fields.parse(answer.substring("error ".length())).text("why", MOST_TEXT));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": not an answer: " + cut(answer), e);
        }
        if (expected == null) {
            return answer;
        }
        if (!answer.equals(expected) && !answer.startsWith(expected + " ")) {
            throw new IOException(name + ": not an answer: " + cut(answer));
        }
        return answer.substring(Math.min(answer.length(), expected.length() + 1));
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MOST_TEXT));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
