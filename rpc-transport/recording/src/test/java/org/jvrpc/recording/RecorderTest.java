package org.jvrpc.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in a file, and what does not. */
class RecorderTest {

    private static final int CALLS = 200;
    private static final int BYTES = 8192;

    @TempDir
    private Path folder;

    private static RecordedCall call(int number, Object argument) {
        return new RecordedCall(number, number, 1, "org.acme.Orders", "find(long)", List.of(argument), 0, null,
                Map.of("answer", "x".repeat(100)));
    }

    @Test
    void aFullFileIsWholeAndTellsWhatIsLeftOut() throws IOException {
        Path file = folder.resolve("full");
        try (Recorder recorder = Recorder.create(file, "shm://orders", List.of(), BYTES)) {
            for (int i = 1; i <= CALLS; i++) {
                recorder.write(call(i, i));
            }
        }
        assertTrue(Files.size(file) <= BYTES, () -> "bytes=" + file.toFile().length());
        Recording read = Recording.read(file, false);
        assertTrue(read.calls().size() > BYTES / 500, () -> "calls=" + read.calls().size());
        assertEquals(CALLS, read.calls().size() + read.left());
        assertEquals("shm://orders", read.address());
    }

    @Test
    void whatUtf8CannotSayComesBack() throws IOException {
        Path file = folder.resolve("text");
        String text = "a \ud800 \ud83d\ude00 \udfff \u2028 \n \" \\";
        try (Recorder recorder = Recorder.create(file, "shm://orders", List.of(), BYTES)) {
            recorder.write(call(1, text));
        }
        assertEquals(List.of(text), Recording.read(file, false).calls().get(0).arguments());
    }

    @Test
    void callsAreInTheOrderInWhichTheyCame() throws IOException {
        Path file = folder.resolve("order");
        try (Recorder recorder = Recorder.create(file, "shm://orders", List.of(), BYTES)) {
            recorder.write(call(2, "late"));
            recorder.write(call(1, "early"));
        }
        assertEquals(List.of("early"), Recording.read(file, false).calls().get(0).arguments());
    }

    @Test
    void nothingIsWrittenOver() throws IOException {
        Path file = Files.writeString(folder.resolve("there"), "precious");
        assertThrows(FileAlreadyExistsException.class,
                () -> Recorder.create(file, "shm://orders", List.of(), BYTES).close());
        assertEquals("precious", Files.readString(file));
    }
}
