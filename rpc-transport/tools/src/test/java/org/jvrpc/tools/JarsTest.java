package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published, as jars: the build runs this once more when they are made. */
class JarsTest {

    private static String bundle() {
        String bundle = System.getProperty("jvrpc.bundle");
        assumeTrue(bundle != null, "no jars yet: run by the build's execution \"jars\"");
        return bundle;
    }

    private static List<File> jars() {
        String[] entries = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator);
        return Stream.concat(Arrays.stream(entries), Stream.of(bundle())).map(File::new)
                .filter(file -> file.getName().startsWith("jvrpc-") && file.getName().endsWith(".jar")).toList();
    }

    @Test
    void everyJarHasAModuleNameAndTheLicence() throws IOException {
        List<File> jars = jars();
        assertTrue(jars.size() >= 6, jars.toString());
        for (File file : jars) {
            try (JarFile jar = new JarFile(file)) {
                String name = jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
                assertAll(
                        () -> assertNotNull(name, file + " has no Automatic-Module-Name"),
                        () -> assertTrue(name.matches("org\\.jvrpc\\.[a-z0-9.]+"), file + ": " + name),
                        () -> assertNotNull(jar.getEntry("META-INF/LICENSE"), file + " has no META-INF/LICENSE"));
            }
        }
    }

    @Test
    void theBundleAloneIsTheCommand(@TempDir Path folder) throws Exception {
        Process doctor = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar", bundle(), "doctor", "--json").directory(folder.toFile()).redirectErrorStream(true).start();
        doctor.getOutputStream().close();
        String out = new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(doctor.waitFor(60, TimeUnit.SECONDS), out);
        assertEquals(0, doctor.exitValue(), out);
        assertTrue(out.contains("\"shm\":true"), out);
    }
}
