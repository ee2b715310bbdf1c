package org.jvrpc.samples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The programs of the five-minute start talk to each other, as two processes. */
final class StartTest {

    private static final Path ROOT = Path.of(System.getProperty("jvrpc.root"));

    @Test
    void theClientIsGreetedBySharedMemory() throws Exception {
        assertGreeted("shm://cookbook-start-" + ProcessHandle.current().pid());
    }

    @Test
    void theClientIsGreetedByTcp() throws Exception {
        assertGreeted("tcp://127.0.0.1:0");
    }

    private static void assertGreeted(String address) throws Exception {
        Process server = java("hello.Server", address);
        try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine(); // null when it ends
            assertTrue(line != null && line.startsWith("serving at "), "the server says " + line);
            Process client = java("hello.Client", line.substring("serving at ".length()));
            try {
                String printed = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(client.waitFor(60, TimeUnit.SECONDS), "the client does not end");
                assertEquals("Hello, world\n", printed);
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
    }

    private static Process java(String main, String address) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main, address)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Test
    void buildFilesNameThisVersion() throws IOException {
        String version = Files.readString(ROOT.resolve("pom.xml"))
                .replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        assertTrue(Files.readString(ROOT.resolve("docs/src/start/pom.xml"))
                .contains("<jvrpc.version>" + version + "</jvrpc.version>"), "pom.xml is not for " + version);
        assertTrue(Files.readString(ROOT.resolve("docs/src/start/build.gradle"))
                .contains("def jvrpc = '" + version + "'"), "build.gradle is not for " + version);
    }

    @Test
    void buildFilesTakeTheSameModulesAndProgramsThatAreThere() throws Exception {
        String maven = Files.readString(ROOT.resolve("docs/src/start/pom.xml"));
        String gradle = Files.readString(ROOT.resolve("docs/src/start/build.gradle"));
        assertEquals(found("<artifactId>(jvrpc-[a-z]+)</artifactId>", maven),
                found("org.jvrpc:(jvrpc-[a-z]+):", gradle));
        assertEquals(Set.of("jvrpc-codegen"), found("annotationProcessor \"org.jvrpc:(jvrpc-[a-z]+):", gradle));
        Set<String> programs = found("mainClass = '(.*)'", gradle);
        assertEquals(Set.of("hello.Server", "hello.Client"), programs);
        for (String program : programs) {
            Class.forName(program).getMethod("main", String[].class);
        }
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1))
                .collect(Collectors.toSet());
    }
}
