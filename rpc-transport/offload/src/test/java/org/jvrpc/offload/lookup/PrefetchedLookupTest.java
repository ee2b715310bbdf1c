package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.offload.Prefetching;
import org.jvrpc.verbs.ConnectionException;

/** The same on a host whose managed queues fetch a WQE as soon as an ENABLE allows it. */
final class PrefetchedLookupTest extends LookupTest {

    @BeforeEach
    void begin() {
        Prefetching.begin();
    }

    @AfterEach
    void end() {
        Prefetching.end();
    }

    @ParameterizedTest
    @EnumSource(value = LookupKind.class, names = {"LIST_WALK_BREAK", "ARRAY_SEARCH"})
    void aLookupThatIsNotInDoorbellOrderIsRefused(LookupKind kind) {
        ConnectionException e = assertThrows(ConnectionException.class, () -> connect(kind, Offer.Rearm.RECYCLED));
        String why = new String(e.privateData(), StandardCharsets.UTF_8);
        assertTrue(why.contains("but worker 1 prefetches"), why);
    }
}
