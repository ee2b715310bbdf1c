package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of another program, under a shell that ends it when this process ends, however that happens: its input ends
 * then. When the server ends by itself, so does the shell.
 */
final class Attended implements AutoCloseable {

    private static final String SCRIPT = """
            exec 3<&0
            "$@" < /dev/null 2>&1 3<&- & server=$!
            echo "$server" >&2
            exec 2> /dev/null
            { read -r line <&3; kill "$server"; } & reader=$!
            wait "$server"
            kill "$reader"
            """;
    private static final long START_NS = 30_000_000_000L;
    private static final long LOOK_MS = 10;

    private final Process shell;
    private final long server;
    private final Path log;

    private Attended(Process shell, long server, Path log) {
        this.shell = shell;
        this.server = server;
        this.log = log;
    }

    /** Starts a command whose output goes to a file. */
    static Attended start(Path log, List<String> command) throws IOException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "attended"));
        line.addAll(command);
        Process shell = new ProcessBuilder(line).redirectOutput(log.toFile()).start();
        String server = shell.errorReader().readLine();
        try {
            return new Attended(shell, Long.parseLong(server), log);
        } catch (NumberFormatException e) {
            shell.destroy();
            throw new IOException("the shell says no process number: " + server, e);
        }
    }

    /** Waits until the output matches. @return the pattern's first group */
    String await(Pattern said) throws IOException {
        long endNs = System.nanoTime() + START_NS;
        while (System.nanoTime() < endNs) {
            boolean ended = !shell.isAlive(); // before the look at what it said
            String text = Files.readString(log);
            Matcher matcher = said.matcher(text);
            if (matcher.find()) {
                return matcher.group(1);
            }
            if (ended) {
                throw new IOException("the server ended: " + text);
            }
            pause();
        }
        throw new IOException("the server said nothing that matches " + said + ": " + Files.readString(log));
    }

    static void pause() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the process that the command became. */
    ProcessHandle process() {
        return ProcessHandle.of(server).filter(process -> shell.isAlive())
                .orElseThrow(() -> new IllegalStateException("the server has ended"));
    }

    @Override
    public void close() {
        try (OutputStream input = shell.getOutputStream()) {
            input.flush();
        } catch (IOException e) {
            shell.destroy(); // its end of the pipe is gone, and so is it
        }
        try {
            if (!shell.waitFor(10, TimeUnit.SECONDS)) {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
