package org.jvrpc.samples.quickstart.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A process of {@link MemberMain}. It ends when this process does, however that ends. One thread. */
final class Member implements AutoCloseable {

    private static final long END_SECONDS = 10;

    private final int number;
    private final Process process;
    private final BufferedReader output;
    private String ended = "still there";

    private Member(int number, Process process) {
        this.number = number;
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts one; {@link #awaitReady} waits until it serves. */
    static Member start(int number, String address, String target) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String name : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            if (name.startsWith("jvrpc.") && !name.startsWith("jvrpc.quickstart.")) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(List.of(MemberMain.class.getName(), Integer.toString(number), address, target));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return new Member(number, builder.start());
    }

    /** Returns where it serves. @throws IOException when it ended before, for which it has given the reason itself */
    String awaitReady() throws IOException {
        String line = output.readLine();
        if (line == null || !line.startsWith("ready ")) {
            throw new IOException(this + " did not start");
        }
        return line.substring("ready ".length());
    }

    int number() {
        return number;
    }

    long pid() {
        return process.pid();
    }

    /** Returns how it ended. */
    String ended() {
        return ended;
    }

    /** Kills the process, which has no time to say goodbye to anybody. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        ended = "killed";
    }

    /** Has the server drain, and waits until its process has ended. Returns what it says. */
    String drain() throws IOException, InterruptedException {
        OutputStream in = process.getOutputStream();
        in.write('\n');
        in.flush();
        String said = output.readLine();
        process.waitFor();
        ended = "drained";
        return said == null ? "ended without a word" : said;
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "server-" + number;
    }
}
