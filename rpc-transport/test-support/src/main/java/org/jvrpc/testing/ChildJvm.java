package org.jvrpc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A child process that says what it does by lines on its standard output, which is kept and shown when it does not do
 * what a test expects. It never outlives this JVM: it ends when its standard input does (see {@link JavaCommand}), a
 * stopped one is killed when this JVM exits.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Set<ProcessHandle> ALL = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALL.forEach(ProcessHandle::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final Lines output;
    private final Lines errors;

    ChildJvm(String name, Process process) {
        this.name = name + " " + process.pid();
        this.process = process;
        ALL.add(process.toHandle());
        output = new Lines("output of " + this.name, process.inputReader(StandardCharsets.UTF_8));
        errors = new Lines("errors of " + this.name, process.errorReader(StandardCharsets.UTF_8));
    }

    /** Starts any command as a child; it must end when its standard input does. */
    public static ChildJvm ofCommand(List<String> command) {
        return new ChildJvm(command.get(0), Processes.start(new ProcessBuilder(command).redirectErrorStream(true)));
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    public String expect(String begin) {
        return expect(begin, Duration.ofSeconds(60));
    }

    /** Waits for a line that begins so, longer than usual, and returns the rest of it. */
    public String expect(String begin, Duration limit) {
        long limitNs = Waits.scaled(limit);
        long startNs = System.nanoTime();
        String line = output.next(limitNs);
        while (line != null && !line.startsWith(begin)) {
            line = output.next(limitNs - (System.nanoTime() - startNs));
        }
        if (line == null) {
            throw new AssertionError(name + " did not say " + begin + (output.hasEnded() ? ", and ended its output"
                    : " within " + limitNs / 1_000_000_000 + " s") + "; " + this);
        }
        return line.substring(begin.length()).trim();
    }

    /** Waits for the next line, and returns it; null at the end of output. */
    public String line() {
        String line = output.next(Waits.scaled(Duration.ofSeconds(60)));
        if (line == null && !output.hasEnded()) {
            throw new AssertionError(name + " says nothing; " + this);
        }
        return line;
    }

    /** Forgets the lines that came so far: {@link #expect} waits for later ones. */
    public void forget() {
        output.skip();
    }

    /** Returns all lines that it has said so far. */
    public List<String> output() {
        return output.toList();
    }

    /** Returns all lines of its standard error, where that is apart. */
    public List<String> errors() {
        return errors.toList();
    }

    /** Tells it a line: {@link Parent#told}. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be told " + line, e);
        }
    }

    /** Ends its standard input, as the death of this process would. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns the process, for instance to ask for its children. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Returns true while it lives. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL, and waits until the process is gone; what it said before is there still. */
    public void kill() {
        process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its output here
        Processes.exitStatus(process, this + " after SIGKILL");
    }

    /** SIGTERM; does not wait. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** SIGSTOP, and waits until it stands still. */
    public void stop() {
        Processes.stop(pid());
    }

    /** SIGCONT. */
    public void resume() {
        Processes.resume(pid());
    }

    /** Waits for its end, and returns its exit status; all its output is there then. */
    public int exitStatus() {
        int status = Processes.exitStatus(process, toString());
        Waits.until("the end of output of " + name, () -> output.hasEnded() && errors.hasEnded(), this::toString);
        return status;
    }

    /** Waits for its end. @throws AssertionError unless its exit status is 0 */
    public void expectEnd() {
        if (exitStatus() != 0) {
            throw new AssertionError("not ended well: " + this);
        }
    }

    /** Kills it, and what it started. */
    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        kill();
        started.forEach(ProcessHandle::destroyForcibly);
        ALL.remove(process.toHandle());
    }

    /** Returns how it is and what it has said last. */
    @Override
    public String toString() {
        String apart = errors.toString();
        return name + (process.isAlive() ? " lives" : " ended with " + process.exitValue()) + ", it said:\n" + output
                + (apart.isEmpty() ? "" : "\nand on standard error:\n" + apart);
    }
}
