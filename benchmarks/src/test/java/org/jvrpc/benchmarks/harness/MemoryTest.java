package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryTest {

    @Test
    void shouldTakeThisProcesssPart() throws IOException {
        List<String> rollup = List.of(
                "55ba20a000-7ffd9b7f3000 ---p 00000000 00:00 0                [rollup]",
                "Rss:              1800 kB", "Pss:               913 kB", "Pss_Dirty:          88 kB");
        assertEquals(913 * 1024, Memory.parse(rollup));
    }

    @Test
    void shouldRefuseWhatHasNoSuchLine() {
        assertTrue(assertThrows(IOException.class, () -> Memory.parse(List.of("Rss: 5 kB"))).getMessage()
                .contains("Rss: 5 kB"));
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
