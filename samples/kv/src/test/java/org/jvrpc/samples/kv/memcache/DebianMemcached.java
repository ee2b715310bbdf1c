package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of Debian's packages memcached and libmemcached-tools; a test without them is skipped and says so. */
final class DebianMemcached implements AutoCloseable {

    final int port;
    private final Process process;

    private DebianMemcached(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /** Returns the path of a program, or skips the test. */
    static String program(String name, String debianPackage) {
        for (String folder : System.getenv("PATH").split(":")) {
            Path path = Path.of(folder, name);
            if (Files.isExecutable(path)) {
                return path.toString();
            }
        }
        assumeTrue(false, "no " + name + " on PATH: install Debian's package " + debianPackage);
        return null;
    }

    static DebianMemcached start() throws IOException, InterruptedException {
        String program = program("memcached", "memcached");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(List.of(
                program, "-l", "127.0.0.1", "-p", Integer.toString(port), "-U", "0", "-t", "1",
                // A thread that holds items for a moment would have numbers change in another way then.
                "-o", "no_lru_maintainer,no_lru_crawler"));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "root"));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        DebianMemcached memcached = new DebianMemcached(port, process);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return memcached;
            } catch (IOException e) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    memcached.close();
                    throw e;
                }
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
