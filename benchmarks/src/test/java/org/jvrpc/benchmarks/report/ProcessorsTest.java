package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessorsTest {

    @TempDir
    private Path folder;

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + '\n');
    }

    private void processor(int number, String siblings, int socket) throws IOException {
        write("cpu" + number + "/topology/thread_siblings_list", siblings);
        write("cpu" + number + "/topology/physical_package_id", Integer.toString(socket));
    }

    private void cache(int number, int index, int level, String shared) throws IOException {
        write("cpu" + number + "/cache/index" + index + "/level", Integer.toString(level));
        write("cpu" + number + "/cache/index" + index + "/shared_cpu_list", shared);
    }

    @Test
    void shouldKnowSiblings() throws IOException {
        processor(0, "0,16", 0);
        assertEquals("siblings of one core", Processors.relation(folder, 0, 16));
    }

    @Test
    void shouldKnowASharedCache() throws IOException {
        processor(0, "0", 0);
        cache(0, 0, 1, "0-7");
        cache(0, 1, 3, "0-3");
        processor(5, "5", 0);
        assertEquals("two cores with one L3 cache", Processors.relation(folder, 0, 2));
        assertEquals("two cores of one socket", Processors.relation(folder, 0, 5));
    }

    @Test
    void shouldKnowSockets() throws IOException {
        processor(0, "0", 0);
        processor(1, "1", 1);
        assertEquals("two sockets", Processors.relation(folder, 0, 1));
    }

    @Test
    void shouldSayWhatTheSystemDoesNotTell() {
        assertEquals("unknown", Processors.relation(folder, 0, 1));
    }

    @Test
    void shouldReadTheProcessorsOfAProcess() throws IOException {
        write("status", "Name:\tjava\nCpus_allowed_list:\t0,4-6");
        assertEquals(List.of(0, 4, 5, 6), Processors.allowed(folder.resolve("status")));
    }
}
