package org.jvrpc.benchmarks.redn;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.offload.lookup.LookupKind;

/** Both ends of the lookups in one process, and the loop of ifs. */
final class RednEndsTest {

    @ParameterizedTest
    @EnumSource(value = LookupKind.class, mode = EnumSource.Mode.EXCLUDE, names = "ARRAY_SEARCH")
    void shouldGetTheValuesOfKeysInEveryPlace(LookupKind kind) throws Exception {
        try (LookupServer server = new LookupServer(kind); LookupClient client = new LookupClient()) {
            client.connect(server.start("shm://ends-" + ProcessHandle.current().pid() + "-" + System.nanoTime()), 0);
            for (int place = 0; place <= 2; place++) {
                Operation lookup = client.operation(Workload.lookup(place));
                for (int i = 0; i < 1000; i++) {
                    lookup.before();
                    lookup.call();
                    lookup.after(); // throws where the value is another key's
                }
            }
            assertTrue(client.pipeline().run(1, System.nanoTime() + 1_000_000) >= 64);
            assertThrows(UnsupportedOperationException.class, () -> client.operation(Workload.NULL));
        }
    }

    @Test
    void shouldCountTheWrsOfWalks() throws Exception {
        double walk = LookupWrs.mean(LookupKind.LIST_WALK);
        double withBreak = LookupWrs.mean(LookupKind.LIST_WALK_BREAK);
        assertTrue(withBreak <= walk / 2, "walk=" + walk + " withBreak=" + withBreak);
    }

    @Test
    void shouldExecuteIfsAndCheckThem() {
        try (IfLoop loop = new IfLoop()) {
            loop.connect("none", 0);
            for (long ifs = 0; ifs <= 1000;) { // two laps at least
                long more = loop.run(System.nanoTime() + 50_000_000);
                assertTrue(more > 0, "ifs=" + ifs);
                ifs += more;
            }
        }
    }
}
