package org.jvrpc.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of the run. Commands go down its standard input, one line each; one line comes back for each. */
public final class Child implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(180);
    private static final int LOG_TAIL = 12;
    private static final String ENDED = "ENDED";

    private final String name;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Path log;
    private final Warden warden;
    private String greeting = "";
    private double cpuSeconds;
    private boolean stopped;
    private boolean closed;

    private Child(String name, Process process, Path log, Warden warden) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.log = log;
        this.warden = warden;
    }

    static Child start(String name, List<String> command, Path log, Warden warden) throws ContenderException {
        try {
            Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
            warden.watch(process.pid());
            Child child = new Child(name, process, log, warden);
            Thread reader = new Thread(child::readAnswers, name + " answers");
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw new ContenderException(name + ": cannot start a JVM: " + e.getMessage());
        }
    }

    private void readAnswers() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String line = reader.readLine();
            while (line != null) {
                answers.add(line);
                line = reader.readLine();
            }
        } catch (IOException e) {
            answers.add("FAIL cannot read from the process: " + e.getMessage());
        }
        answers.add(ENDED);
    }

    void awaitReady() throws ContenderException {
        greeting = answer(START_LIMIT);
    }

    /** Returns what the process said when it was ready. */
    public String greeting() {
        return greeting;
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns the CPU time that it has used; at its end, what it had used when last asked. */
    double cpuSeconds() {
        try {
            cpuSeconds = CpuTime.ofProcess(process.pid());
        } catch (IOException e) {
            // It has ended, and its time cannot be read any more.
        }
        return cpuSeconds;
    }

    /** Sends a command without waiting for its answer. */
    public void send(String command) throws ContenderException {
        try {
            commands.write(command + '\n');
            commands.flush();
        } catch (IOException e) {
            throw failure("the process takes no commands: " + e.getMessage());
        }
    }

    /** Waits for the answer to the oldest command not yet answered. */
    public String answer(Duration limit) throws ContenderException {
        String line;
        try {
            line = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted");
        }
        if (line == null) {
            throw failure("no answer within " + limit.toSeconds() + " s");
        }
        if (line.equals(ENDED)) {
            throw failure("the process ended" + (process.isAlive() ? "" : ", exit code " + process.exitValue()));
        }
        if (line.startsWith("OK")) {
            return line.substring(2).trim();
        }
        throw failure(line.startsWith("FAIL ") ? line.substring(5) : "unexpected answer: " + line);
    }

    /** Sends a command and waits for its answer. */
    public String ask(String command, Duration limit) throws ContenderException {
        send(command);
        return answer(limit);
    }

    private ContenderException failure(String what) {
        return new ContenderException(name + ": " + what + logTail());
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            List<String> tail = lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size());
            return tail.isEmpty() ? "" : "\n      " + String.join("\n      ", tail);
        } catch (IOException e) {
            return "";
        }
    }

    /** Stops the process where it is. */
    public void stop() {
        if (!stopped && process.isAlive()) {
            warden.stop(process.pid());
            stopped = true;
        }
    }

    /** Returns true from {@link #stop} to {@link #resume}. */
    boolean isStopped() {
        return stopped;
    }

    /** Lets a stopped process go on. */
    public void resume() {
        if (stopped) {
            warden.resume(process.pid());
            stopped = false;
        }
    }

    /** Kills the process where it is, and returns when it is dead. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        closed = true;
        warden.forget(process.pid());
        try {
            commands.close();
        } catch (IOException e) {
            closed = true; // what was not flushed has nobody to read it
        }
    }

    /** Ends the process's input, and returns when it has ended by itself, which may take it as long as the limit. */
    void awaitEnd(Duration limit) throws ContenderException {
        try {
            commands.close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failure("the process did not end within " + limit.toSeconds() + " s");
            }
        } catch (IOException e) {
            throw failure("the process takes no commands: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted");
        }
        if (process.exitValue() != 0) {
            throw failure("exit code " + process.exitValue());
        }
    }

    /** Ends the process: it ends by itself when its input ends, and is killed if it does not. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        cpuSeconds();
        resume();
        try {
            commands.close();
            if (!process.waitFor(3, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        warden.forget(process.pid());
    }
}
