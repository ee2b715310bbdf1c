package org.jvrpc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process whose parent never waits for it: once it has ended, a zombie until it is closed. A shell starts it and then
 * becomes a program that knows nothing of children; a shell itself waits for a child as soon as that ends.
 */
public final class UnreapedChild implements AutoCloseable {

    private final Process parent;
    private final long pid;

    private UnreapedChild(Process parent, long pid) {
        this.parent = parent;
        this.pid = pid;
    }

    /** Starts one that lives until it is ended or closed. */
    public static UnreapedChild start() {
        Process parent = null;
        try {
            parent = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec sleep 1000").start();
            BufferedReader said = new BufferedReader(new InputStreamReader(parent.getInputStream()));
            UnreapedChild child = new UnreapedChild(parent, Long.parseLong(said.readLine()));
            child.awaitForgetfulParent();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (AssertionError | RuntimeException e) {
            parent.destroyForcibly();
            throw e;
        }
    }

    private void awaitForgetfulParent() {
        Path name = Path.of("/proc/" + parent.pid() + "/comm");
        Waits.until("the shell to become another program", () -> read(name).equals("sleep\n"), () -> read(name));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Returns its number. */
    public long pid() {
        return pid;
    }

    /** Kills it, and waits until it is a zombie. */
    public void end() {
        Processes.kill(pid);
        Path stat = Path.of("/proc/" + pid + "/stat");
        Waits.until("process " + pid + " to be a zombie", () -> read(stat).contains(") Z "), () -> read(stat));
    }

    /** Leaves nothing of it. */
    @Override
    public void close() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly); // a zombie takes it without harm
        parent.destroyForcibly();
    }
}
