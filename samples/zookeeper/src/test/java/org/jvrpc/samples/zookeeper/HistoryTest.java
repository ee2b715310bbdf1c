package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds what it is there for. */
class HistoryTest {

    private final History history = new History();

    private static List<History.Call> end(String value, int version) {
        return List.of(new History.Call("end", "r", false, value, version));
    }

    private void assertFault(String part, List<History.Call> end) {
        List<String> faults = history.faults(end);
        assertTrue(faults.stream().anyMatch(fault -> fault.contains(part)), faults.toString());
    }

    @Test
    void nothingIsWrongWhereNothingIs() {
        history.wrote("a", "r", "x", 1);
        history.maybeWrote("b", "r", "y");
        history.read("a", "r", "y", 2);
        history.wrote("a", "r", "z", 3);
        assertEquals(List.of(), history.faults(end("z", 3)));
        assertEquals(2, history.acknowledged());
        assertEquals(1, history.unknown());
    }

    @Test
    void aLostAcknowledgedWriteIsFoundAtTheEnd() {
        history.wrote("a", "r", "x", 1);
        history.wrote("a", "r", "y", 2);
        assertFault("ended at version 1, was at 2", end("x", 1));
    }

    @Test
    void anAcknowledgedWriteThatAnotherReplacesIsFound() {
        history.wrote("a", "r", "x", 1);
        history.wrote("b", "r", "y", 1);
        assertFault("version 1 is x, and acknowledged as y", end("y", 1));
    }

    @Test
    void aSessionThatSeesARegisterGoBackIsFound() {
        history.wrote("a", "r", "x", 1);
        history.wrote("a", "r", "y", 2);
        history.read("b", "r", "y", 2);
        history.read("b", "r", "x", 1);
        assertFault("session b saw r go from version 2 back to 1", end("y", 2));
    }

    @Test
    void aSessionThatDoesNotSeeItsOwnWriteIsFound() {
        history.wrote("a", "r", "x", 1);
        history.wrote("a", "r", "y", 2);
        history.read("a", "r", "x", 1);
        assertFault("session a saw r go from version 2 back to 1", end("y", 2));
    }

    @Test
    void aValueThatNobodyWroteIsFound() {
        history.read("a", "r", "ghost", 1);
        assertFault("was read as ghost", end("ghost", 1));
    }

    @Test
    void aWriteThatHappenedTwiceIsFound() {
        history.maybeWrote("a", "r", "x");
        history.read("b", "r", "x", 1);
        history.read("b", "r", "x", 2);
        assertFault("more versions than writes: 2 of 1", end("x", 2));
    }
}
