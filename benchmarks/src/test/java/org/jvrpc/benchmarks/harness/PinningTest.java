package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class PinningTest {

    private final Pinning pinning = new Pinning();

    private static String processors() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow().split("\\s+")[1];
    }

    @Test
    void aThreadAndThoseThatItStartsAreKeptOnOneProcessorAndNobodyElse() throws Exception {
        String before = processors();
        assumeTrue(pinning.isPossible() && before.startsWith("0"), "this machine has no taskset, or not the first two"
                + " processors");
        CompletableFuture<String> pinned = new CompletableFuture<>();
        CompletableFuture<String> started = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                pinning.pinThread(1);
                pinned.complete(processors());
                Thread other = new Thread(() -> complete(started));
                other.start();
            } catch (IOException e) {
                pinned.completeExceptionally(e);
            }
        });
        thread.start();
        thread.join();
        assertEquals("1", pinned.get());
        assertEquals("1", started.get());
        assertEquals(before, processors());
    }

    private static void complete(CompletableFuture<String> processors) {
        try {
            processors.complete(processors());
        } catch (IOException e) {
            processors.completeExceptionally(new UncheckedIOException(e));
        }
    }
}
