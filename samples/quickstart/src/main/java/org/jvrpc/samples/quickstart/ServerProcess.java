package org.jvrpc.samples.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jvrpc.runtime.IdleStrategy;

/**
 * The server in a process of its own, started by the client's. It ends when its standard input does, that is also when
 * this process is killed. Any thread.
 */
final class ServerProcess implements AutoCloseable {

    private static final long END_SECONDS = 8;
    /** A JVM that writes an AOT cache does so when it ends. */
    private static final long END_OF_REHEARSAL_SECONDS = 60;

    private final Process process;
    private final BufferedReader output;
    private String address;

    /** The process ended before it served; it has said why on stderr. */
    static final class NotStartedException extends IOException {

        private static final long serialVersionUID = 1L;

        private final int exitCode;

        NotStartedException(int exitCode) {
            super("the server did not start, exit code " + exitCode);
            this.exitCode = exitCode;
        }

        int exitCode() {
            return exitCode;
        }
    }

    private ServerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param address null for any that is free
     * @throws NotStartedException when it ends before
     */
    static ServerProcess start(String address, IdleStrategy idle) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(address, idle));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        ServerProcess server = new ServerProcess(builder.start());
        try {
            server.address = server.output.readLine();
        } finally {
            if (server.address == null) {
                server.close();
            }
        }
        if (server.address == null) {
            throw new NotStartedException(server.process.exitValue());
        }
        return server;
    }

    /** The same Java with the same settings of jvRPC. */
    private static List<String> command(String address, IdleStrategy idle) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String name : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            if (name.startsWith("jvrpc.")) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(AotCache.serverFlags());
        command.addAll(List.of(Quickstart.class.getName(), "server", "--with-parent",
                "--idle=" + Options.nameOf(idle)));
        if (address != null) {
            command.add("--address=" + address);
        }
        return command;
    }

    /** Returns where it serves. */
    String address() {
        return address;
    }

    /** Returns the number of the process. */
    long pid() {
        return process.pid();
    }

    /** Returns null while it lives, then how it ended. */
    String ended() {
        return process.isAlive() ? null : "server process " + pid() + " ended, exit code " + process.exitValue();
    }

    /** Asks the process to end, and waits until it has. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            long seconds = AotCache.isRehearsal() ? END_OF_REHEARSAL_SECONDS : END_SECONDS;
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException | InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
