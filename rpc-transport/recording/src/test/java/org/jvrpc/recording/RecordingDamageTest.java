package org.jvrpc.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.recording.dynamic.DynamicService;

/** Files that somebody else wrote to. */
class RecordingDamageTest {

    private static final int ROUNDS = 500;

    @TempDir
    private Path folder;

    private byte[] recorded() throws IOException {
        Path file = folder.resolve("whole");
        ServiceSchema schema = new ServiceSchema("org.acme.Orders", 7, 0, List.of(MethodSchema.parse("find(long)int")));
        try (Recorder recorder = Recorder.create(file, "shm://orders", List.of(new DynamicService(schema, List.of())),
                Recorder.MOST_BYTES)) {
            for (int i = 1; i <= 3; i++) {
                recorder.write(new RecordedCall(i, i, 1, "org.acme.Orders", "find(long)", List.of(i), 0, List.of("x"),
                        Map.of("answer", i)));
            }
        }
        return Files.readAllBytes(file);
    }

    @Test
    void aFileThatIsCutIsRefusedWhereverItIs() throws IOException {
        byte[] whole = recorded();
        Path file = folder.resolve("cut");
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            if (length == whole.length - 1) {
                continue; // all but the last line's end, below
            }
            String message = assertThrows(RecordingException.class, () -> Recording.read(file, false)).getMessage();
            assertTrue(message.contains("is cut") || message.contains("is no recording"), message);
        }
        assertThrows(RecordingException.class, () -> Recording.read(file, false));
        assertEquals(3, Recording.read(file, true).calls().size());
    }

    @Test
    void anyOtherBytesAreARecordingOrRefused() throws IOException {
        byte[] whole = recorded();
        Path file = folder.resolve("damaged");
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, damaged);
            try {
                Recording.read(file, random.nextBoolean());
            } catch (IOException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + " round=" + round + " " + e, e);
            }
        }
        assertTrue(refused > ROUNDS / 4, "seed=" + seed + " refused=" + refused);
    }
}
