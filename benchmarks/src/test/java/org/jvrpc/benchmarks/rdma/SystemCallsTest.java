package org.jvrpc.benchmarks.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SystemCallsTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadWhatStraceCounts() {
        String table = """
                syscall              calls
                ---------------- ---------
                write                 1001
                futex                    3
                ---------------- ---------
                total                 1004
                """;
        assertEquals(new TreeMap<>(Map.of("write", 1001L, "futex", 3L)), SystemCalls.parse(table));
    }

    @Test
    void shouldCountTheCallsOfAProcess() throws IOException {
        assumeTrue(SystemCalls.isPossible(), "strace is not installed");
        String threeLines = "for i in 1 2 3; do read -r line; echo \"$line\"; done; exec >&-; read -r line";
        Process process = new ProcessBuilder("sh", "-c", threeLines).start();
        try {
            SystemCalls calls = SystemCalls.attach(process.pid(), folder);
            process.outputWriter().write("one\ntwo\nthree\n");
            process.outputWriter().flush();
            for (String line : new String[] {"one", "two", "three"}) {
                assertEquals(line, process.inputReader().readLine());
            }
            // a call is counted when it ends, which a reader may be ahead of; the end of the output is behind the last
            assertNull(process.inputReader().readLine());
            Map<String, Long> counts = calls.detach();
            assertEquals(3, counts.get("write"), counts::toString);
            assertTrue(process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }
}
