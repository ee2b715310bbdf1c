package org.jvrpc.tools.top;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The terminal that the command has to itself: another screen, keys without a line's end, no cursor. It is as it was
 * once this is closed, and when the process ends by a signal. One thread, and the one that ends the process.
 */
final class Terminal implements AutoCloseable {

    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String OWN_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final long STTY_SECONDS = 5;
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;

    private final PrintWriter out;
    private final InputStream in;
    private final String before;
    private final Thread atEnd = new Thread(this::restore, "jvrpc-terminal");
    private boolean restored;

    private Terminal(PrintWriter out, InputStream in, String before) {
        this.out = out;
        this.in = in;
        this.before = before;
    }

    /** Takes it; null where there is none, or it can do nothing but print lines. */
    static Terminal open(PrintWriter out, InputStream in) {
        String kind = System.getenv("TERM");
        String before = kind == null || kind.equals("dumb") || !isTerminal() ? null : stty("-g");
        if (before == null || stty("-icanon", "-echo", "min", "0", "time", "0") == null) {
            return null;
        }
        Terminal terminal = new Terminal(out, in, before.trim());
        Runtime.getRuntime().addShutdownHook(terminal.atEnd);
        out.print(OTHER_SCREEN);
        out.flush();
        return terminal;
    }

    /** Returns true where both keys and lines are a terminal's; the JDK says it differently from version to version. */
    private static boolean isTerminal() {
        return run(new ProcessBuilder("sh", "-c", "test -t 0 && test -t 1").redirectInput(Redirect.INHERIT)
                .redirectOutput(Redirect.INHERIT)) != null;
    }

    /** Runs stty on the terminal; null when it fails. */
    private static String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command).redirectInput(new File("/dev/tty")));
    }

    /** Returns what a command said; null when it fails. */
    private static String run(ProcessBuilder command) {
        try {
            Process process = command.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 ? said : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns rows and columns, of a terminal that does not say 24 and 80. */
    int[] size() {
        String said = stty("size");
        try {
            String[] both = said == null ? new String[0] : said.trim().split(" ");
            int rows = Integer.parseInt(both[0]); // 0 of one that does not know
            int columns = Integer.parseInt(both[1]);
            return new int[] {rows > 0 ? rows : ROWS, columns > 0 ? columns : COLUMNS};
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            return new int[] {ROWS, COLUMNS};
        }
    }

    /** Returns a key that was pressed, or -1. @throws InterruptedIOException when the thread is interrupted */
    int key() throws IOException {
        if (Thread.interrupted()) {
            throw new InterruptedIOException("interrupted while waiting for a key");
        }
        return in.available() > 0 ? in.read() : -1;
    }

    /** Shows lines, as many and as much of them as there is room for. */
    void show(List<String> lines) {
        int[] size = size();
        StringBuilder screen = new StringBuilder("\u001b[H");
        for (int i = 0; i < Math.min(lines.size(), size[0]); i++) {
            String line = lines.get(i);
            screen.append(i > 0 ? "\r\n" : "").append(line, 0, Math.min(line.length(), size[1])).append("\u001b[K");
        }
        print(screen.append("\u001b[J"));
    }

    private synchronized void print(CharSequence screen) {
        if (!restored) {
            out.print(screen);
            out.flush();
        }
    }

    private synchronized void restore() {
        if (!restored) {
            restored = true;
            out.print(OWN_SCREEN);
            out.flush();
            stty(before);
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // the process ends, which does the same
        }
    }
}
