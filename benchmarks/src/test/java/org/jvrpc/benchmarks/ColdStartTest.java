package org.jvrpc.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.benchmarks.harness.AotCaches;

final class ColdStartTest {

    @TempDir
    private Path folder;

    /** A JVM shares no classes of folders: these become jars. */
    private String classPath() throws Exception {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Files.isDirectory(Path.of(entry))) {
                entries.add(entry);
            } else if (!entry.endsWith("test-classes")) {
                Path jar = folder.resolve("folder" + entries.size() + ".jar");
                run(folder.resolve("jar.log"), "jar", "cf", jar.toString(), "-C", entry, ".");
                entries.add(jar.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String run(Path log, String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", program).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> output);
        return output;
    }

    @Test
    @Tag("slow")
    void aContenderWithAotCachesIsMeasuredOrLeftOutByName() throws Exception {
        String output = run(folder.resolve("bench.log"), "java", "-cp", classPath(), Bench.class.getName(),
                "warmup", "--quick", "--only", Contenders.AOT);

        String row = "\n" + Contenders.AOT + " ";
        assertEquals(AotCaches.arePossible(), output.contains(row), output);
        assertEquals(!AotCaches.arePossible(),
                output.contains("warmup: " + Contenders.AOT + " is left out, AOT caches with profiles need JDK 25"),
                output);
        assertTrue(output.contains("warmup: from the start of the client's process"), output);
    }
}
