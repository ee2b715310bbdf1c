package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sources in C that come with the benchmarks, compiled when they are needed. */
public final class CLoop {

    private static final int COMPILE_LIMIT_S = 120;

    private CLoop() {
    }

    /**
     * Compiles the SEND ping-pong.
     *
     * @return the command, to which an end's arguments are added
     * @throws IOException when there is no compiler, or no libibverbs to compile against
     */
    public static List<String> pingPong(Path folder) throws IOException {
        Path program = compile(folder, "pingpong", "-O2", "-libverbs", "-lpthread");
        return List.of(program.toString(), Link.SERVER.device(), Link.CLIENT.device(),
                Integer.toString(Link.GID_INDEX));
    }

    /**
     * Compiles a source of this package with gcc.
     *
     * @param name of the source, without {@code .c}
     * @throws IOException with the compiler's words when it fails
     */
    public static Path compile(Path folder, String name, String... options) throws IOException {
        Path source = folder.resolve(name + ".c");
        try (InputStream text = CLoop.class.getResourceAsStream(name + ".c")) {
            Files.copy(text, source);
        }
        Path program = folder.resolve(name + ".out");
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(
                List.of("gcc", "-std=gnu11", "-o", program.toString(), source.toString()));
        command.addAll(List.of(options));
        Process gcc;
        try {
            gcc = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        } catch (IOException e) {
            throw new IOException("no gcc to compile " + name + ".c: install gcc and libibverbs-dev", e);
        }
        try {
            if (!gcc.waitFor(COMPILE_LIMIT_S, TimeUnit.SECONDS)) {
                gcc.destroyForcibly();
                throw new IOException("gcc took more than " + COMPILE_LIMIT_S + " s for " + name + ".c");
            }
        } catch (InterruptedException e) {
            gcc.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + ".c was compiled", e);
        }
        if (gcc.exitValue() != 0) {
            throw new IOException("gcc failed for " + name + ".c: " + Files.readString(log));
        }
        return program;
    }
}
