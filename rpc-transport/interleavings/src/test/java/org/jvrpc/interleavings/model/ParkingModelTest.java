package org.jvrpc.interleavings.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No message lies in a submit ring that nobody looks at. */
final class ParkingModelTest {

    @Test
    void noMessageIsLeftWhenTheRouterCeasesToLook() {
        ModelCheck.Result result = ModelCheck.run(new ParkingModel());
        System.out.println("ParkingModelTest: " + result);
        assertNull(result.broken(), result::toString);
        assertTrue(result.states() > 100, result::toString);
    }

    @ParameterizedTest
    @EnumSource(ParkingModel.Fault.class)
    void everyFaultIsSeen(ParkingModel.Fault fault) {
        ModelCheck.Result result = ModelCheck.run(new ParkingModel(fault));
        System.out.println("ParkingModelTest: " + fault + ": " + result);
        assertEquals(fault == ParkingModel.Fault.PLAIN_PUBLICATION ? "a message without its bytes is taken"
                : "a message lies there, and nobody looks", result.broken());
    }
}
