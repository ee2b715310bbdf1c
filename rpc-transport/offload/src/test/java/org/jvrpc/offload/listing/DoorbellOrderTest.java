package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.LookupSketch;
import org.jvrpc.offload.wr.OrderException;

/** Which shipped programs there are for a device that fetches a WQE as soon as an ENABLE allows it, and which not. */
final class DoorbellOrderTest {

    /** Each says why in its Javadoc. One that is mended is to be taken out. */
    private static final Set<String> REFUSED = Set.of("array-search", "list-walk-break", "turing-machine");

    @Test
    void allShippedProgramsButTheseAreMadeForDevicesThatPrefetch() {
        Set<String> refused = new TreeSet<>();
        for (ShippedPrograms.Shipped shipped : ShippedPrograms.all()) {
            try {
                assertEquals(shipped.program().name(), shipped.prefetched().name());
            } catch (OrderException e) {
                assertTrue(e.getMessage().contains("prefetches, and may do so when"), e.getMessage());
                refused.add(shipped.name());
            }
        }
        assertEquals(new TreeSet<>(REFUSED), refused);
    }

    @ParameterizedTest
    @EnumSource(names = {"HASH_GET", "HASH_GET_PARALLEL", "LIST_WALK"})
    void programsForOneRequestAreMadeForThemToo(LookupKind kind) {
        Program program = LookupSketch.once(kind, new Sketch(true));
        assertTrue(program.queues().stream().anyMatch(queue -> queue.toString().equals("C")), "the control queue");
    }
}
