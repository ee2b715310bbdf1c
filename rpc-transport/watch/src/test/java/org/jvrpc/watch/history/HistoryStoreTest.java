package org.jvrpc.watch.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Waits;

class HistoryStoreTest {

    private static final long BOUND = 64L << 20;

    @TempDir
    Path folder;

    private HistoryStore open(long bound) throws IOException {
        return HistoryStore.open(folder, bound, 0);
    }

    private static byte[] row(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    private static Map<Long, Long> read(History history, String series, long from, long to) {
        Map<Long, Long> found = new TreeMap<>();
        List<Long> order = new ArrayList<>();
        history.range(series, from, to, (window, row) -> {
            found.put(window, ByteBuffer.wrap(row).getLong());
            order.add(window);
        });
        assertEquals(new ArrayList<>(found.keySet()), order, "in order");
        return found;
    }

    static List<Path> files(Path folder, String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + ending)) {
            all.forEach(found::add);
        }
        found.sort(null);
        return found;
    }

    @Test
    void rowsComeBackAsTheyWerePutWhateverTheOrderAndTheSeries() throws Exception {
        Random random = new Random(17);
        Map<String, TreeMap<Long, Long>> model = new TreeMap<>();
        try (HistoryStore history = open(BOUND)) {
            for (int i = 0; i < 20_000; i++) {
                String series = "s" + random.nextInt(30);
                long window = i / 40 + random.nextInt(20); // some 500 windows, that is some files; late rows too
                history.put(series, window, row(i));
                model.computeIfAbsent(series, s -> new TreeMap<>()).put(window, (long) i);
            }
            history.settle();
            assertTrue(files(folder, ".mv").size() > 3);
            for (int i = 0; i < 300; i++) {
                String series = "s" + random.nextInt(31);
                long from = random.nextInt(600) - 20;
                long to = from + random.nextInt(600);
                assertEquals(model.getOrDefault(series, new TreeMap<>()).subMap(from, true, to, true),
                        read(history, series, from, to), series);
            }
        }
    }

    @Test
    void aRestartFindsWhatWasThere() throws Exception {
        for (int run = 0; run < 4; run++) {
            try (HistoryStore history = open(BOUND)) {
                for (long window = 0; window < run * 100; window++) {
                    assertEquals(window * 7, read(history, "a", window, window).get(window));
                }
                for (long window = run * 100; window < run * 100 + 100; window++) {
                    history.put("a", window, row(window * 7));
                }
            }
        }
        try (HistoryStore history = open(BOUND)) {
            assertEquals(400, read(history, "a", 0, Long.MAX_VALUE).size());
            for (long window = 0; window < 400; window++) { // also at the ends of files
                assertEquals(Map.of(window, window * 7), read(history, "a", window, window));
            }
            assertNull(history.trouble());
        }
        assertEquals(4, files(folder, ".mv").size(), "an hour a file, also over restarts");
    }

    @Test
    void theOldestGoesWhenTheBoundIsReachedAndTheNewestStays() throws Exception {
        long bound = 4 << 20;
        Random random = new Random(5);
        try (HistoryStore history = open(bound)) {
            long window = 0;
            for (; window < 2000; window++) {
                byte[] row = new byte[8 << 10]; // 16 MiB in all, which no compression makes less
                random.nextBytes(row);
                ByteBuffer.wrap(row).putLong(window);
                history.put("a", window, row);
                if (window % 100 == 0) {
                    history.settle();
                    long onDisk = files(folder, "").stream().mapToLong(file -> file.toFile().length()).sum();
                    assertTrue(onDisk <= bound, () -> onDisk + " bytes of " + bound);
                }
            }
            history.settle();
            Map<Long, Long> left = read(history, "a", 0, Long.MAX_VALUE);
            assertTrue(left.size() > 200 && left.size() < 520, () -> "left " + left.size());
            long first = left.keySet().iterator().next();
            assertEquals(window - first, left.size(), "the newest without a gap");
            assertTrue(history.bytes() <= bound && history.bytes() > bound / 2, () -> "bytes=" + history.bytes());
            assertNull(history.trouble());
            assertEquals(0, history.dropped());
        }
    }

    @Test
    void aFolderHasOneOwner() throws Exception {
        try (HistoryStore history = open(BOUND)) {
            IOException refusal = assertThrows(IOException.class, () -> open(BOUND));
            assertTrue(refusal.getMessage().contains("another process's"), refusal.getMessage());
            assertNull(history.trouble());
        }
        open(BOUND).close();
    }

    @Test
    void whatNoRowCanBeIsRefusedWithItsValues() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> HistoryStore.open(folder, (64 << 20) - 1));
        try (HistoryStore history = open(BOUND)) {
            assertThrows(IllegalArgumentException.class, () -> history.put("", 1, row(1)));
            assertThrows(IllegalArgumentException.class, () -> history.put("a", -1, row(1)));
            assertThrows(IllegalArgumentException.class, () -> history.put("a", Segment.MOST_WINDOW + 1, row(1)));
            assertThrows(IllegalArgumentException.class,
                    () -> history.put("a", 1, new byte[HistoryStore.MOST_ROW + 1]));
            history.put("a", Segment.MOST_WINDOW, row(3));
            history.settle();
            assertEquals(Map.of(Segment.MOST_WINDOW, 3L), read(history, "a", 0, Long.MAX_VALUE));
        }
    }

    @Test
    void whoPutsMoreThanTheQueueTakesLosesThatAndIsTold() throws Exception {
        try (HistoryStore history = open(BOUND)) {
            history.range("a", 0, 1, (window, row) -> { });
            int put = 200;
            for (int i = 0; i < put; i++) {
                history.put("a", i, new byte[512 << 10]); // faster than any disk
            }
            history.settle();
            int[] left = {0};
            history.range("a", 0, put, (window, row) -> left[0]++);
            assertTrue(history.dropped() > 0);
            assertTrue(left[0] <= put - history.dropped(), "more than were taken");
        }
    }

    @Test
    void aFileThatIsBrokenIsSetAsideAndTheOthersAreRead() throws Exception {
        for (int kind = 0; kind < 4; kind++) {
            try (HistoryStore history = open(BOUND)) {
                for (long window = 0; window < 360; window++) {
                    history.put("a", window, row(window));
                }
            }
            Path second = files(folder, ".mv").get(1);
            damage(second, kind);
            try (HistoryStore history = open(BOUND)) {
                Map<Long, Long> left = read(history, "a", 0, 1000);
                assertEquals(240, left.size(), "kind=" + kind);
                assertNull(left.get(200L));
                assertNotNull(history.trouble());
                assertTrue(history.trouble().contains("set aside"), history.trouble());
                history.put("a", 400, row(4));
                history.settle();
                assertEquals(241, read(history, "a", 0, 1000).size(), "kind=" + kind);
            }
            assertEquals(1, files(folder, ".corrupt").size());
            for (Path file : files(folder, "")) {
                Files.delete(file);
            }
        }
    }

    /** Breaks a file: its head, all of it, its end, or all but its head. */
    private static void damage(Path file, int kind) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Random random = new Random(kind);
        byte[] noise = new byte[bytes.length];
        random.nextBytes(noise);
        switch (kind) {
            case 0 -> System.arraycopy(noise, 0, bytes, 0, 8192);
            case 1 -> bytes = noise;
            case 2 -> bytes = Arrays.copyOf(bytes, 8192);
            default -> System.arraycopy(noise, 8192, bytes, 8192, bytes.length - 8192);
        }
        Files.write(file, bytes);
    }

    @Test
    void anyByteThatFlipsCostsAtMostItsFileAndNeverAnError() throws Exception {
        try (HistoryStore history = open(BOUND)) {
            for (long window = 0; window < 240; window++) {
                history.put("a", window, row(window));
            }
        }
        Path first = files(folder, ".mv").get(0);
        byte[] sound = Files.readAllBytes(first);
        Random random = new Random(23);
        for (int i = 0; i < 10; i++) {
            byte[] bytes = sound.clone();
            for (int n = 0; n < 8; n++) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(first, bytes);
            try (HistoryStore history = open(BOUND)) {
                Map<Long, Long> left = read(history, "a", 0, 1000);
                assertEquals(120, left.size(), "a row that may be wrong");
                for (long window = 120; window < 240; window++) {
                    assertEquals(window, left.get(window), "flip " + i);
                }
            }
        }
    }

    @Test
    void aProcessThatIsKilledLeavesWhatWasCommitted() throws Exception {
        byte[] cut;
        Path file;
        try (HistoryStore history = open(BOUND)) {
            for (long window = 0; window < 50; window++) {
                history.put("a", window, row(window));
            }
            history.settle();
            Path now = folder.resolve("history-0000000000000.mv");
            Waits.until("the writer to have committed", () -> history.bytes() > 8192);
            cut = Files.readAllBytes(now); // as a kill would leave it
            file = now;
        }
        for (Path finished : files(folder, ".mv")) {
            Files.delete(finished);
        }
        Files.write(file, cut);
        try (HistoryStore history = open(BOUND)) {
            assertEquals(50, read(history, "a", 0, 100).size());
            history.put("a", 50, row(50));
            history.settle();
            assertEquals(51, read(history, "a", 0, 100).size(), () -> "trouble=" + history.trouble());
            assertEquals(0, history.dropped());
            assertNull(history.trouble());
        }
    }

    @Test
    void aFileThatTurnsOutToBeBrokenTakesNoRowsWithItThatWereNotInItYet() throws Exception {
        Random random = new Random(29);
        byte[] noise = new byte[1000];
        byte[] cut;
        Path file = folder.resolve("history-0000000000000.mv");
        try (HistoryStore history = open(BOUND)) {
            for (long window = 0; window < 40; window++) {
                for (int series = 0; series < 60; series++) {
                    random.nextBytes(noise);
                    history.put("a" + series, window, noise);
                }
                history.settle();
            }
            Waits.until("the writer to have committed", () -> history.bytes() > 2 << 20);
            cut = Files.readAllBytes(file);
        }
        for (Path finished : files(folder, ".mv")) {
            Files.delete(finished);
        }
        Arrays.fill(cut, cut.length / 3, cut.length / 3 + 60_000, (byte) 0); // some pages amid a chunk
        Files.write(file, cut);
        try (HistoryStore history = open(BOUND)) {
            history.put("b", 100, row(7)); // goes to that file, which opens
            history.settle();
            history.range("a0", 0, 100, (window, row) -> { }); // finds it broken
            Waits.until("the row", () -> read(history, "b", 100, 100).equals(Map.of(100L, 7L)), history::trouble);
            assertEquals(1, files(folder, ".corrupt").size(), "else this showed nothing");
            assertEquals(0, history.dropped());
        }
    }

    @Test
    void allSeriesOfAPrefixAreReadAtOnceOverAllFiles() throws Exception {
        Map<String, TreeMap<Long, Long>> found = new TreeMap<>();
        try (HistoryStore history = open(BOUND)) {
            for (long window = 0; window < 300; window++) { // three files
                for (String series : List.of("rack/a", "rack/b", "host/c")) {
                    history.put(series, window, row(window + series.length()));
                }
            }
            history.settle();
            history.each("rack/", 50, 249, (series, window, row) -> {
                TreeMap<Long, Long> of = found.computeIfAbsent(series, unused -> new TreeMap<>());
                assertTrue(of.isEmpty() || of.lastKey() < window, "in order");
                of.put(window, ByteBuffer.wrap(row).getLong());
            });
            assertEquals(List.of("rack/a", "rack/b"), List.copyOf(found.keySet()));
            for (String series : found.keySet()) {
                assertEquals(read(history, series, 50, 249), found.get(series));
            }
            assertEquals(200, found.get("rack/a").size());
        }
    }

    @Test
    void aFolderThatIsDeletedIsToldOfAndMadeUseOfAgain() throws Exception {
        Path inner = folder.resolve("inner");
        try (HistoryStore history = HistoryStore.open(inner, BOUND, 0)) {
            history.put("a", 1, row(1));
            history.settle();
            for (Path file : files(inner, "")) {
                Files.delete(file);
            }
            Files.delete(inner);
            untilTrouble(history, true);
            Files.createDirectory(inner);
            untilTrouble(history, false);
            history.put("a", 3, row(3));
            history.settle();
            assertEquals(3, read(history, "a", 3, 3).get(3L));
        }
    }

    static void untilTrouble(HistoryStore history, boolean trouble) {
        Waits.until("trouble=" + trouble, () -> {
            history.put("b", 2, row(2));
            try {
                history.settle();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return (history.trouble() != null) == trouble;
        }, history::trouble);
    }

    @Test
    void closingLeavesNoThreadAndTakesNothingMore() throws Exception {
        HistoryStore history = open(BOUND);
        history.put("a", 1, row(1));
        history.close();
        history.close();
        history.put("a", 2, row(2));
        assertEquals(1, history.dropped());
        assertEquals(List.of(), Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.contains("watch-history") || name.contains("MVStore")).toList());
        try (HistoryStore again = open(BOUND)) {
            assertArrayEquals(new Object[] {1L}, read(again, "a", 0, 9).keySet().toArray());
        }
    }
}
