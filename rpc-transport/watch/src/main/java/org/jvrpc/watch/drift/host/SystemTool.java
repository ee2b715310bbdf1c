package org.jvrpc.watch.drift.host;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tools of this host. Each has five seconds; 64 KiB of what it prints are read. */
final class SystemTool implements Tool {

    private static final int SECONDS = 5;
    private static final int MOST_BYTES = 64 << 10;

    @Override
    public String run(List<String> words) throws IOException {
        Path printed = Files.createTempFile("jvrpc-tool", ".txt");
        try {
            Process process = new ProcessBuilder(words).redirectErrorStream(true)
                    .redirectInput(new File("/dev/null")).redirectOutput(printed.toFile()).start();
            int code = end(process, words.get(0));
            String text;
            try (InputStream in = Files.newInputStream(printed)) {
                text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
            }
            if (code != 0) {
                throw new IOException(words.get(0) + ": "
                        + (text.isEmpty() ? "exit code " + code : text.lines().findFirst().orElse("")));
            }
            return text;
        } finally {
            Files.delete(printed);
        }
    }

    private static int end(Process process, String name) throws IOException {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + " did not end in " + SECONDS + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " was interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
