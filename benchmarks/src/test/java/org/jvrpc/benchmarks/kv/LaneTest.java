package org.jvrpc.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneTest {

    @TempDir
    private Path folder;

    private Lane lane(long killedNs, long backNs, String... lines) throws IOException {
        Path file = folder.resolve("timeline");
        Files.writeString(file, "1000000000\n" + String.join("\n", lines) + "\n");
        return Lane.read("gets", file, killedNs, backNs);
    }

    @Test
    void shouldTellWhatHappenedBeforeAndAfterTheKill() throws IOException {
        Lane lane = lane(1_002_500_000L, 1_004_000_000L, "5 0 0 300000 0", "6 0 0 200000 0", "1 0 3 900000 1000",
                "0 2 4 0 0", "7 0 0 1500000 400000");
        assertEquals(2, lane.killed());
        assertEquals(4, lane.back());
        assertEquals(19, lane.answers());
        assertEquals(2, lane.misses());
        assertEquals(7, lane.failures());
        assertEquals(0.3, lane.gapBeforeMs());
        assertEquals(1.5, lane.gapAfterMs());
        assertEquals(0.4, lane.ranAfterMs());
    }

    @Test
    void shouldCountATimeThatDidNotEnd() throws IOException {
        Lane lane = lane(1_000_500_000L, 0, "5 0 0 300000 0", "0 9 0 0 0", "0 9 0 0 0", "0 9 0 0 0");
        assertEquals(-1, lane.back());
        assertEquals(3, lane.gapAfterMs());
    }

    @Test
    void shouldDrawEveryLane() throws IOException {
        Lane lane = lane(1_001_000_000L, 1_002_000_000L, "5 0 0 1 0", "0 1 1 1 0", "5 0 0 1 0");
        Path file = folder.resolve("crash.png");
        CrashPicture.write(file, "title", List.of(lane, lane), -1, 2);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1280, image.getWidth());
        assertNotEquals(image.getRGB(0, 0), image.getRGB(200, 200), "the first lane has bars");
    }
}
