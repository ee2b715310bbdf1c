package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryTest {

    @Test
    void shouldTakeThisProcesssPart() throws IOException {
        List<String> rollup = List.of(
                "55ba20a000-7ffd9b7f3000 ---p 00000000 00:00 0                [rollup]",
                "Rss:              1800 kB", "Pss:               913 kB", "Pss_Shmem:          88 kB");
        assertEquals(913 * 1024, Memory.parse(rollup, "Pss:"));
        assertEquals(88 * 1024, Memory.parse(rollup, "Pss_Shmem:"));
    }

    @Test
    void shouldRefuseWhatHasNoSuchLine() {
        assertTrue(assertThrows(IOException.class, () -> Memory.parse(List.of("Rss: 5 kB"), "Pss:")).getMessage()
                .contains("Rss: 5 kB"));
    }

    @Test
    void shouldCountTheFilesOfItsDevicesWhoeverHasThemMapped(@TempDir Path parent) throws IOException {
        for (String device : List.of("d-12-a", "d-12-b", "d-123-c")) {
            Files.write(Files.createDirectory(parent.resolve(device)).resolve("0"), new byte[1000]);
        }
        Files.createDirectory(parent.resolve("d-12-a").resolve("folder"));
        assertEquals(2000, Memory.files(parent, "d-12-*"));
        assertEquals(0, Memory.files(parent.resolve("none"), "*"));
    }

    @Test
    void shouldReadThisProcess() throws IOException {
        assertTrue(Memory.ofProcess(ProcessHandle.current().pid()) > 1 << 20);
    }

    @Test
    void shouldCountWhatLivesOnTheHeap() {
        long before = Memory.heap();
        byte[] held = new byte[32 << 20];
        long grown = Memory.heap() - before;
        assertTrue(grown > held.length / 2, () -> "grown by " + grown);
    }
}
