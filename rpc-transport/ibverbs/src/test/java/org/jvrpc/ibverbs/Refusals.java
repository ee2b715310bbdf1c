package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.ibverbs.RefusalMain.Wish;

/** Runs {@link RefusalMain} and returns what it printed. */
final class Refusals {

    private static final int SECONDS = 60;

    private Refusals() {
    }

    /**
     * Runs it.
     *
     * @param before a command that runs what follows it
     */
    static String ask(List<String> before, Wish wish, String... options) throws Exception {
        Path output = Files.createTempFile("jvrpc-refusal", ".txt");
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                RefusalMain.class.getName(), wish.name()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS),
                    () -> command + " did not end within seconds=" + SECONDS);
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }

    static boolean has(String program) {
        return new File("/usr/bin", program).canExecute() || new File("/bin", program).canExecute();
    }
}
