package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HullOptionsTest {

    private static HullOptions parse(String line) {
        return HullOptions.parse(line.split(" "));
    }

    private static void refused(String line, String... parts) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> parse(line));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    @Test
    void whatIsLeftOutHasADefault() {
        HullOptions options = parse("--address shm://x --bytes 64m -- java Main --bytes 5");
        assertEquals("shm://x", options.address());
        assertEquals(64 << 20, options.bytes());
        assertEquals("x.control", options.control().getFileName().toString());
        assertEquals(5, options.quickDeaths());
        assertEquals(5000, options.quickMs());
        assertEquals(5000, options.stopMs());
        assertEquals(List.of("java", "Main", "--bytes", "5"), options.command());
    }

    @Test
    void everythingCanBeSaid() {
        HullOptions options = parse("--bytes 2G --address shm://x --control /a/b --no-restart --quick-deaths 7"
                + " --quick-ms 8 --stop-ms 9 -- x");
        assertEquals(new HullOptions("shm://x", 2L << 30, Path.of("/a/b"), 0, 8, 9, List.of("x")), options);
        assertEquals(7, parse("--bytes 1 --address shm://x --no-restart --restart --quick-deaths 7 -- x")
                .quickDeaths());
    }

    @Test
    void theLimitsThemselvesCanBeAndNothingBeyond() {
        HullOptions least = parse("--address shm://x --bytes 1 --quick-deaths 1 --quick-ms 0 --stop-ms 0 -- x");
        assertEquals(new HullOptions("shm://x", 1, least.control(), 1, 0, 0, List.of("x")), least);
        HullOptions most = parse("--address shm://x --bytes 8589934591g --quick-deaths 1000000 --quick-ms 3600000"
                + " --stop-ms 3600000 -- x");
        assertEquals(new HullOptions("shm://x", 8589934591L << 30, most.control(), 1_000_000, 3_600_000, 3_600_000,
                List.of("x")), most);
        refused("--quick-deaths 1000001 -- x", "--quick-deaths must be 1 to 1000000, not 1000001");
        refused("--quick-ms 3600001 -- x", "--quick-ms must be 0 to 3600000, not 3600001");
        refused("--bytes 8589934592g -- x", "--bytes must be 1 to 8589934591, not 8589934592");
    }

    @Test
    void whatCannotBeIsNamed() {
        refused("--bytes 1m -- x", "--address");
        refused("--address shm://x -- x", "--bytes");
        refused("--address x --bytes 1 -- x", "--address", "x");
        refused("--address shm://x --bytes 1", "no command");
        refused("--address shm://x --bytes 1 --", "no command");
        refused("--address shm://x --bytes", "--bytes");
        refused("--address shm://x --bytes -- x", "--bytes");
        refused("--address shm://x --bytes 0 -- x", "--bytes", "0");
        refused("--address shm://x --bytes -5 -- x", "--bytes", "-5");
        refused("--address shm://x --bytes m -- x", "--bytes");
        refused("--address shm://x --bytes 9223372036854775807g -- x", "--bytes", "9223372036854775807");
        refused("--address shm://x --bytes 12x -- x", "12x");
        refused("--address shm://x --quick-deaths 0 --bytes 1 -- x", "--quick-deaths", "0");
        refused("--addresses shm://x --bytes 1 -- x", "--addresses");
        refused("java Main", "java");
    }
}
