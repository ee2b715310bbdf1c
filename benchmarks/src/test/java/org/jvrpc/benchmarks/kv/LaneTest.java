package org.jvrpc.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
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
        CrashPicture.write(file, List.of(lane, lane), -1, 2);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1280, image.getWidth());
        for (int top = 0; top < image.getHeight(); top += image.getHeight() / 2) {
            BufferedImage half = image.getSubimage(0, top, image.getWidth(), image.getHeight() / 2);
            assertAll(() -> assertEquals(2.0 / 3, part(half, CrashPicture.FOUND), 0.05, "two of three have values"),
                    () -> assertEquals(1.0 / 3, part(half, CrashPicture.OUTAGE), 0.05, "one has none"),
                    () -> assertEquals(1.0 / 120, part(half, CrashPicture.MISSED), 0.004, "one has missing ones"),
                    () -> assertTrue(part(half, CrashPicture.KILL) > 0.0005, "the kill is a line"),
                    () -> assertTrue(part(half, CrashPicture.BACK) > 0.0005, "so is the end of the outage"));
        }
    }

    /** Returns how much of what is coloured by values, or by their absence, has a colour. */
    private static double part(BufferedImage image, Color color) {
        int having = 0;
        int all = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int rgb = image.getRGB(x, y);
                having += rgb == color.getRGB() ? 1 : 0;
                all += rgb == CrashPicture.FOUND.getRGB() || rgb == CrashPicture.OUTAGE.getRGB() ? 1 : 0;
            }
        }
        return (double) having / all;
    }
}
