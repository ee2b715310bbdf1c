package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HoldingsTest {

    private static void hold(Path file, Holdings before) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            Holdings now = Holdings.now();
            assertEquals(before.descriptors() + 1, now.descriptors());
            assertEquals(before.mappings() + 1, now.mappings());
            assertEquals(before.threads() + 1, now.threads());
            assertEquals(before.files() + 1, now.files());
            assertEquals(now, Holdings.parse(now.toString()));
            map.put(0, (byte) 1); // reachable until here
        }
    }

    @Test
    void eachThingThatIsHeldIsCountedAndMissedWhenItIsGone() throws Exception {
        Holdings before = Holdings.settled();
        Path file = SharedMemoryFolder.path().resolve("slab");
        CountDownLatch over = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        hold(file, before);
        Files.delete(file);
        over.countDown();
        thread.join();
        Holdings.awaitNoMoreThan(before);
    }
}
