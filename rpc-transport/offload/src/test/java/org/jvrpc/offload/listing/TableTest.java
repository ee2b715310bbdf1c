package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How long cells go on in the lines below. */
final class TableTest {

    @Test
    void aLineThatIsJustAsLongAsTheLimitIsNotBroken() {
        assertEquals(List.of("ab cd", "ef"), Table.wrap("ab cd ef", 5));
    }

    @Test
    void aWordThatIsLongerThanTheLimitStaysWhole() {
        assertEquals(List.of("abcdefgh", "ij"), Table.wrap("abcdefgh ij", 4));
    }
}
