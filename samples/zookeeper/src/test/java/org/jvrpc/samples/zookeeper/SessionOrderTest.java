package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds what it is there for. */
class SessionOrderTest {

    private final SessionOrder order = new SessionOrder();

    @Test
    void nothingIsWrongWhereNothingIs() {
        order.made(order.makes("a"));
        order.makes("lost");
        order.makes("b");
        order.listed(order.lists(), List.of("a", "b"));
        order.lists();
        assertEquals(List.of(), order.faults(List.of("a", "b")));
        assertEquals(1, order.madeUnanswered(List.of("a", "b")));
    }

    @Test
    void aListThatOvertakesWhatWasToBeMadeBeforeIsFound() {
        order.makes("a");
        order.listed(order.lists(), List.of());
        order.listed(order.lists(), List.of("a"));
        assertEquals(List.of("step 1: a list overtook the making of [a]"), order.faults(List.of("a")));
    }

    @Test
    void whatWasAcknowledgedAndIsLostIsFound() {
        order.made(order.makes("a"));
        assertEquals(List.of("step 0: a was acknowledged and is lost"), order.faults(List.of()));
    }
}
