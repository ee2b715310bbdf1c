package org.jvrpc.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KvServersTest {

    @TempDir
    private Path folder;

    @Test
    void shouldFindProgramsOnThePath() {
        assertNotNull(KvServers.find("sh"));
        assertNull(KvServers.find("no-such-program-here"));
    }

    @Test
    void shouldEndWhatItAttends() throws Exception {
        List<String> command = List.of("sh", "-c", "echo begun: yes; exec sleep 60");
        Attended attended = Attended.start(folder.resolve("log"), command);
        assertEquals("yes", attended.await(Pattern.compile("begun: (\\w+)")));
        ProcessHandle process = attended.process();
        assertTrue(process.isAlive());
        attended.close();
        process.onExit().get(10, TimeUnit.SECONDS);
        assertFalse(process.isAlive());
    }

    @Test
    void shouldTellAtOnceWhatAServerSaidThatEnded() throws IOException {
        List<String> command = List.of("sh", "-c", "echo sorry >&2; exit 3");
        try (Attended attended = Attended.start(folder.resolve("log"), command)) {
            IOException e = assertThrows(IOException.class, () -> attended.await(Pattern.compile("(never)")));
            assertEquals("the server ended: sorry\n", e.getMessage());
            assertEquals("the server has ended",
                    assertThrows(IllegalStateException.class, attended::process).getMessage());
        }
    }

    @Test
    void shouldRefuseWrongValues() {
        ByteBuffer value = ByteBuffer.wrap(KvData.value(7)).order(ByteOrder.LITTLE_ENDIAN);
        KvData.check(7, value, 0, KvData.VALUE_BYTES);
        assertThrows(IllegalStateException.class, () -> KvData.check(8, value, 0, KvData.VALUE_BYTES));
        assertThrows(IllegalStateException.class, () -> KvData.check(7, value, 0, 31));
    }
}
