package org.jvrpc.samples.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The main class in a process of its own, ended with the test whatever happens. It meets others in a folder of the
 * test, so that what killed processes leave there goes with the test.
 */
final class Program implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private Program(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static Program start(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if ("1".equals(System.getenv("JVRPC_VM"))) {
            command.add("-XX:TieredStopAtLevel=1"); // as .ci/vm/suite has it
        }
        command.add("-Djvrpc.shm.dir=" + folder);
        command.add(Quickstart.class.getName());
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile(folder.getParent(), "quickstart", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return new Program(builder.start(), errors);
    }

    /** Asks the process to end, as Ctrl-C does. By its handle: {@code Process.destroy} would close its output here. */
    void terminate() {
        process.toHandle().destroy();
    }

    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Returns the next line of output, null at the end. */
    String line() throws IOException {
        return output.readLine();
    }

    /** Returns the rest of the output, once the process has ended it. */
    String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + process.pid() + " still runs");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
