package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.verbs.MemoryRegion;

/** Which offers can be made. */
final class OfferTest {

    private final MemoryRegion data = new Sketch().memory(64);

    @ParameterizedTest
    @ValueSource(ints = {1, 240})
    void aNameHasUpTo240Characters(int length) {
        assertEquals(length, new Offer("x".repeat(length), LookupKind.HASH_GET, data, 0).name().length());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 241})
    void aNameOfNoOrMoreCharactersIsRefused(int length) {
        assertThrows(IllegalArgumentException.class,
                () -> new Offer("x".repeat(length), LookupKind.HASH_GET, data, 0));
    }

    @Test
    void theHeaderMayBeTheLastOfTheData() {
        assertEquals(32, new Offer("x", LookupKind.HASH_GET, data, 32).header());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 33})
    void aHeaderThatIsNotAllInTheDataIsRefused(long header) {
        assertThrows(IllegalArgumentException.class, () -> new Offer("x", LookupKind.HASH_GET, data, header));
    }
}
