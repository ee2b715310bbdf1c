package org.jvrpc.watch.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Waits;

/** A disk of 2 MiB, which others fill too. */
class FullDiskTest {

    private static final long BOUND = 4 << 20; // more than there is

    @TempDir
    Path folder;

    private Path disk;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        boolean root = "root".equals(System.getProperty("user.name"));
        mounted = root && run("mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "jvrpc-test", disk.toString());
        assumeTrue(mounted, "only root can mount a small disk");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertTrue(run("umount", disk.toString()), "a file is still open");
        }
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            try {
                return process.waitFor(Waits.limitNs(), TimeUnit.NANOSECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    private static List<Long> windows(History history) {
        List<Long> found = new ArrayList<>();
        history.range("a", 0, Long.MAX_VALUE, (window, row) -> {
            assertEquals(window, ByteBuffer.wrap(row).getLong());
            found.add(window);
        });
        return found;
    }

    private static byte[] row(Random random, long window) {
        byte[] row = new byte[16 << 10];
        random.nextBytes(row);
        ByteBuffer.wrap(row).putLong(window);
        return row;
    }

    @Test
    void aFullDiskIsToldOfAndWhatWasKeptStaysAndItIsTriedAgain() throws Exception {
        Random random = new Random(9);
        Path ballast = Files.write(disk.resolve("ballast"), new byte[1 << 20]);
        long window = 0;
        try (HistoryStore history = HistoryStore.open(disk.resolve("history"), BOUND, 0)) {
            while (history.trouble() == null) {
                assertTrue(window < 10_000, "the disk never is full");
                history.put("a", window, row(random, window));
                history.settle();
                window++;
            }
            assertTrue(history.trouble().contains("No space left"), history.trouble());
            assertTrue(history.dropped() > 0);
            int kept = windows(history).size();
            assertTrue(kept > 0 && kept < 64, "kept " + kept);

            Files.delete(ballast);
            HistoryStoreTest.untilTrouble(history, false);
            history.put("a", window, row(random, window));
            history.settle();
            List<Long> now = windows(history);
            assertEquals(window, now.get(now.size() - 1));
            assertEquals(kept + 1, now.size(), "what was kept stays");
        }
        try (HistoryStore history = HistoryStore.open(disk.resolve("history"), BOUND, 0)) {
            assertTrue(windows(history).contains(window));
            assertNull(history.trouble());
        }
    }
}
