package org.jvrpc.interleavings.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody sleeps with a completion in the ring. */
final class ArmingModelTest {

    @Test
    void nobodySleepsWithACompletionInTheRing() {
        ModelCheck.Result result = ModelCheck.run(new ArmingModel());
        System.out.println("ArmingModelTest: " + result);
        assertNull(result.broken(), result::toString);
        assertTrue(result.states() > 1000, result::toString);
    }

    @ParameterizedTest
    @EnumSource(ArmingModel.Fault.class)
    void everyFaultIsSeen(ArmingModel.Fault fault) {
        ModelCheck.Result result = ModelCheck.run(new ArmingModel(fault));
        System.out.println("ArmingModelTest: " + fault + ": " + result);
        assertNotNull(result.broken(), fault::toString);
        assertEquals(fault == ArmingModel.Fault.PLAIN_PUBLICATION ? "a completion without its bytes is polled"
                : "the consumer sleeps with a completion in the ring", result.broken());
    }
}
