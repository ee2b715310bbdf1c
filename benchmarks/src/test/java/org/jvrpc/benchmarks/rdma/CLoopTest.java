package org.jvrpc.benchmarks.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.benchmarks.harness.Programs;

final class CLoopTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void needsACompiler() {
        assumeTrue(Programs.find("gcc") != null, "gcc is not installed");
        assumeTrue(Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "libibverbs-dev is not installed");
    }

    @Test
    void shouldCompileWithoutAWarning() throws IOException {
        CLoop.compile(folder, "pingpong", "-O2", "-Wall", "-Wextra", "-Werror", "-libverbs", "-lpthread");
        CLoop.compile(folder, "provider", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC");
    }

    @Test
    void shouldSayWhatTheCompilerSays() {
        IOException e = assertThrows(IOException.class, () -> CLoop.compile(folder, "pingpong", "-lno-such-library"));
        assertTrue(e.getMessage().contains("no-such-library"), e::getMessage);
    }

    @Test
    void shouldAnswerInTheWordsOfTheHarnessWhenItFails() throws Exception {
        List<String> command = new ArrayList<>(CLoop.pingPong(folder));
        command.set(1, "no-such-device");
        command.addAll(List.of("server", "rdma-send-c", folder.toString(), "1"));
        Process process = new ProcessBuilder(command).start();
        process.outputWriter().close();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        assertEquals("FAIL cannot open device no-such-device\n", answer);
    }
}
