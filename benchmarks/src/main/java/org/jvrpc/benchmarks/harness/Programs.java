package org.jvrpc.benchmarks.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/** Programs that are installed on this machine. */
public final class Programs {

    private Programs() {
    }

    /** Returns the path of a program, or null when it is not installed. */
    public static String find(String program) {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "/usr/bin:/bin" : path).split(":")) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, program);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return null;
    }
}
