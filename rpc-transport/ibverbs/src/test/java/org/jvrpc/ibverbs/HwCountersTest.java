package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters in a folder that is as sysfs has it. */
final class HwCountersTest {

    @TempDir
    private Path devices;

    private void file(String name, String text) throws IOException {
        Path folder = Files.createDirectories(devices.resolve("rxe0/ports/1/hw_counters"));
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void numbersByTheirNames() throws IOException {
        file("sent_pkts", "17\n");
        file("rcvd_pkts", "18446744073709551615\n");
        file("lifespan", "10\n");
        file("odd", "none\n");
        assertEquals(Map.of("sent_pkts", 17L, "rcvd_pkts", -1L), HwCounters.read(devices, "rxe0", 1));
    }

    @Test
    void aDeviceThatIsGoneHasNone() {
        assertEquals(Map.of(), HwCounters.read(devices, "rxe0", 1));
    }
}
