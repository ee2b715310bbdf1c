package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of the command, unpacked, as hosts without Maven have it. */
class ArchiveTest {

    @TempDir
    private Path folder;
    private Path home;

    /** A command that has ended: its exit status, and what it said. */
    private record Ended(int status, String said) {
    }

    private Ended run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(100, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(String.join(" ", command) + " does not end");
        }
        return new Ended(process.exitValue(), Files.readString(folder.resolve("said"), StandardCharsets.UTF_8));
    }

    @BeforeEach
    void unpack() throws Exception {
        String archive = System.getProperty("jvrpc.archive");
        assumeTrue(archive != null, "no archive yet: run by the build's execution \"archive\"");
        assertEquals(0, run("tar", "-xzf", archive).status());
        try (Stream<Path> made = Files.list(folder)) {
            home = made.filter(path -> path.getFileName().toString().startsWith("jvrpc-")).findFirst().orElseThrow();
        }
    }

    @Test
    void itRunsByALinkAndWithoutMaven() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("jvrpc"), home.resolve("bin/jvrpc"));
        Ended doctor = run(link.toString(), "doctor", "--json");
        assertEquals(0, doctor.status(), doctor.said());
        assertTrue(doctor.said().contains("\"shm\":true"), doctor.said());
        Ended version = run(link.toString(), "--version");
        assertEquals(home.getFileName().toString(), version.said().trim().replace(' ', '-'));
        Ended nobody = run(link.toString(), "list", "shm://nobody-is-there");
        assertEquals(3, nobody.status(), nobody.said());
    }

    @Test
    void bashCompletesByItsFile() throws Exception {
        Ended bash = run("bash", "-c", "source " + home.resolve("completion/jvrpc") + " && complete -p jvrpc");
        assertEquals(0, bash.status(), bash.said());
    }

    @Test
    void whatOthersWroteIsNamed() throws IOException {
        String named = Files.readString(home.resolve("THIRD-PARTY.md"));
        assertTrue(Files.readString(home.resolve("LICENSE")).contains("Apache License"));
        List<String> unnamed;
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            unnamed = jars.map(jar -> jar.getFileName().toString())
                    .filter(name -> name.endsWith(".jar") && !name.startsWith("jvrpc-"))
                    .map(name -> name.replaceFirst("-[0-9].*", ""))
                    .filter(name -> !named.contains("`" + name + "`")
                            && !named.contains("`" + name.replaceFirst("-.*", "-") + "…`")
                            && !named.contains("`" + name.replaceFirst("(-[a-z]+)-.*", "$1") + "…`")
                            && !named.contains("`" + name + "…`"))
                    .sorted().toList();
        }
        assertEquals(List.of(), unnamed, "not in .config/THIRD-PARTY.md");
    }

    @Test
    void anArchiveUnpackedOverAnOlderOneIsRefusedWithItsJars() throws Exception {
        Files.writeString(home.resolve("lib/jvrpc-runtime-0.0.1.jar"), "old");
        Ended list = run(home.resolve("bin/jvrpc").toString(), "list", "shm://nobody");
        assertEquals(1, list.status(), list.said());
        assertTrue(list.said().contains("jvrpc-runtime-0.0.1.jar"), list.said());
    }
}
