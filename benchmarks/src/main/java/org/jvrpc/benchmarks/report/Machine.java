package org.jvrpc.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What figures were measured on. */
public final class Machine {

    private Machine() {
    }

    /** Returns JDK, processor, cores and system in one line. */
    public static String describe() {
        return "JDK " + Runtime.version() + " (" + System.getProperty("java.vm.name") + "), " + processor() + ", "
                + Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + ' '
                + System.getProperty("os.version") + ' ' + System.getProperty("os.arch") + "; " + Processors.describe();
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .orElse("processor unknown");
        } catch (IOException e) {
            return "processor unknown";
        }
    }
}
