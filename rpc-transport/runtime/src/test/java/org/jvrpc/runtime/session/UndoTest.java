package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {

    private final List<String> closed = new ArrayList<>();
    private final Undo undo = new Undo();

    @Test
    void theLastOneIsClosedFirstAndEachOnce() {
        AutoCloseable one = () -> closed.add("one");
        assertSame(one, undo.keep(one));
        undo.keep(() -> closed.add("two"));
        undo.run();
        assertEquals(List.of("two", "one"), closed);
        undo.run();
        assertEquals(List.of("two", "one"), closed);
    }

    @Test
    void oneThatCannotBeClosedKeepsNoOtherOpen() {
        undo.keep(() -> closed.add("one"));
        undo.keep(() -> {
            throw new AssertionError("planted");
        });
        undo.keep(() -> closed.add("three"));
        undo.run();
        assertEquals(List.of("three", "one"), closed);
    }
}
