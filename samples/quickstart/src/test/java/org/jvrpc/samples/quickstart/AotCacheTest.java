package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.SharedMemoryFolder;

/** The script's AOT caches: made once, used, and ignored with one line where they are no good. */
final class AotCacheTest {

    /** Rehearses where need be, runs both halves, and prints what the script {@code run} would. */
    private static final String SCRIPT = """
            set -euo pipefail
            command=quickstart
            . ./aot.sh
            aot_caches "$AOT"
            mapfile -t flags < <(aot_flags client)
            export JVRPC_QUICKSTART_SERVER_JVM="$(aot_flags server)"
            exec "$java" ${flags[@]+"${flags[@]}"} org.jvrpc.samples.quickstart.Quickstart --seconds 1
            """;
    private static final long LIMIT_S = 180;

    @TempDir
    private Path folder;
    /** Of JVMs, in the environment. */
    private String options;

    /** How a run ended. */
    private record Ended(int status, String output, List<String> errors) {
    }

    /** A JVM shares no classes of folders: these become jars. */
    private String classPath() throws Exception {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Files.isDirectory(Path.of(entry))) {
                entries.add(entry);
            } else if (!entry.endsWith("test-classes")) {
                Path jar = folder.resolve("folder" + entries.size() + ".jar");
                if (!Files.exists(jar)) {
                    Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jar").toString(),
                            "cf", jar.toString(), "-C", entry, ".").inheritIO().start();
                    assertEquals(0, process.waitFor());
                }
                entries.add(jar.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private Ended run(String classPath) throws Exception {
        return run(classPath, 1);
    }

    private Ended run(String classPath, int rehearsalSeconds) throws Exception {
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", SCRIPT).redirectError(errors.toFile());
        builder.environment().put("java", Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment().put("CLASSPATH", classPath);
        builder.environment().put("AOT", folder.resolve("aot").toString());
        builder.environment().put("JVRPC_QUICKSTART_REHEARSAL", Integer.toString(rehearsalSeconds));
        String shared = System.getProperty(SharedMemoryFolder.PROPERTY);
        if (shared != null) {
            builder.environment().put("JDK_JAVA_OPTIONS", "-D" + SharedMemoryFolder.PROPERTY + "=" + shared);
        }
        if (options != null) {
            builder.environment().put("_JAVA_OPTIONS", options);
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS), "it does not end");
        return new Ended(process.exitValue(), output, Files.readAllLines(errors).stream()
                .filter(line -> !line.contains("Picked up") && !line.isBlank()).toList());
    }

    private List<Path> caches() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("aot"))) {
            return files.filter(file -> file.toString().endsWith(".aot")).sorted().toList();
        }
    }

    private static void assertFine(Ended run) {
        assertEquals(0, run.status(), run::toString);
        assertTrue(run.output().startsWith("Server: process "), run::toString);
        assertTrue(run.output().contains("Every answer was checked, none was wrong."), run::toString);
    }

    private static void assertRehearses(Ended run) {
        assertEquals(List.of("quickstart: rehearsing for 1 s, once (JVRPC_QUICKSTART_REHEARSAL=0: without)"),
                run.errors());
    }

    private static void assumeCaches() {
        assumeTrue(Runtime.version().feature() >= 25, "AOT caches with profiles need JDK 25");
    }

    @Test
    @Tag("slow")
    void aRehearsalMakesCachesOnceForABuild() throws Exception {
        assumeCaches();
        String classPath = classPath();
        Ended first = run(classPath);
        assertFine(first);
        assertRehearses(first);
        assertEquals(2, caches().size());

        Ended second = run(classPath);
        assertFine(second);
        assertEquals(List.of(), second.errors());

        List<Path> before = caches();
        Ended other = run(classPath + File.pathSeparator + another());
        assertFine(other);
        assertEquals(1, other.errors().size(), other::toString);
        assertTrue(other.errors().get(0).contains("AOT caches of another build, JDK or class path are ignored"),
                other::toString);
        assertEquals(2, caches().size());
        assertTrue(before.stream().noneMatch(Files::exists), before::toString);
    }

    private Path another() throws IOException {
        Path jar = folder.resolve("another.jar");
        Files.copy(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar")).map(Path::of).findFirst().orElseThrow(), jar);
        return jar;
    }

    @Test
    @Tag("slow")
    void aCacheThatIsNoGoodIsIgnoredWithOneLine() throws Exception {
        assumeCaches();
        String classPath = classPath();
        assertFine(run(classPath));
        Path client = caches().get(0);
        Path server = caches().get(1);
        byte[] whole = Files.readAllBytes(client);

        try (FileChannel file = FileChannel.open(client, StandardOpenOption.WRITE)) {
            file.truncate(whole.length / 2);
        }
        assertIgnored(client, run(classPath));

        byte[] foreign = whole.clone();
        byte[] vm = "Server VM (".getBytes(StandardCharsets.US_ASCII);
        foreign[indexOf(foreign, vm) + vm.length] ^= 1; // the version
        Files.write(client, foreign);
        assertIgnored(client, run(classPath));

        byte[] wrong = whole.clone();
        wrong[wrong.length / 2] ^= 1;
        Files.write(client, wrong);
        assertIgnored(client, run(classPath));

        Files.write(client, whole);
        Files.write(server, new byte[0]);
        assertIgnored(server, run(classPath));

        Files.delete(server);
        Ended anew = run(classPath);
        assertFine(anew);
        assertRehearses(anew);
        assertEquals(List.of(), run(classPath).errors());
    }

    private static void assertIgnored(Path cache, Ended run) {
        assertFine(run);
        assertEquals(List.of(AotCache.complaint(cache.toString(), "mixed mode")), run.errors());
    }

    private static int indexOf(byte[] bytes, byte[] word) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .indexOf(new String(word, StandardCharsets.ISO_8859_1));
    }

    @Test
    @Tag("slow")
    void withoutARehearsalThereAreNoCachesAndNothingIsSaid() throws Exception {
        Ended run = run(classPath(), 0);
        assertFine(run);
        assertEquals(List.of(), run.errors());
        assertFalse(Files.exists(folder.resolve("aot")));
    }

    /** Once caches are there, an option that does not go with them would end the JVM. */
    @Test
    @Tag("slow")
    void cachesAreOfTheOptionsInTheEnvironmentToo() throws Exception {
        assumeCaches();
        String classPath = classPath();
        assertFine(run(classPath));
        options = "-Xshare:auto";
        Ended with = run(classPath);
        assertFine(with);
        assertTrue(with.errors().get(0).contains("are ignored"), with::toString);
    }

    @Test
    @Tag("slow")
    void aFolderThatCannotBeWrittenIsNoReasonToFail() throws Exception {
        assumeCaches();
        Files.writeString(folder.resolve("aot"), "in the way");
        Ended run = run(classPath());
        assertFine(run);
        assertEquals(List.of(), run.errors());
    }

    @Test
    @Tag("slow")
    void aRehearsalThatFailsIsSaidOnceAndRunsGoOnWithoutCaches() throws Exception {
        assumeCaches();
        String classPath = classPath();
        Ended first = run(classPath, 1_000_000); // more than may be
        assertFine(first);
        assertEquals(2, first.errors().size(), first::toString);
        assertTrue(first.errors().get(1).contains("left no AOT caches, see "), first::toString);

        Ended second = run(classPath, 1_000_000);
        assertFine(second);
        assertEquals(List.of(), second.errors());
    }

    @Test
    void aJvmWithoutSharedClassesThatWasGivenACacheComplains() {
        assertNull(AotCache.complaint(null, "mixed mode"));
        assertNull(AotCache.complaint("/a/client.aot", "mixed mode, sharing"));
        assertTrue(AotCache.complaint("/a/client.aot", "mixed mode").contains("/a/client.aot"));
    }
}
